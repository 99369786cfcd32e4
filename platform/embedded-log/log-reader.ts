// Reads rows of the log as batches of delivered records.
import type { DeliveredBatch, DeliveredRecord } from '../../core/ports/broker.ts';
import { OffsetOutOfRange } from '../../core/ports/broker.ts';
import type { Decoded } from '../avro/codec.ts';
import type { WriterSchemas } from '../avro/writer-schemas.ts';
import type { Sql } from '../postgres/sql.ts';
import { unframeBatch } from './batch-frame.ts';
import { readBatches, type StoredBatch } from './log-table.ts';
import type { RecentRows } from './recent-rows.ts';

export type ReadTopic = { id: number; name: string; schemas: WriterSchemas; recent: RecentRows };

type ReadBatch = (
  sql: Sql,
  topic: ReadTopic,
  partition: number,
  offset: number,
  signal: AbortSignal,
) => Promise<DeliveredBatch>;

/**
 * The records of the partition from `offset`, as many as one read returns; none if there are none yet.
 * @throws OffsetOutOfRange when the log no longer or not yet holds the offset.
 */
export const readBatch: ReadBatch = async (sql, topic, partition, offset, signal) => {
  const { low, high, batches } = await readBatches(sql, topic.id, partition, offset);
  if (offset < low || offset > high) throw new OffsetOutOfRange(partition, offset);
  return batchOf(topic, partition, { offset, high, rows: batches }, signal);
};

/**
 * `readBatch` for a reader that has come to `offset`, and has not heard of other processes since its last read: without the database, if
 * this process has appended the record.
 */
export const readOn: ReadBatch = (sql, topic, partition, offset, signal) => {
  const recent = topic.recent.from(partition, offset);
  if (recent === null) return readBatch(sql, topic, partition, offset, signal);
  return batchOf(topic, partition, { offset, high: recent.end, rows: recent.rows }, signal);
};

async function batchOf(
  { name, schemas }: ReadTopic,
  partition: number,
  { offset, high, rows }: { offset: number; high: number; rows: readonly StoredBatch[] },
  signal: AbortSignal,
): Promise<DeliveredBatch> {
  const stored = rows.flatMap((row) => recordsOf(row, offset));
  const values = await schemas.decodeAll(
    stored.map((record) => record.bytes),
    signal,
  );
  const records = stored.map((record, index): DeliveredRecord => {
    return { ...record, ...(values[index] as Decoded) };
  });
  return { topic: name, partition, records, highWatermark: high };
}

function recordsOf(batch: StoredBatch, from: number) {
  const records = unframeBatch(batch.bytes).map((record, index) => ({
    offset: batch.firstOffset + index,
    timestamp: batch.at,
    key: record.key,
    headers: record.headers,
    bytes: record.value,
  }));
  return batch.firstOffset < from ? records.slice(from - batch.firstOffset) : records;
}

/** The offset after the batch's last record. */
export function offsetAfter(batch: DeliveredBatch, otherwise: number): number {
  const last = batch.records.at(-1);
  return last === undefined ? otherwise : last.offset + 1;
}
