// The log in a backup: what the archive lacks is added to it, wherever that is, and a restore fills every offset from the first on or refuses.
// Both say how far they are, and a restore can be interrupted in the middle of a partition.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { RawRecord } from '../../../core/ports/raw-archive.ts';
import { heldLog, type KeptPartition, keepLog, refillLog } from '../../../ops/backup/distributed-log.ts';
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

/** A log of ten records, of which the archive has [0, 4), [4, 7) and [7, 9) and has lost the files of these places. */
async function worldThatLost(...places: readonly number[]) {
  const log = new WrittenLog();
  for (let minute = 0; minute < 10; minute += 1) log.append(Date.parse('2026-01-09T10:00:00Z') * 1_000 + minute);
  const objects = openMemoryStore();
  const archive = openRawArchive(objects);
  const [held] = await heldLog(log);
  assert.ok(held !== undefined);
  const tools = { broker: log, archive, mayContinue: async () => true };
  for (const to of [4, 7, 9]) await archiveRange(tools, held.topic, held, to);
  const files = await archive.files(held.topic, held.partition);
  await objects.delete(files.filter((_, place) => places.includes(place)).map(({ key }) => key));
  log.reads.length = 0;
  return { log, objects, held };
}

/** The offsets that a restore appends. */
async function restored(objects: Parameters<typeof refillLog>[1], held: readonly KeptPartition[]) {
  const appended: number[] = [];
  await refillLog(
    memoryRefill((offset) => appended.push(offset)),
    objects,
    held,
    never,
  );
  return appended;
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

  it('gets what the archive has lost from Kafka, at whatever place', async () => {
    const all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    for (const places of [[], [0], [1], [2], [0, 1], [0, 2], [0, 1, 2]]) {
      const { log, objects, held } = await worldThatLost(...places);
      const kept = await keepLog(log, objects, [held], never);
      assert.deepEqual(await restored(objects, kept), all, `lost ${places.join(', ')}`);
      assert.ok(!log.reads.includes(0) || places.includes(0), 'what the archive has is not read again');
    }
  });

  it('knows the offsets that hold no record, whichever file they are beside', async () => {
    const { log, objects, held } = await worldThatLost(1);
    log.records.splice(4, 3);
    log.records.pop();
    const kept = await keepLog(log, objects, [held], never);
    assert.deepEqual(kept, [
      {
        ...held,
        empty: [
          { from: 4, to: 7 },
          { from: 9, to: 10 },
        ],
      },
    ]);
    assert.deepEqual(await restored(objects, kept), [0, 1, 2, 3, 7, 8]);
  });

  it('is not backed up without records that neither the archive nor Kafka has', async () => {
    const { log, objects, held } = await worldThatLost(0);
    log.delete(2);
    await assert.rejects(
      keepLog(log, objects, [held], never),
      /sds\.quotes\.v1\/0: the raw archive lacks offsets 0 to 3, and Kafka has deleted some .* run it again/,
    );
  });

  it('is not restored without records that the backup has lost', async () => {
    for (const [place, offsets] of [
      [0, '0 to 3'],
      [1, '4 to 6'],
      [2, '7 to 8'],
    ] as const) {
      const { log, objects, held } = await worldThatLost();
      const kept = await keepLog(log, objects, [held], never);
      const file = (await openRawArchive(objects).files(held.topic, held.partition))[place];
      assert.ok(file !== undefined);
      await objects.delete([file.key]);
      await assert.rejects(restored(objects, kept), new RegExp(`lacks the records of offsets ${offsets}: put`));
    }
  });

  it('is restored from a backup of an earlier build, which says nothing of offsets without a record', async () => {
    const { log, objects, held } = await worldThatLost();
    log.records.pop();
    await keepLog(log, objects, [held], never);
    assert.deepEqual(await restored(objects, [held]), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
