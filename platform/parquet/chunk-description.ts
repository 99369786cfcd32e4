// The footer's description of one column chunk: Parquet's ColumnChunk and ColumnMetaData.
import { thriftType } from '../../core/parquet/thrift-reader.ts';
import type { ThriftWriter } from '../../core/parquet/thrift-writer.ts';
import { type ColumnLayout, physical } from './layout.ts';
import { encoding, type PageSize, zstdCodec } from './pages.ts';
import type { Bounds } from './statistics.ts';

export type ChunkFacts = {
  readonly size: PageSize;
  readonly valueEncoding: number;
  /** Level entries, including those without a value. */
  readonly entries: number;
  readonly nulls: number;
  /** Bytes of the dictionary page, which precedes the data page; 0 if there is none. */
  readonly dictionary: number;
  readonly bounds: Bounds<string | number>;
};

/** Writes the description of a chunk that begins at byte `start` of its file. */
export function describeChunk(footer: ThriftWriter, column: ColumnLayout, facts: ChunkFacts, start: number): void {
  const chunk = footer.begin();
  footer.i64(2, 0); // file_offset: deprecated, 0 is "unset"
  const metadata = footer.beginField(3);
  footer.i32(1, column.physical);
  writeEncodings(footer, facts);
  footer.field(3, thriftType.list);
  footer.listHeader(column.path.length, thriftType.binary);
  for (const part of column.path) {
    footer.sink.varint(part.length);
    footer.sink.raw(part);
  }
  footer.i32(4, zstdCodec);
  footer.i64(5, facts.entries);
  footer.i64(6, facts.size.uncompressed);
  footer.i64(7, facts.size.compressed);
  footer.i64(9, start + facts.dictionary);
  if (facts.dictionary > 0) footer.i64(11, start);
  writeStatistics(footer, column, facts);
  footer.end(metadata);
  footer.end(chunk);
}

function writeEncodings(footer: ThriftWriter, { valueEncoding }: ChunkFacts): void {
  // The entries of a dictionary are plain.
  const others = valueEncoding === encoding.deltas ? [encoding.runs] : [encoding.plain, encoding.runs];
  const all = valueEncoding === encoding.plain ? others : [...others, valueEncoding];
  footer.field(2, thriftType.list);
  footer.listHeader(all.length, thriftType.i32);
  for (const one of all) footer.integer(one);
}

function writeStatistics(footer: ThriftWriter, column: ColumnLayout, { nulls, bounds }: ChunkFacts): void {
  const statistics = footer.beginField(12);
  footer.i64(3, nulls);
  if (bounds) {
    writeBound(footer, 5, column, bounds.greatest);
    writeBound(footer, 6, column, bounds.least);
    footer.field(7, thriftType.true);
    footer.field(8, thriftType.true);
  }
  footer.end(statistics);
}

/** A bound is stored like a plain value; text without its length. */
function writeBound(footer: ThriftWriter, id: number, column: ColumnLayout, value: string | number): void {
  if (typeof value === 'string') {
    footer.text(id, value);
    return;
  }
  footer.field(id, thriftType.binary);
  if (column.physical === physical.boolean) {
    footer.sink.varint(1);
    footer.sink.byte(value);
  } else if (column.physical === physical.int32) {
    footer.sink.varint(4);
    footer.sink.int32(value);
  } else {
    footer.sink.varint(8);
    footer.sink.int64(value);
  }
}
