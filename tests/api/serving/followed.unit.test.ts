// A record that is watched and never becomes what was announced, as after the catalog was restored from a backup.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { openFollowed } from '../../../api/serving/followed.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { systemClock } from '../../../platform/process/clock.ts';

it('is read with pauses, never in a tight loop', async () => {
  let reads = 0;
  let moved: (name: string, version: number) => void = () => {};
  const followed = openFollowed<{ version: number }, number, number>({
    subject: 'a record',
    async read() {
      await new Promise((resolve) => setImmediate(resolve));
      // Counted at its end, which the watcher hears of before anything else runs.
      reads += 1;
      return 5;
    },
    take: (_name, held, version) => held ?? { version },
    lacks: ({ version }, announced) => announced > version,
    isNewer: (a, b) => a > b,
    watch: async (notices) => {
      moved = notices.moved;
      return async () => {};
    },
    clock: systemClock,
    log: silentLog,
    maxAge: 5_000_000,
    most: 10,
  });
  let calls = 0;
  const stop = followed.watch('one', () => {
    calls += 1;
  });
  moved('one', 10);
  // A loop without pauses would have read thousands of times by then.
  await new Promise((resolve) => setTimeout(resolve, 600));
  stop();
  await followed.close();
  assert.ok(reads >= 2 && reads <= 6, `${reads} reads`);
  assert.equal(calls, reads, 'the watcher hears of each');
});
