// Converts Kafka's messages to the port's records.
import type kafkajs from 'kafkajs';
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { Decoded } from '../avro/codec.ts';
import { uninflatedHeader } from './uninflated-records.ts';

const noBytes = new Uint8Array();

export function deliveredRecord(message: kafkajs.KafkaMessage, decoded: Decoded): DeliveredRecord {
  const headers = textHeaders(message.headers);
  const reason = headers[uninflatedHeader];
  const seen = reason === undefined ? decoded : { value: null, undecodable: `not inflated: ${reason}` };
  return {
    offset: Number(message.offset),
    // Kafka's timestamps are in milliseconds.
    timestamp: Number(message.timestamp) * 1_000,
    key: message.key === null ? null : message.key.toString('utf8'),
    headers,
    value: seen.value,
    bytes: message.value ?? noBytes,
    undecodable: seen.undecodable,
    ...('mayDecodeLater' in seen ? { mayDecodeLater: true } : {}),
  };
}

function textHeaders(headers: kafkajs.IHeaders | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value ?? '')]));
}
