// The log in a backup: what the archive lacks is added to it, and a restore fills every offset from the first on. Both say how far they are, and
// a restore can be interrupted in the middle of a partition.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { RawRecord } from '../../../core/ports/raw-archive.ts';
import { heldLog, keepLog, refillLog } from '../../../ops/backup/distributed-log.ts';
import type { FilledPartition, TopicRefill } from '../../../platform/kafka/topic-refill.ts';
import { openRawArchive } from '../../../platform/raw-archive/raw-archive.ts';
import { archiveRange } from '../../../projectors/jobs/archive-range.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { heardProgress } from '../../support/fakes/heard-progress.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { WrittenLog } from '../../support/fakes/written-log.ts';

const never = new AbortController().signal;

/** A log from offset 3 to 13, of which the archive has the records before 6. */
async function world() {
  const log = new WrittenLog();
  for (let minute = 0; minute < 10; minute += 1)
    log.append(Date.parse('2026-01-09T10:00:00Z') * 1_000 + minute, minute === 8 ? 3 : 0);
  log.delete(3);
  const objects = openMemoryStore();
  const archive = openRawArchive(objects);
  const held = await heldLog(log);
  assert.deepEqual(held, [{ topic: topics.quotes, partition: 0, low: 3, high: 13 }]);
  const tools = { broker: log, archive, mayContinue: async () => true };
  await archiveRange(tools, topics.quotes, { partition: 0, low: 3, high: 13 }, 6);
  log.reads.length = 0;
  return { log, objects, held };
}

/** Appends each record at its offset, and says so. */
function memoryRefill(onAppend = (_: number) => {}): TopicRefill {
  const unasked = async (): Promise<never> => assert.fail('not asked');
  return {
    present: unasked,
    register: async () => new Map(),
    create: async () => {},
    async fill(
      _topic: string,
      { low, high }: FilledPartition,
      records: AsyncIterable<readonly RawRecord[]>,
      _,
      reached,
    ) {
      reached(low);
      let count = 0;
      for await (const batch of records)
        for (const { offset } of batch) {
          onAppend(offset);
          reached(offset + 1);
          count += 1;
        }
      reached(high);
      return count;
    },
    finish: async () => {},
    close: async () => {},
  };
}

describe('the log in a backup', () => {
  it('gets the records that the archive lacks, and says how many', async () => {
    const { log, objects, held } = await world();
    const { open, heard } = heardProgress();
    await keepLog(log, objects, held, never, open);
    assert.deepEqual([log.reads, heard], [[6], ['7 of 7 records']]);
  });

  it('is filled again, and says how many offsets are', async () => {
    const { log, objects, held } = await world();
    await keepLog(log, objects, held, never);
    const { open, heard } = heardProgress();
    assert.equal(await refillLog(memoryRefill(), objects, held, never, open), 7);
    assert.deepEqual(heard, ['13 of 13 offsets']);
  });

  it('ends in the middle of a partition once it is interrupted', async () => {
    const { log, objects, held } = await world();
    await keepLog(log, objects, held, never);
    const interruption = new AbortController();
    const { open, heard } = heardProgress();
    const refill = memoryRefill((offset) => offset === 4 && interruption.abort());
    await assert.rejects(refillLog(refill, objects, held, interruption.signal, open), /aborted/);
    assert.deepEqual(heard, ['4 of 13 offsets']);
  });
});
