// Reads what a partition's log still holds, outside its consumer group, for orders to rebuild something from the records. Knows which records such
// an order needs, and waits while the broker does not answer.
import type { Broker, DeliveredBatch, DeliveredRecord } from '../../core/ports/broker.ts';
import { type Micros, microsPerMinute } from '../../core/units.ts';
import { type Patience, untilBrokerAnswers } from './patience.ts';
import type { RunTask } from './time-slices.ts';

export type LogReader = Pick<Broker, 'watermarks' | 'offsetAt' | 'read'>;

/** How far the catalog's clock, which dates a game's founding, may be ahead of the broker's. */
export const clockSlack: Micros = microsPerMinute;

/** The log behind an order, as the projector that carries it out reads it. */
export type KeptLog = {
  /**
   * The records of the partition up to and including the order that were appended at `time` or later (null: unknown, so all records). Null
   * if the log may have lost some of them.
   */
  since(time: Micros | null): Promise<AsyncIterable<readonly DeliveredRecord[]> | null>;
  runTask: RunTask;
  /** What the catalog answers to `call`, however long that takes. */
  ask<Answer>(call: () => Promise<Answer>): Promise<Answer>;
};

/**
 * An offset from which the partition holds every record that was appended at `time` or later; null if some of them may be deleted. A log
 * deletes from its beginning, so if it holds an older record, it holds all of these.
 */
export async function wholeSince(
  log: Pick<LogReader, 'watermarks' | 'offsetAt'>,
  topic: string,
  partition: number,
  time: Micros | null,
): Promise<number | null> {
  const low = (await log.watermarks(topic)).find((each) => each.partition === partition)?.low;
  if (low === undefined) return null;
  if (time === null) return low === 0 ? 0 : null;
  const from = await log.offsetAt(topic, partition, time - clockSlack);
  return low === 0 || from > low ? from : null;
}

/**
 * The records [from, to) of a partition, batch by batch; the next batch is read while the caller works on one.
 * @throws OffsetOutOfRange where some of them are deleted
 */
export async function* keptRecords(
  tools: Patience,
  log: Pick<LogReader, 'read'>,
  topic: string,
  partition: number,
  from: number,
  to: number,
): AsyncGenerator<readonly DeliveredRecord[]> {
  if (from >= to) return;
  let next = from;
  let reading: AsyncIterator<DeliveredBatch> | null = null;
  const left = new AbortController();
  const givenUp = tools.givenUp === undefined ? left.signal : AbortSignal.any([tools.givenUp, left.signal]);
  const nextBatch = () => {
    const batch = untilBrokerAnswers({ ...tools, givenUp }, async () => {
      reading ??= log.read(topic, partition, next, to)[Symbol.asyncIterator]();
      try {
        return await reading.next();
      } catch (error) {
        reading = null;
        throw error;
      }
    });
    // Awaited once the caller is done with the batch before; a failure may come sooner.
    batch.catch(() => {});
    return batch;
  };
  let ahead = nextBatch();
  try {
    while (next < to) {
      const { done, value } = await ahead;
      if (done === true) return;
      next = (value.records.at(-1)?.offset ?? next - 1) + 1;
      if (next < to) ahead = nextBatch();
      yield value.records;
    }
  } finally {
    left.abort();
    await (reading as AsyncIterator<DeliveredBatch> | null)?.return?.();
  }
}
