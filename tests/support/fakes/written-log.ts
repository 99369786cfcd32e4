// One partition of `sds.quotes.v1` in memory, written with the topic's own schema. The test chooses offsets, times and
// deletions.

import { nilUuid } from '../../../core/games/uuid.ts';
import { type Broker, type DeliveredRecord, OffsetOutOfRange } from '../../../core/ports/broker.ts';
import { blankRecord } from '../../../core/quotes/blank-record.ts';
import type { Micros } from '../../../core/units.ts';
import { openCodec } from '../../../platform/avro/codec.ts';
import { eventSchema } from '../../../platform/avro/event-schemas.ts';
import { topics } from '../../../schemas/events/topics.ts';

const schema = eventSchema(topics.quotes);
const codec = openCodec(schema);

export const writtenSchemaId = 7;

export class WrittenLog implements Pick<Broker, 'watermarks' | 'offsetAt' | 'read' | 'writerSchema'> {
  readonly records: DeliveredRecord[] = [];
  low = 0;
  high = 0;
  /** The offsets of all reads. */
  readonly reads: number[] = [];

  /** Appends a tick of that time. `skipped`: how many offsets before it have no record. */
  append(timestamp: Micros, skipped = 0): DeliveredRecord {
    const game = { uuid: nilUuid, gameId: '', league: '' };
    const value = { ...blankRecord(game, 'service', timestamp), tick: { at: timestamp } };
    const bytes = codec.encode(writtenSchemaId, value);
    const decoded = codec.decoderFrom(schema)(bytes).value;
    return this.#add(
      { key: nilUuid, headers: { source: 'service' }, bytes, value: decoded, undecodable: null },
      timestamp,
      skipped,
    );
  }

  /** A record that cannot be decoded. */
  appendBad(timestamp: Micros, bytes: Uint8Array): DeliveredRecord {
    return this.#add(
      { key: null, headers: {}, bytes, value: null, undecodable: 'no schema has the id 9' },
      timestamp,
      0,
    );
  }

  #add(record: Omit<DeliveredRecord, 'offset' | 'timestamp'>, timestamp: Micros, skipped: number): DeliveredRecord {
    const added = { ...record, offset: this.high + skipped, timestamp };
    this.records.push(added);
    this.high = added.offset + 1;
    return added;
  }

  /** Deletes the records below `offset`. */
  delete(offset: number): void {
    this.low = offset;
  }

  async watermarks(topic: string) {
    return topic === topics.quotes ? [{ partition: 0, low: this.low, high: this.high }] : [];
  }

  async offsetAt(_topic: string, _partition: number, time: Micros) {
    return this.records.find(({ offset, timestamp }) => offset >= this.low && timestamp >= time)?.offset ?? this.high;
  }

  async *read(topic: string, partition: number, from: number, to: number) {
    if (from < this.low) throw new OffsetOutOfRange(partition, from);
    this.reads.push(from);
    for (const record of this.records)
      if (record.offset >= from && record.offset < to)
        yield { topic, partition, records: [record], highWatermark: this.high };
  }

  async writerSchema(id: number) {
    return id === writtenSchemaId ? schema : null;
  }
}
