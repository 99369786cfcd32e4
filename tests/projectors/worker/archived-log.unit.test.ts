// Records deleted from the log are read from the raw archive.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { BrokerUnavailable, OffsetOutOfRange } from '../../../core/ports/broker.ts';
import { RawFileDamaged } from '../../../core/ports/raw-archive.ts';
import { openRawArchive } from '../../../platform/raw-archive/raw-archive.ts';
import { archiveRange } from '../../../projectors/jobs/archive-range.ts';
import { archivedLog } from '../../../projectors/worker/archived-log.ts';
import { type LogReader, wholeSince } from '../../../projectors/worker/kept-log.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { WrittenLog } from '../../support/fakes/written-log.ts';

const hour = (count: number): number => Date.parse('2026-01-09T00:00:00Z') * 1_000 + count * 3_600_000_000;

/** A record an hour for two days: archived up to `archived`, deleted below `low`. */
async function world(archived: number, low: number) {
  const log = new WrittenLog();
  for (let count = 0; count < 48; count += 1) log.append(hour(count));
  const objects = openMemoryStore();
  const archive = openRawArchive(objects);
  const tools = { broker: log, archive, mayContinue: async () => true };
  await archiveRange(tools, topics.quotes, { partition: 0, low: 0, high: log.high }, archived);
  log.delete(low);
  return { log, objects, archive, whole: archivedLog(log, archive) };
}

async function offsetsOf(log: LogReader, from: number, to: number): Promise<number[]> {
  const offsets: number[] = [];
  for await (const { records } of log.read(topics.quotes, 0, from, to)) {
    for (const { offset, value, undecodable } of records) {
      assert.deepEqual([undecodable, value !== null], [null, true]);
      offsets.push(offset);
    }
  }
  return offsets;
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('the log with its raw archive', () => {
  it('begins where the archive does, and is read from the log where it holds the records', async () => {
    const { log, whole } = await world(40, 30);
    assert.deepEqual(await whole.watermarks(topics.quotes), [{ partition: 0, low: 0, high: 48 }]);
    log.reads.length = 0;
    assert.deepEqual(await offsetsOf(whole, 5, 45), numbers(5, 45));
    assert.deepEqual(log.reads, [30]);
    assert.deepEqual(await offsetsOf(whole, 3, 20), numbers(3, 20));
    assert.deepEqual(await offsetsOf(whole, 31, 33), numbers(31, 33));
    assert.deepEqual(log.reads, [30, 31]);
  });

  it('finds the offset of a time in either', async () => {
    const { whole } = await world(40, 30);
    for (const at of [0, 7, 24, 29, 30, 31, 47]) assert.equal(await whole.offsetAt(topics.quotes, 0, hour(at)), at);
    assert.equal(await whole.offsetAt(topics.quotes, 0, hour(23) + 1), 24);
    assert.equal(await wholeSince(whole, topics.quotes, 0, hour(10)), 10);
    assert.equal(await wholeSince(whole, topics.quotes, 0, null), 0, 'nothing is missing');
  });

  it('is the log alone where the archive does not reach up to it', async () => {
    const { log, whole } = await world(20, 30);
    assert.deepEqual(await whole.watermarks(topics.quotes), [{ partition: 0, low: 30, high: 48 }]);
    assert.equal(await wholeSince(whole, topics.quotes, 0, hour(10)), null);
    await assert.rejects(offsetsOf(whole, 10, 40), OffsetOutOfRange);
    assert.deepEqual(await offsetsOf(whole, 30, 33), numbers(30, 33));
    assert.equal(await whole.offsetAt('sds.publications.v1', 0, hour(40)), await log.offsetAt('', 0, hour(40)));
  });

  it('has each record once where two processes archived the same ones', async () => {
    const { log, archive, objects } = await world(40, 0);
    const [first] = await archive.files(topics.quotes, 0);
    assert.ok(first !== undefined);
    const { records, schemas } = await archive.read(first);
    await archive.write({ ...first, from: 3, to: 9 }, { records: records.slice(3, 9), schemas, previous: null });
    log.delete(30);
    assert.deepEqual(await offsetsOf(archivedLog(log, openRawArchive(objects)), 0, 40), numbers(0, 40));
  });

  it('waits for an object store that is away, and not for a file that is damaged', async () => {
    const { log, objects, archive } = await world(40, 30);
    const away = openRawArchive({ ...objects, get: () => Promise.reject(new Error('503')) });
    await assert.rejects(offsetsOf(archivedLog(log, away), 0, 40), BrokerUnavailable);
    const [first] = await archive.files(topics.quotes, 0);
    await objects.delete([first?.key ?? '']);
    const list = async function* () {
      yield { key: first?.key ?? '', size: 1, modifiedAt: 0 };
      yield* objects.list('raw-archive/');
    };
    await assert.rejects(offsetsOf(archivedLog(log, openRawArchive({ ...objects, list })), 0, 40), RawFileDamaged);
  });
});
