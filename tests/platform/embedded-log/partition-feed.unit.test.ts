// How often a feed asks the database: each statement is a round trip of every push.
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, it, vi } from 'vitest';
import type { DeliveredBatch } from '../../../core/ports/broker.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { frameBatch } from '../../../platform/embedded-log/batch-frame.ts';
import { openNotices } from '../../../platform/embedded-log/notices.ts';
import { feedPartition } from '../../../platform/embedded-log/partition-feed.ts';
import { RecentRows } from '../../../platform/embedded-log/recent-rows.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';

const topicId = 7;

const recordsOf = (batches: readonly DeliveredBatch[]): number =>
  batches.reduce((sum, { records }) => sum + records.length, 0);

/** A log of one partition, a record a row, and the feed that reads it. `reads`: the offsets that it asked for. */
async function openFed() {
  const batches: DeliveredBatch[] = [];
  const reads: number[] = [];
  const recent = new RecentRows();
  let appended = 0;
  let ring = (_payload: string): void => {};
  const bytes = frameBatch([{ key: 'game', headers: {}, value: Buffer.from('record') }]);
  const sql: Pick<Sql, 'query' | 'listen'> = {
    async query(_text, values = []) {
      const from = Number(values[2]);
      reads.push(from);
      const bounds = { low: 0, high: appended };
      if (from >= appended) return { rows: [{ ...bounds, bytes: null }], rowCount: 1 };
      return { rows: [{ ...bounds, first_offset: from, records: 1, at: 0, bytes }], rowCount: 1 };
    },
    async listen(_channel, onNotice) {
      ring = onNotice;
      return async () => {};
    },
  };
  const schemas = { decodeAll: async (all: readonly Buffer[]) => all.map(() => ({ value: {}, undecodable: null })) };
  const handlers = {
    assigned: async () => 0,
    revoked() {},
    batch: async (batch: DeliveredBatch) => void batches.push(batch),
    failed: assert.fail,
  };
  const handled = async (): Promise<void> => {
    for (let turns = 0; recordsOf(batches) < appended; turns += 1) {
      assert.ok(turns < 1_000, 'what was appended is not handled');
      await turn();
    }
  };
  const notices = await openNotices(sql as Sql, 'this process');
  const tools = { sql: sql as Sql, notices, log: silentLog, handlers };
  const stop = new AbortController();
  const topic = { id: topicId, name: 'topic', schemas: schemas as never, recent };
  const ended = feedPartition(tools, topic, 0, stop.signal);
  return {
    reads,
    /** This process appends so many rows; resolves once their records are handled. */
    async appendHere(rows: number): Promise<void> {
      for (let row = 0; row < rows; row += 1) {
        recent.add(0, { firstOffset: appended, records: 1, at: 0, bytes });
        appended += 1;
      }
      ring(`${topicId}:0,this process`);
      await turn();
      assert.ok(recordsOf(batches) < appended, 'the notice of its own append is ignored: the rows may not be kept yet');
      notices.appended(topicId, [0]);
      await handled();
    },
    /** Another process appends so many records; resolves once they are handled. */
    async append(records: number): Promise<void> {
      appended += records;
      ring(`${topicId}:0,another process`);
      await handled();
    },
    /** This process appends a row and another process the next, before the feed wakes up; resolves once both records are handled. */
    async appendBoth(): Promise<void> {
      recent.add(0, { firstOffset: appended, records: 1, at: 0, bytes });
      appended += 2;
      notices.appended(topicId, [0]);
      ring(`${topicId}:0,another process`);
      await handled();
    },
    async end(): Promise<void> {
      stop.abort();
      await ended;
    },
  };
}

// A feed also asks once a second, however long a test takes.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

it('asks once for what is appended, and not again until more is', async () => {
  const { reads, append, end } = await openFed();
  while (reads.length === 0) await turn();
  await append(1);
  await append(1);
  await append(3);
  await turn();
  assert.deepEqual(reads, [0, 0, 1, 2, 3, 4]);
  await end();
});

it('asks nothing for what this process has appended, and goes on behind what another has', async () => {
  const { reads, append, appendHere, end } = await openFed();
  while (reads.length === 0) await turn();
  await appendHere(1);
  await appendHere(3);
  assert.deepEqual(reads, [0]);
  await append(1);
  assert.deepEqual(reads, [0, 4]);
  await appendHere(2);
  await turn();
  assert.deepEqual(reads, [0, 4]);
  await end();
});

it('asks the database at once where another process appends behind what this one has just appended', async () => {
  const { reads, appendBoth, end } = await openFed();
  while (reads.length === 0) await turn();
  await appendBoth();
  assert.deepEqual(reads, [0, 0, 1]);
  await end();
});
