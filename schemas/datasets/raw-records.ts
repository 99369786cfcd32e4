// The records of a topic as the log has them: the files of the raw archive (docs/durability.md#the-raw-archive). Not a dataset of the API.
import { type Dataset, int64, optional, type RowOf, required, ts, utf8 } from './column.ts';

export const rawRecords = {
  name: 'raw-records',
  kind: 'per_game',
  description: 'Records of one partition of a topic, as the log holds them.',
  schemaVersion: 'v1',
  columns: [
    required('offset', int64, 'Place of the record in its partition.'),
    required('timestamp', ts, 'When the log appended it.'),
    optional('key', utf8, 'Key of the record.'),
    required('headers', utf8, 'Headers of the record, as a JSON object.'),
    required(
      'value',
      utf8,
      'Bytes of the record in base64: a zero byte, the number of the schema in four bytes, the Avro value.',
    ),
    optional('undecodable', utf8, 'Why the log could not decode the bytes; null where it could.'),
  ],
  primaryKey: ['offset'],
  sortOrder: ['offset'],
  live: false,
  metered: false,
} as const satisfies Dataset;

export type RawRow = RowOf<typeof rawRecords>;
