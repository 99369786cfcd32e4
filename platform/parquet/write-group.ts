// Writes a row group: the chunks of its columns in sequence, and its description for the footer.
import { ByteSink } from '../../core/parquet/byte-sink.ts';
import type { RowGroup } from '../../core/parquet/row-group.ts';
import { thriftType } from '../../core/parquet/thrift-reader.ts';
import { ThriftWriter } from '../../core/parquet/thrift-writer.ts';
import { runToEnd, type Task } from '../../core/scheduling/task.ts';
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
export function writeGroup(...group: Parameters<typeof writingGroup>): RowGroup {
  return runToEnd(writingGroup(...group));
}

/** The same in steps: one for each column of a large group. */
export function* writingGroup(
  file: ByteSink,
  before: number,
  layout: Layout,
  rows: number,
  ordinal: number,
  write: (target: PageTarget, column: ColumnLayout, index: number) => ChunkFacts,
): Task<RowGroup> {
  const start = before + file.length;
  const target = { file, compressFrom: rows < rowsOfLarge ? compressFrom.small : compressFrom.large };
  const chunks: { column: ColumnLayout; facts: ChunkFacts; at: number }[] = [];
  for (const [index, column] of layout.columns.entries()) {
    const at = before + file.length;
    chunks.push({ column, facts: write(target, column, index), at });
    if (rows >= rowsOfLarge) yield;
  }
  footer.clear();
  const writer = new ThriftWriter(footer);
  const group = writer.begin();
  writer.field(1, thriftType.list);
  writer.listHeader(chunks.length, thriftType.struct);
  for (const { column, facts, at } of chunks) describeChunk(writer, column, facts, at);
  const uncompressed = chunks.reduce((sum, { facts }) => sum + facts.size.uncompressed, 0);
  writer.i64(2, uncompressed);
  writer.i64(3, rows);
  writer.i64(5, start);
  writer.i64(6, before + file.length - start);
  writer.field(7, thriftType.i16);
  writer.integer(ordinal);
  writer.end(group);
  return { rows, start, end: before + file.length, thrift: footer.toBytes() };
}
