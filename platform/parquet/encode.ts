// Rows to Parquet files: the same rows and metadata give the same bytes. Written here and not by parquet-wasm because a flush
// writes hundreds of files of some forty rows: such a file takes 40 µs here, there 250 µs besides the Arrow table that it
// is to be made of. parquet-wasm reads what is written here (decode.ts), and so do the readers that the tests ask.
import { ByteSink } from '../../core/parquet/byte-sink.ts';
import { type FileMetadata, magicBytes, writeFooter } from '../../core/parquet/footer.ts';
import type { RowGroup } from '../../core/parquet/row-group.ts';
import { thriftType } from '../../core/parquet/thrift-reader.ts';
import { ThriftWriter } from '../../core/parquet/thrift-writer.ts';
import type { Dataset, RowOf } from '../../schemas/datasets/column.ts';
import { type GroupTarget, writeChunk } from './chunk.ts';
import { describeChunk } from './chunk-description.ts';
import { type Layout, layoutOf } from './layout.ts';
import type { Row } from './leaves.ts';
import { type ReusedChunks, reusedChunks } from './reused-chunks.ts';

/** Groups of finals and snapshots: small enough that a reader can skip some, large enough to be few. */
const rowsOfGroup = 32_768;

/** From these bytes on a page is worth a call of the compressor: in the small files of a flush, and in those read for a day. */
const compressFrom = { small: 4096, large: 512 } as const;
const rowsOfLarge = 512;

const file = new ByteSink(262_144);
const footer = new ByteSink(16_384);

/**
 * A Parquet file of `rows`, in their order. Without rows it has no row group. `like`: the rows of a file before it, which are as many and
 * mostly the same; then no row of either may change any more.
 */
export function encodeParquet<D extends Dataset>(
  dataset: D,
  rows: readonly RowOf<D>[],
  metadata: FileMetadata,
  like: readonly RowOf<D>[] | null = null,
): Uint8Array {
  const layout = layoutOf(dataset);
  const isLike = like !== null && like.length === rows.length;
  const reuse = isLike ? reusedChunks(layout.columns, like as readonly Row[], rows as readonly Row[]) : null;
  file.clear();
  file.raw(magicBytes);
  const groups: RowGroup[] = [];
  for (let from = 0; from < rows.length; from += rowsOfGroup) {
    groups.push(writeGroup(layout, rows as readonly Row[], from, groups.length, reuse));
  }
  writeFooter(file, { schema: layout.schema, rest: layout.rest, groups, metadata });
  const bytes = file.toBytes();
  file.clear();
  return bytes;
}

function writeGroup(
  layout: Layout,
  rows: readonly Row[],
  from: number,
  ordinal: number,
  reuse: ReusedChunks | null,
): RowGroup {
  const to = Math.min(rows.length, from + rowsOfGroup);
  const start = file.length;
  footer.clear();
  const writer = new ThriftWriter(footer);
  const target: GroupTarget = {
    file,
    rows,
    from,
    to,
    compressFrom: to - from < rowsOfLarge ? compressFrom.small : compressFrom.large,
  };
  const group = writer.begin();
  writer.field(1, thriftType.list);
  writer.listHeader(layout.columns.length, thriftType.struct);
  let uncompressed = 0;
  for (const column of layout.columns) {
    const at = file.length;
    const facts = reuse === null ? writeChunk(target, column) : reuse.write(target, column);
    describeChunk(writer, column, facts, at);
    uncompressed += facts.size.uncompressed;
  }
  writer.i64(2, uncompressed);
  writer.i64(3, to - from);
  writer.i64(5, start);
  writer.i64(6, file.length - start);
  writer.field(7, thriftType.i16);
  writer.integer(ordinal);
  writer.end(group);
  return { rows: to - from, start, end: file.length, thrift: footer.toBytes() };
}
