// A record made by the oracle's generator, in the form in which a broker delivers it.
import type { DeliveredRecord } from '../../../core/ports/broker.ts';
import type { TopicRecord } from '../../oracle/records.ts';

export function deliveredRecord(record: TopicRecord): DeliveredRecord {
  return {
    offset: Number(record.offset),
    timestamp: Number(record.timestamp),
    key: record.key ?? record.value.game_uuid,
    headers: {},
    value: record.value,
    bytes: Buffer.from(JSON.stringify(record.value, (_, one) => (typeof one === 'bigint' ? Number(one) : one))),
    undecodable: null,
  };
}
