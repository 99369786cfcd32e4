// What has become of the tests so far: a fold over the events of Node's test runner. Knows nothing of screens.
// A suite counts only where it was skipped as a whole or failed by itself (a hook); a file only where it failed in a way none of its
// tests shows (it did not load, it died, it took too long), or has no test in it.
import type { EventData } from 'node:test';

export type Failure = { file: string; name: string; line: number | undefined; error: unknown };
export type Skip = { file: string; name: string; reason: string };
export type FileTally = { file: string; passed: number; failures: Failure[]; skips: Skip[]; seconds: number };

export type Tally = { finished: FileTally[]; running: FileTally[]; besides: Failure[] };

export function emptyTally(): Tally {
  return { finished: [], running: [], besides: [] };
}

export function startFile(tally: Tally, file: string): FileTally {
  const started: FileTally = { file, passed: 0, failures: [], skips: [], seconds: 0 };
  tally.running.push(started);
  return started;
}

/** Counts a finished test or suite of a file. Answers the failure, if it is one. */
export function countTest(file: FileTally, data: EventData.TestComplete): Failure | undefined {
  if (data.skip !== undefined || data.todo !== undefined) {
    file.skips.push({ file: file.file, name: data.name, reason: reasonOf(data) });
    return undefined;
  }
  const { passed, type, error } = data.details;
  if (passed) {
    if (type !== 'suite') file.passed += 1;
    return undefined;
  }
  if ((error as { failureType?: string } | undefined)?.failureType === 'subtestsFailed') return undefined;
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return failFile(file, cause, data.name, data.line);
}

/** Closes a file. `trouble` is what its process shows and none of its tests does, or null. Answers the failure of the file itself. */
export function finishFile(
  tally: Tally,
  file: FileTally,
  seconds: number,
  trouble: string | null,
): Failure | undefined {
  file.seconds = seconds;
  tally.running = tally.running.filter((other) => other !== file);
  tally.finished.push(file);
  if (trouble !== null) return failFile(file, trouble);
  if (file.passed + file.skips.length + file.failures.length === 0) return failFile(file, 'there is no test in it');
  return undefined;
}

function failFile(file: FileTally, error: unknown, name = 'the file itself', line?: number): Failure {
  const failure = { file: file.file, name, line, error };
  file.failures.push(failure);
  return failure;
}

function reasonOf({ skip, todo }: EventData.TestComplete): string {
  if (typeof skip === 'string' && skip !== '') return skip;
  return todo === undefined ? 'no reason given' : 'unfinished';
}

const filesOf = (tally: Tally) => [...tally.finished, ...tally.running];

export const passedOf = (tally: Tally): number => filesOf(tally).reduce((sum, file) => sum + file.passed, 0);

export const skipsOf = (tally: Tally): Skip[] => filesOf(tally).flatMap((file) => file.skips);

export const failuresOf = (tally: Tally): Failure[] => [
  ...tally.besides,
  ...filesOf(tally).flatMap((file) => file.failures),
];

/** The line that closes a run, alone on its line: others read it. */
export function closingLine(tally: Tally): string {
  return `${passedOf(tally)} passed, ${failuresOf(tally).length} failed, ${skipsOf(tally).length} skipped`;
}
