// What was held before is held on where it is equal: lines are not made again, and equal texts are not held twice. A walk of two lists
// that are in key order, so that a large state with one changed row costs one comparison a row.
import type { Dataset } from '../../../schemas/datasets/column.ts';
import type { ParquetRow } from '../../ports/parquet.ts';
import { canonicalLine } from '../canonical-row.ts';
import { rowOrder } from '../digest.ts';
import type { DatasetState, StateRow } from '../types.ts';

/** Rows that were made together. Whoever keeps a block keeps the rows of the state in it. */
export type RowBlock = ParquetRow[];

/**
 * The state of the rows of `blocks`, which are in key order; rows of `before` that are equal are taken over, into their blocks too, and all of
 * it when nothing changed.
 */
export function heldState(dataset: Dataset, blocks: readonly RowBlock[], before: DatasetState): DatasetState {
  const rows: ParquetRow[] = [];
  for (const block of blocks) for (const row of block) rows.push(row);
  // Most rows of a large state are the very ones that it holds: what is between the first and the last other one is looked at row by row.
  const least = Math.min(rows.length, before.length);
  let first = 0;
  while (first < least && before[first]?.row === rows[first]) first += 1;
  let end = rows.length;
  let heldEnd = before.length;
  while (end > first && heldEnd > first && before[heldEnd - 1]?.row === rows[end - 1]) {
    end -= 1;
    heldEnd -= 1;
  }
  if (first === end && first === heldEnd) return before;
  const held = before.slice(first, heldEnd);
  const between = heldBetween(dataset, rows.slice(first, end), held);
  takeOver(blocks, between, first, end);
  if (between === held) return before;
  const state = before.slice(0, first);
  for (const row of between) state.push(row);
  for (let at = heldEnd; at < before.length; at += 1) state.push(before[at] as StateRow);
  return state;
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
  for (const name of names) if (!sameValue(a[name], b[name])) return false;
  return true;
}

type Value = ParquetRow[string] | undefined;

function sameValue(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  return a.length === b.length && a.every((element, index) => element === b[index]);
}
