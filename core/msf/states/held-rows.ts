// What was held before is held on where it is equal: lines are not made again, and equal texts are not held twice. A walk of two lists
// that are in key order, so that a large state with one changed row costs one comparison a row.
import type { Dataset } from '../../../schemas/datasets/column.ts';
import { isSameValue } from '../../parquet/same-value.ts';
import type { ParquetRow } from '../../ports/parquet.ts';
import { canonicalLine } from '../canonical-row.ts';
import { rowOrder } from '../digest.ts';
import type { DatasetState, StateRow } from '../types.ts';

/** Rows that were made together. Whoever keeps a block keeps the rows of the state in it. */
export type RowBlock = ParquetRow[];

/** What a state's rows came in, as long as it is held. */
const blocksOf = new WeakMap<DatasetState, readonly RowBlock[]>();

/**
 * The state of the rows of `blocks`, which are in key order; rows of `before` that are equal are taken over, into their blocks too, and all of
 * it when nothing changed. Most blocks of a large state are the very ones that it came in: their rows are not looked at.
 */
export function heldState(dataset: Dataset, blocks: readonly RowBlock[], before: DatasetState): DatasetState {
  const { front, back } = sameEnds(blocks, blocksOf.get(before) ?? [], (block, known) => block === known);
  const first = rowsIn(blocks.slice(0, front));
  const end = before.length - rowsIn(blocks.slice(blocks.length - back));
  const held = before.slice(first, end);
  const between = heldAmong(dataset, blocks.slice(front, blocks.length - back), held);
  const state = between === held ? before : [...before.slice(0, first), ...between, ...before.slice(end)];
  blocksOf.set(state, blocks);
  return state;
}

function rowsIn(blocks: readonly RowBlock[]): number {
  return blocks.reduce((sum, { length }) => sum + length, 0);
}

/** As `heldState`. Most rows are the very ones that are held: what is between the first and the last other one is compared. */
function heldAmong(dataset: Dataset, blocks: readonly RowBlock[], before: DatasetState): DatasetState {
  const rows = blocks.flat();
  const { front, back } = sameEnds(rows, before, (row, known) => row === known.row);
  const [rowsEnd, end] = [rows.length - back, before.length - back];
  if (front === rowsEnd && front === end) return before;
  const held = before.slice(front, end);
  const between = heldBetween(dataset, rows.slice(front, rowsEnd), held);
  takeOver(blocks, between, front, rowsEnd);
  return between === held ? before : [...before.slice(0, front), ...between, ...before.slice(end)];
}

/** How many of two lists are the same at their fronts and, of the others, at their backs. */
function sameEnds<A, B>(a: readonly A[], b: readonly B[], same: (one: A, other: B) => boolean) {
  const least = Math.min(a.length, b.length);
  let front = 0;
  while (front < least && same(a[front] as A, b[front] as B)) front += 1;
  let back = 0;
  while (back < least - front && same(a[a.length - 1 - back] as A, b[b.length - 1 - back] as B)) back += 1;
  return { front, back };
}

/** Has the blocks hold the rows of a state's part [first, end). */
function takeOver(blocks: readonly RowBlock[], part: DatasetState, first: number, end: number): void {
  let start = 0;
  for (const block of blocks) {
    const to = Math.min(block.length, end - start);
    for (let at = Math.max(0, first - start); at < to; at += 1) block[at] = (part[start + at - first] as StateRow).row;
    start += block.length;
  }
}

function heldBetween(dataset: Dataset, rows: readonly ParquetRow[], before: DatasetState): DatasetState {
  const { columns } = dataset;
  const order = rowOrder(dataset);
  const names = columns.map(({ name }) => name);
  const state: StateRow[] = [];
  let changed = rows.length !== before.length;
  let at = 0;
  for (const row of rows) {
    let held = before[at];
    if (held !== undefined && !sameValues(names, held.row, row)) {
      const fresh = { row };
      for (; held !== undefined && order(held, fresh) < 0; held = before[at]) at += 1;
      if (held !== undefined && !sameValues(names, held.row, row)) held = undefined;
    }
    changed ||= held === undefined;
    if (held !== undefined) at += 1;
    state.push(held ?? { row, line: canonicalLine(columns, row) });
  }
  return changed ? state : before;
}

/** Whether the columns `names` of both hold equal values. */
export function sameValues(names: readonly string[], a: ParquetRow, b: ParquetRow): boolean {
  if (a === b) return true;
  for (const name of names) if (!isSameValue(a[name], b[name])) return false;
  return true;
}
