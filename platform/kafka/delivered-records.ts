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

/** If a name occurs several times, the last one counts. */
function textHeaders(headers: kafkajs.IHeaders | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => {
      const last = Array.isArray(value) ? value.at(-1) : value;
      return [name, last?.toString('utf8') ?? ''];
    }),
  );
}
