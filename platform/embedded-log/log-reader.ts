// Reads rows of the log as batches of delivered records.
import type { DeliveredBatch, DeliveredRecord } from '../../core/ports/broker.ts';
import { OffsetOutOfRange } from '../../core/ports/broker.ts';
import type { WriterSchemas } from '../avro/writer-schemas.ts';
import type { Sql } from '../postgres/sql.ts';
import { unframeBatch } from './batch-frame.ts';
import { readBatches, type StoredBatch } from './log-table.ts';

export type ReadTopic = { id: number; name: string; schemas: WriterSchemas };

/**
 * The records of the partition from `offset`, as many as one read returns; none if there are none yet.
 * @throws OffsetOutOfRange when the log no longer or not yet holds the offset.
 */
export async function readBatch(
  sql: Sql,
  topic: ReadTopic,
  partition: number,
  offset: number,
  signal: AbortSignal,
): Promise<DeliveredBatch> {
  const { low, high, batches } = await readBatches(sql, topic.id, partition, offset);
  if (offset < low || offset > high) throw new OffsetOutOfRange(partition, offset);
  const stored = batches.flatMap((batch) => recordsOf(batch, offset));
  const values = await topic.schemas.decodeAll(
    stored.map((record) => record.bytes),
    signal,
  );
  const records = stored.map((record, index): DeliveredRecord => {
    return { ...record, ...(values[index] as { value: unknown; undecodable: string | null }) };
  });
  return { topic: topic.name, partition, records, highWatermark: high };
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
