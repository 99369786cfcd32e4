// Where the column chunks of a row group are and what they contain, according to the footer.
import type { RowGroup } from '../../core/parquet/row-group.ts';
import {
  fieldOf,
  findField,
  integerOf,
  ParquetFormatError,
  ThriftReader,
  thriftType,
} from '../../core/parquet/thrift-reader.ts';
import { zstdCodec } from './pages.ts';

/** A chunk's pages are `[start, end)` of its file and have `entries` level entries. */
export type ChunkPlace = {
  readonly physical: number;
  readonly entries: number;
  readonly start: number;
  readonly end: number;
};

/** The chunks of `group`, one per column. Throws ParquetFormatError if this service did not write them. */
export function chunkPlaces(group: RowGroup): ChunkPlace[] {
  const bytes = group.thrift;
  const list = fieldOf(new ThriftReader(bytes, 0, bytes.length).struct(), 1, thriftType.list);
  const reader = new ThriftReader(bytes, list.start, list.end);
  const { size } = reader.listHeader();
  return Array.from({ length: size }, () => {
    const metadata = fieldOf(reader.struct(), 3, thriftType.struct);
    return placeOf(bytes, new ThriftReader(bytes, metadata.start, metadata.end).struct());
  });
}

function placeOf(bytes: Uint8Array, fields: ReturnType<ThriftReader['struct']>): ChunkPlace {
  const i32 = (id: number) => integerOf(bytes, fieldOf(fields, id, thriftType.i32));
  const i64 = (id: number) => integerOf(bytes, fieldOf(fields, id, thriftType.i64));
  if (i32(4) !== zstdCodec)
    throw new ParquetFormatError('a column uses a compression that this service does not write');
  const dictionary = findField(fields, 11);
  const start = dictionary ? integerOf(bytes, dictionary) : i64(9);
  return { physical: i32(1), entries: i64(5), start, end: start + i64(7) };
}
