// Runs test files by Node's own runner, a process each, and tells of them as they go. What a file writes to standard output (figures,
// seeds) is shown; what it writes to standard error is kept for the case that its process fails.
import { resolve } from 'node:path';
import { run } from 'node:test';
import type { Phase } from './plan.ts';
import type { Screen } from './screen.ts';
import { countTest, finishFile, startFile, type Tally } from './tally.ts';

export type RunOptions = { root: string; tally: Tally; screen: Screen; fileTimeoutMs: number };

const quiet = ['--disable-warning=TimeoutNegativeWarning', '--disable-warning=ExperimentalWarning'];
const execArgv = [`--import=${new URL('./seed.ts', import.meta.url).href}`, ...quiet];
/** Files that run the API or the gateway in their own process, with prototypes that nothing can be put into (SECURITY.md, S18). */
const frozen = {
  files: /\/tests\/(?:api|http|ingest\/(?:documents|gateway))\/.*\.e2e\.test\.ts$/,
  execArgv: [`--import=${new URL('../processes/frozen-prototypes.ts', import.meta.url).href}`, ...execArgv],
};

/** Runs the files of a phase, as many at once as the phase allows. */
export async function runPhase(phase: Phase, options: RunOptions): Promise<void> {
  const waiting = [...phase.files];
  const worker = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) await runFile(file, options);
  };
  await Promise.all(Array.from({ length: phase.concurrency }, worker));
}

async function runFile(name: string, { root, tally, screen, fileTimeoutMs }: RunOptions): Promise<void> {
  const path = resolve(root, name);
  const argv = frozen.files.test(path) ? frozen.execArgv : execArgv;
  const file = startFile(tally, name);
  const startedAt = performance.now();
  const tooLong = AbortSignal.timeout(fileTimeoutMs);
  let ended = true;
  let said = '';
  for await (const { type, data } of run({ cwd: root, files: [path], execArgv: argv, signal: tooLong })) {
    if (type === 'test:complete') {
      // The last completion is the file's own: whether its process ended well.
      if (data.name === path) ended = data.details.passed;
      else {
        const failure = countTest(file, data);
        if (failure !== undefined) screen.failure(failure);
      }
    } else if (type === 'test:stdout') screen.say(data.message.trimEnd());
    else if (type === 'test:stderr') said += data.message;
    else if (type === 'test:diagnostic' && data.file !== undefined) screen.say(`  ${name}: ${data.message}`);
  }
  const failure = finishFile(tally, file, (performance.now() - startedAt) / 1000, troubleOf());
  if (failure !== undefined) screen.failure(failure);
  screen.file(file);

  function troubleOf(): string | null {
    if (tooLong.aborted) return `ended after ${fileTimeoutMs / 60_000} minutes\n${said}`;
    return ended || file.failures.length > 0 ? null : `its process failed\n${said}`;
  }
}
