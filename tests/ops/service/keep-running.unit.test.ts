// A runner that is fenced in the embedded edition is replaced by a new one. A violation is a projector that stands still while the service
// serves on, or one that goes on writing behind the end of its service.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { keepRunning } from '../../../ops/service/keep-running.ts';
import { Fenced } from '../../../projectors/worker/partition-tools.ts';

/** Runners that record what happens to them; each start waits until it is `admit`ted. */
function recordedRunners() {
  const happened: string[] = [];
  const endings: ((error: Error) => void)[] = [];
  const admissions: (() => void)[] = [];
  const start = async () => {
    const number = admissions.length + 1;
    await new Promise<void>((resolve) => admissions.push(resolve));
    happened.push(`start ${number}`);
    const { promise: ended, resolve } = Promise.withResolvers<Error>();
    endings.push(resolve);
    return { ended, stop: async () => void happened.push(`stop ${number}`) };
  };
  const starts = async (number: number): Promise<void> => {
    while (admissions.length < number) await new Promise(setImmediate);
  };
  return {
    happened,
    start,
    starts,
    async admit(number: number) {
      await starts(number);
      admissions[number - 1]?.();
      while (endings.length < number) await new Promise(setImmediate);
    },
    end: (number: number, error: Error) => endings[number - 1]?.(error),
  };
}

const fence = new Fenced('another owner has the partition');

async function kept(edition: 'embedded' | 'distributed') {
  const runners = recordedRunners();
  const ends: string[] = [];
  const keeping = keepRunning(runners.start, { edition, log: silentLog, end: ({ message }) => ends.push(message) });
  await runners.admit(1);
  return { ...runners, ends, stop: await keeping };
}

it('a fenced runner is stopped, then replaced, as often as it is fenced', async () => {
  const { happened, ends, admit, end, stop } = await kept('embedded');
  end(1, fence);
  await admit(2);
  end(2, fence);
  await admit(3);
  await stop();
  assert.deepEqual(happened, ['start 1', 'stop 1', 'start 2', 'stop 2', 'start 3', 'stop 3']);
  assert.deepEqual(ends, []);
});

it('a stop in the middle of a restart stops the runner that the restart brings', async () => {
  const { happened, ends, starts, admit, end, stop } = await kept('embedded');
  end(1, fence);
  await starts(2);
  const stopped = stop();
  await admit(2);
  await stopped;
  assert.deepEqual(happened, ['start 1', 'stop 1', 'start 2', 'stop 2']);
  assert.deepEqual(ends, []);
});

it.for([
  ['embedded', new Error('the log is gone')],
  ['distributed', fence],
] as const)('in the edition %s the service ends after: %s', async ([edition, error]) => {
  const { happened, ends, end, stop } = await kept(edition);
  end(1, error);
  while (ends.length === 0) await new Promise(setImmediate);
  await stop();
  assert.deepEqual(happened, ['start 1', 'stop 1']);
  assert.deepEqual(ends, [error.message]);
});

it('a restart that fails ends the service', async () => {
  const runners = recordedRunners();
  const ends: string[] = [];
  let starts = 0;
  const start = async () => {
    starts += 1;
    if (starts > 1) throw new Error('no broker');
    return runners.start();
  };
  const keeping = keepRunning(start, { edition: 'embedded', log: silentLog, end: ({ message }) => ends.push(message) });
  await runners.admit(1);
  const stop = await keeping;
  runners.end(1, fence);
  while (ends.length === 0) await new Promise(setImmediate);
  await stop();
  assert.deepEqual(runners.happened, ['start 1', 'stop 1']);
  assert.deepEqual(ends, ['no broker']);
});
