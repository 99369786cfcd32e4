// Reuses encoded column chunks. When a file is rewritten with a few changed rows — the statistics of a game, a corrected play — most
// columns keep exactly the same bytes.
import { isSameValue } from '../../core/parquet/same-value.ts';
import { type GroupTarget, writeChunk } from './chunk.ts';
import type { ChunkFacts } from './chunk-description.ts';
import type { ColumnLayout } from './layout.ts';
import type { Row } from './leaves.ts';

/** A chunk and its description for the footer, independent of its position. */
type Chunk = { readonly bytes: Uint8Array; readonly facts: ChunkFacts };

/** The chunks of a column, one per row group. */
type Chunks = ReadonlyMap<ColumnLayout, readonly Chunk[]>;

/** Keyed by the row list itself, for as long as that is referenced. */
const chunksOf = new WeakMap<readonly Row[], Chunks>();

type ReusedChunks = {
  /** Like `writeChunk`, for the column's next row group. */
  write(group: GroupTarget, column: ColumnLayout): ChunkFacts;
};

/** Chunks for `rows`, which has as many rows as `like`: unchanged chunks are copied from there, and all are kept for the next file. */
export function reusedChunks(
  columns: readonly ColumnLayout[],
  like: readonly Row[],
  rows: readonly Row[],
): ReusedChunks {
  const before = chunksOf.get(like);
  const same = before === undefined ? new Set() : sameColumns(columns, like, rows);
  const kept = new Map<ColumnLayout, Chunk[]>(columns.map((column) => [column, []]));
  chunksOf.set(rows, kept);
  return {
    write(group, column) {
      const chunks = kept.get(column) as Chunk[];
      const known = same.has(column) ? before?.get(column)?.[chunks.length] : undefined;
      if (known !== undefined) group.file.raw(known.bytes);
      const chunk = known ?? written(group, column);
      chunks.push(chunk);
      return chunk.facts;
    },
  };
}

function written(group: GroupTarget, column: ColumnLayout): Chunk {
  const { file } = group;
  const start = file.length;
  const facts = writeChunk(group, column);
  return { bytes: file.bytes.slice(start, file.length), facts };
}

function sameColumns(
  columns: readonly ColumnLayout[],
  a: readonly Row[],
  b: readonly Row[],
): ReadonlySet<ColumnLayout> {
  const same = new Set(columns);
  for (const [at, row] of b.entries()) {
    const other = a[at] as Row;
    if (other === row) continue;
    for (const column of same) if (!isSameValue(other[column.name], row[column.name])) same.delete(column);
  }
  return same;
}
