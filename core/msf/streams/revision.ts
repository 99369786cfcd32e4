// The change that one observation makes to a dataset's state: the rows that differ, the kind of revision, its digest
// (docs/revisions.md#revision-rules). Reused lines are compared and hashed, never made again. Independent of feeds, archives and files.
import { gameState } from '../../../schemas/datasets/game-state.ts';
import { injuries } from '../../../schemas/datasets/injuries.ts';
import { playerStats } from '../../../schemas/datasets/player-stats.ts';
import { plays } from '../../../schemas/datasets/plays.ts';
import { teamStats } from '../../../schemas/datasets/team-stats.ts';
import { rowOrder } from '../digest.ts';
import type { ChangedRow, DatasetState, MsfDataset, RevisionKind, StateRow } from '../types.ts';

type RowOrder = (a: StateRow, b: StateRow) => number;

/** The row order of each dataset; both states have it. */
const orders: { readonly [Name in MsfDataset]: RowOrder } = {
  'game-state': rowOrder(gameState),
  plays: rowOrder(plays),
  'player-stats': rowOrder(playerStats),
  'team-stats': rowOrder(teamStats),
  injuries: rowOrder(injuries),
};

/** The rows that turn `before` into `after`, in key order; a delete carries the old row. */
export function changeBetween(dataset: MsfDataset, before: DatasetState, after: DatasetState): readonly ChangedRow[] {
  if (before === after) return [];
  const order = orders[dataset];
  const change: ChangedRow[] = [];
  let old = 0;
  for (const row of after) {
    let held = before[old];
    // A reused row is the same object, so most of a large state is skipped without comparing values.
    if (held === row) {
      old += 1;
      continue;
    }
    for (; held !== undefined && order(held, row) < 0; held = before[old]) {
      change.push({ ...held, op: 'delete' });
      old += 1;
    }
    if (held === undefined || order(held, row) > 0) change.push({ ...row, op: 'upsert' });
    else {
      if (held.line !== row.line) change.push({ ...row, op: 'upsert' });
      old += 1;
    }
  }
  for (; old < before.length; old += 1) change.push({ ...(before[old] as StateRow), op: 'delete' });
  return change;
}

/** The rows and the kind of a revision's change. `replace` holds the whole state. */
type StateChange = { kind: RevisionKind; rows: readonly ChangedRow[] };

/**
 * How `difference` is published: `replace` for the first revision of an epoch and if it would have as many rows as the new state, otherwise
 * `append` if rows are only added, otherwise `patch`. A revision without changed rows is a patch, unless it is the first.
 * docs/revisions.md#revision-rules.
 */
export function changeOf(
  isFirst: boolean,
  difference: readonly ChangedRow[],
  before: DatasetState,
  after: DatasetState,
): StateChange {
  if (isFirst || (difference.length > 0 && difference.length >= after.length)) {
    return { kind: 'replace', rows: after.map((row) => ({ ...row, op: 'upsert' })) };
  }
  // If every changed row makes the state longer, all of them are new.
  const onlyAdded = difference.length > 0 && after.length - before.length === difference.length;
  return { kind: onlyAdded ? 'append' : 'patch', rows: difference };
}

/** The state after a change. */
export function stateAfter(dataset: MsfDataset, before: DatasetState, { kind, rows }: StateChange): DatasetState {
  if (kind === 'replace') return rows.map(stateRow);
  const order = orders[dataset];
  const after: StateRow[] = [];
  let old = 0;
  for (const changed of rows) {
    for (let held = before[old]; held !== undefined && order(held, changed) < 0; held = before[old]) {
      after.push(held);
      old += 1;
    }
    const held = before[old];
    if (held !== undefined && order(held, changed) === 0) old += 1;
    if (changed.op === 'upsert') after.push(stateRow(changed));
  }
  return [...after, ...before.slice(old)];
}

function stateRow({ row, line }: StateRow): StateRow {
  return { row, line };
}
