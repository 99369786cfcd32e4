// Encodes rows as Parquet files: the same rows and metadata give the same bytes. We do not use parquet-wasm because it is slower for files
// of any size. A flush writes hundreds of files of some forty rows: such a file takes 40 µs here, and 250 µs there, not counting the Arrow
// table that it needs. A final file of 200,000 rows takes a quarter of the CPU, 0.7 of the bytes and half of the memory of parquet-wasm
// with Arrow columns of typed arrays; one of a million a fifth, 0.7 and a sixth (`npm run bench -- f`). The tests read our files with
// parquet-wasm.
import { ByteSink } from '../../core/parquet/byte-sink.ts';
import { type FileMetadata, magicBytes, writeFooter } from '../../core/parquet/footer.ts';
import type { RowGroup } from '../../core/parquet/row-group.ts';
import type { Task } from '../../core/scheduling/task.ts';
import type { Dataset, RowOf } from '../../schemas/datasets/column.ts';
import { writeChunk } from './chunk.ts';
import { layoutOf } from './layout.ts';
import type { Row } from './leaves.ts';
import { reusedChunks } from './reused-chunks.ts';
import { rowsOfGroup, writingGroup } from './write-group.ts';

/** Buffers of finished files, for reuse; several files may be encoded at once. */
const spare: ByteSink[] = [];

/**
 * A Parquet file of `rows`, in order; without rows it has no row group. `like`: the rows of a previous file, as many and mostly the same.
 * Neither list may be changed afterwards.
 */
export function* encodingParquet<D extends Dataset>(
  dataset: D,
  rows: readonly RowOf<D>[],
  metadata: FileMetadata,
  like: readonly RowOf<D>[] | null = null,
): Task<Uint8Array> {
  const file = spare.pop() ?? new ByteSink(262_144);
  const layout = layoutOf(dataset);
  const given = rows as readonly Row[];
  const isLike = like !== null && like.length === rows.length;
  const write = isLike ? reusedChunks(layout.columns, like as readonly Row[], given).write : writeChunk;
  file.clear();
  file.raw(magicBytes);
  const groups: RowGroup[] = [];
  for (let from = 0; from < rows.length; from += rowsOfGroup) {
    const to = Math.min(rows.length, from + rowsOfGroup);
    groups.push(
      yield* writingGroup(file, 0, layout, to - from, groups.length, (target, column) =>
        write({ ...target, rows: given, from, to }, column),
      ),
    );
  }
  writeFooter(file, { schema: layout.schema, rest: layout.rest, groups, metadata });
  const bytes = file.toBytes();
  file.clear();
  spare.push(file);
  return bytes;
}
