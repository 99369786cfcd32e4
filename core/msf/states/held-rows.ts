// What was held before is held on where it is equal: lines are not made again, and equal texts are not held twice. A walk of two lists
// that are in key order, so that a large state with one changed row costs one comparison a row.
import type { Dataset } from '../../../schemas/datasets/column.ts';
import type { ParquetRow } from '../../ports/parquet.ts';
import { canonicalLine } from '../canonical-row.ts';
import { rowOrder } from '../digest.ts';
import type { DatasetState, StateRow } from '../types.ts';
import type { Play } from './plays.ts';

/** The state of `rows`, which are in key order; rows of `before` that are equal are taken over, and all of it when nothing changed. */
export function heldState(dataset: Dataset, rows: readonly ParquetRow[], before: DatasetState): DatasetState {
  // Most rows of a large state are the very ones that it holds: what is between the first and the last other one is looked at row by row.
  const least = Math.min(rows.length, before.length);
  let first = 0;
  while (first < least && before[first]?.row === rows[first]) first += 1;
  let last = 0;
  while (last < least - first && before.at(-1 - last)?.row === rows.at(-1 - last)) last += 1;
  if (first === rows.length && first === before.length) return before;
  const held = before.slice(first, before.length - last);
  const between = heldBetween(dataset, rows.slice(first, rows.length - last), held);
  if (between === held) return before;
  const state = before.slice(0, first);
  for (const row of between) state.push(row);
  for (let at = before.length - last; at < before.length; at += 1) state.push(before[at] as StateRow);
  return state;
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

/** Plays by `play_id`: those of `before`, which is in that order, keep it, and the others go between them. */
export function orderedPlays(plays: readonly Play[], before: readonly Play[]): readonly Play[] {
  const others = new Set(plays);
  const stayed = before.filter((play) => others.delete(play));
  const ordered: Play[] = [];
  let next = 0;
  for (const play of [...others].sort((a, b) => (a.play_id < b.play_id ? -1 : 1))) {
    for (let kept = stayed[next]; kept !== undefined && kept.play_id < play.play_id; kept = stayed[next]) {
      ordered.push(kept);
      next += 1;
    }
    ordered.push(play);
  }
  return [...ordered, ...stayed.slice(next)];
}

/** The play that `before`, by `play_id`, holds where it is equal. */
export function heldPlay(play: Play, before: readonly Play[]): Play {
  let [from, to] = [0, before.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((before[middle] as Play).play_id < play.play_id) from = middle + 1;
    else to = middle;
  }
  const held = before[from];
  return held !== undefined && sameValues(playNames, held, play) ? held : play;
}

const playNames: readonly (keyof Play)[] = [
  'play_id',
  'sequence',
  'period',
  'clock_seconds_elapsed',
  'play_type',
  'description',
  'team_id',
  'player_ids',
  'points',
  'detail',
];

function sameValues(names: readonly string[], a: ParquetRow, b: ParquetRow): boolean {
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
