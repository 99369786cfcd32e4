// Column chunks that are written again as they are. Of a file that comes again and again with other values in some of its rows — the
// statistics of a game, a corrected play — most columns are the ones before, to the byte.
import { isSameValue } from '../../core/parquet/same-value.ts';
import { type GroupTarget, writeChunk } from './chunk.ts';
import type { ChunkFacts } from './chunk-description.ts';
import type { ColumnLayout } from './layout.ts';
import type { Row } from './leaves.ts';

/** A chunk and what the footer says of it, wherever in a file it is. */
type Chunk = { readonly bytes: Uint8Array; readonly facts: ChunkFacts };

/** The chunks of a column, one of each row group. */
type Chunks = ReadonlyMap<ColumnLayout, readonly Chunk[]>;

/** By the very rows that they were written of, as long as somebody holds those. */
const chunksOf = new WeakMap<readonly Row[], Chunks>();

export type ReusedChunks = {
  /** As `writeChunk`, of the column's next row group. */
  write(group: GroupTarget, column: ColumnLayout): ChunkFacts;
};

/** Chunks of `rows`, as many as those of `like`: those that are the same are taken from there, and all are kept for what comes next. */
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
