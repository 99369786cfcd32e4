// Writes a row group: the chunks of its columns in sequence, and its description for the footer.
import { ByteSink } from '../../core/parquet/byte-sink.ts';
import type { RowGroup } from '../../core/parquet/row-group.ts';
import { thriftType } from '../../core/parquet/thrift-reader.ts';
import { ThriftWriter } from '../../core/parquet/thrift-writer.ts';
import { type ChunkFacts, describeChunk } from './chunk-description.ts';
import type { ColumnLayout, Layout } from './layout.ts';
import type { PageTarget } from './pages.ts';

/** Groups of finals and snapshots: small enough that a reader can skip some, large enough to be few. */
export const rowsOfGroup = 32_768;

/** Page size in bytes from which compressing pays: in the small files of a flush, and in files that are read for a day. */
const compressFrom = { small: 4096, large: 512 } as const;
const rowsOfLarge = 512;

const footer = new ByteSink(16_384);

/**
 * Appends the `ordinal`-th group of a file, with `rows` rows. `before` bytes of the file precede `file`. `write` appends the chunk of a
 * column.
 */
export function writeGroup(
  file: ByteSink,
  before: number,
  layout: Layout,
  rows: number,
  ordinal: number,
  write: (target: PageTarget, column: ColumnLayout, index: number) => ChunkFacts,
): RowGroup {
  const start = before + file.length;
  const target = { file, compressFrom: rows < rowsOfLarge ? compressFrom.small : compressFrom.large };
  footer.clear();
  const writer = new ThriftWriter(footer);
  const group = writer.begin();
  writer.field(1, thriftType.list);
  writer.listHeader(layout.columns.length, thriftType.struct);
  let uncompressed = 0;
  layout.columns.forEach((column, index) => {
    const at = before + file.length;
    const facts = write(target, column, index);
    describeChunk(writer, column, facts, at);
    uncompressed += facts.size.uncompressed;
  });
  writer.i64(2, uncompressed);
  writer.i64(3, rows);
  writer.i64(5, start);
  writer.i64(6, before + file.length - start);
  writer.field(7, thriftType.i16);
  writer.integer(ordinal);
  writer.end(group);
  return { rows, start, end: before + file.length, thrift: footer.toBytes() };
}
