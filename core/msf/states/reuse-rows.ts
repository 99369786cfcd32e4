// Reuses rows of the previous state that did not change, so lines are not rebuilt and equal strings are stored once. Merges two key-sorted
// lists; skips identical blocks and rows at both ends.
import type { Dataset } from '../../../schemas/datasets/column.ts';
import { isSameValue } from '../../parquet/same-value.ts';
import type { ParquetRow } from '../../ports/parquet.ts';
import { canonicalLine } from '../canonical-row.ts';
import { rowOrder } from '../digest.ts';
import type { DatasetState, StateRow } from '../types.ts';

/** Rows that were made together. A caller that caches a block thereby keeps the state's rows. */
export type RowBlock = ParquetRow[];

/** The blocks that each live state was built from. */
const blocksOf = new WeakMap<DatasetState, readonly RowBlock[]>();

/**
 * The state of the rows of `blocks`, which are in key order. Equal rows of `before` are reused, and also written into `blocks` (mutated).
 * Returns `before` itself if nothing changed. Most blocks of a large state are the same objects as before; their rows are not compared.
 */
export function reuseRows(dataset: Dataset, blocks: readonly RowBlock[], before: DatasetState): DatasetState {
  const { front, back } = sameEnds(blocks, blocksOf.get(before) ?? [], (block, known) => block === known);
  const first = rowsIn(blocks.slice(0, front));
  const end = before.length - rowsIn(blocks.slice(blocks.length - back));
  const known = before.slice(first, end);
  const between = reuseInBlocks(dataset, blocks.slice(front, blocks.length - back), known);
  const state = between === known ? before : [...before.slice(0, first), ...between, ...before.slice(end)];
  blocksOf.set(state, blocks);
  return state;
}

function rowsIn(blocks: readonly RowBlock[]): number {
  return blocks.reduce((sum, { length }) => sum + length, 0);
}

/** As `reuseRows`. Most rows are the same objects as before: only those between the first and the last other one are compared. */
function reuseInBlocks(dataset: Dataset, blocks: readonly RowBlock[], before: DatasetState): DatasetState {
  const rows = blocks.flat();
  const { front, back } = sameEnds(rows, before, (row, known) => row === known.row);
  const [rowsEnd, end] = [rows.length - back, before.length - back];
  if (front === rowsEnd && front === end) return before;
  const known = before.slice(front, end);
  const between = mergeRows(dataset, rows.slice(front, rowsEnd), known);
  writeIntoBlocks(blocks, between, front, rowsEnd);
  return between === known ? before : [...before.slice(0, front), ...between, ...before.slice(end)];
}

/** How many elements two lists share at the front and, of the rest, at the back. */
function sameEnds<A, B>(a: readonly A[], b: readonly B[], same: (one: A, other: B) => boolean) {
  const least = Math.min(a.length, b.length);
  let front = 0;
  while (front < least && same(a[front] as A, b[front] as B)) front += 1;
  let back = 0;
  while (back < least - front && same(a[a.length - 1 - back] as A, b[b.length - 1 - back] as B)) back += 1;
  return { front, back };
}

/** Writes the state's rows [first, end) into the blocks. */
function writeIntoBlocks(blocks: readonly RowBlock[], part: DatasetState, first: number, end: number): void {
  let start = 0;
  for (const block of blocks) {
    const to = Math.min(block.length, end - start);
    for (let at = Math.max(0, first - start); at < to; at += 1) block[at] = (part[start + at - first] as StateRow).row;
    start += block.length;
  }
}

/** Merges rows with those of `before`, both in key order: equal rows of `before` are reused. */
function mergeRows(dataset: Dataset, rows: readonly ParquetRow[], before: DatasetState): DatasetState {
  const { columns } = dataset;
  const order = rowOrder(dataset);
  const names = columns.map(({ name }) => name);
  const state: StateRow[] = [];
  let changed = rows.length !== before.length;
  let at = 0;
  for (const row of rows) {
    let known = before[at];
    if (known !== undefined && !sameValues(names, known.row, row)) {
      const fresh = { row };
      for (; known !== undefined && order(known, fresh) < 0; known = before[at]) at += 1;
      if (known !== undefined && !sameValues(names, known.row, row)) known = undefined;
    }
    changed ||= known === undefined;
    if (known !== undefined) at += 1;
    state.push(known ?? { row, line: canonicalLine(columns, row) });
  }
  return changed ? state : before;
}

/** Whether both rows have equal values in the columns `names`. */
export function sameValues(names: readonly string[], a: ParquetRow, b: ParquetRow): boolean {
  if (a === b) return true;
  for (const name of names) if (!isSameValue(a[name], b[name])) return false;
  return true;
}
