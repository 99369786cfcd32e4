// How often a feed asks the database: each statement is a round trip of every push.
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { it, vi } from 'vitest';
import type { DeliveredBatch } from '../../../core/ports/broker.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { frameBatch } from '../../../platform/embedded-log/batch-frame.ts';
import { openNotices } from '../../../platform/embedded-log/notices.ts';
import { feedPartition } from '../../../platform/embedded-log/partition-feed.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';

const topicId = 7;

/** A log of one partition, a record a row, and the feed that reads it. `reads`: the offsets that it asked for. */
async function openFed() {
  const batches: DeliveredBatch[] = [];
  const reads: number[] = [];
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
  const tools = { sql: sql as Sql, notices: await openNotices(sql as Sql), log: silentLog, handlers };
  const stop = new AbortController();
  const topic = { id: topicId, name: 'topic', schemas: schemas as never };
  const ended = feedPartition(tools, topic, 0, stop.signal);
  return {
    reads,
    /** Appends so many records; resolves once they are handled. */
    async append(records: number): Promise<void> {
      appended += records;
      ring(`${topicId}:0`);
      while (batches.length < appended) await turn();
    },
    async end(): Promise<void> {
      stop.abort();
      await ended;
    },
  };
}

it('asks once for what is appended, and not again until more is', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { reads, append, end } = await openFed();
    while (reads.length === 0) await turn();
    await append(1);
    await append(1);
    await append(3);
    await turn();
    assert.deepEqual(reads, [0, 0, 1, 2, 3, 4]);
    await end();
  } finally {
    vi.useRealTimers();
  }
});
