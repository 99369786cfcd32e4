// The next version of market-results, given the newest (docs/settlement.md#versions). Independent of storage and of how grades are
// computed.
import type { MarketResultsRow } from '../../schemas/datasets/market-results.ts';
import type { Evidence } from './evidence.ts';
import { LandedPlayers } from './landed-players.ts';
import { type GradedGame, gradeMarkets } from './market-results.ts';
import type { NamedPlayers } from './player-names.ts';
import { RemovedPlayers } from './removed-players.ts';
import { type Selection, selectionKey } from './selections.ts';

type Rows = readonly MarketResultsRow[];

/** Whether names are looked up in the reference data, or were by the newest version. */
export type Naming = 'by reference' | 'as landed';

const noneRemoved = new RemovedPlayers();

/** Grades a game whose newest version is `before` (null: none yet); null if no new version is needed. */
export function nextMarketResults(
  before: Rows | null,
  game: GradedGame,
  selections: readonly Selection[],
  evidence: Evidence,
  removed = noneRemoved,
  naming: Naming = 'by reference',
): MarketResultsRow[] | null {
  const named = (byReference: NamedPlayers) =>
    before === null || naming === 'by reference' ? byReference : new LandedPlayers(before, byReference);
  return nextVersion(before, gradeMarkets(game, keepFoundPlayers(before, selections, removed), evidence, named));
}

/**
 * The selections with the players found in `before`: a player once found by name stays found. One of the removed rows was not found, so a
 * selection without him is looked up anew, as if its game had never had those rows.
 */
export function keepFoundPlayers(
  before: Rows | null,
  selections: readonly Selection[],
  removed = noneRemoved,
): readonly Selection[] {
  if (before === null) return selections;
  const found = byKey(before);
  return selections.map((selection) => {
    if (selection.playerId !== null) return selection;
    const { selectionId, line } = selection;
    const playerId = found.get(selectionKey(selectionId, line))?.player_id ?? null;
    const wasFound = playerId !== null && !removed.has(selectionId, line, playerId);
    return wasFound ? { ...selection, playerId } : selection;
  });
}

/** The rows of the next version; null if nothing has changed. */
export function nextVersion(before: Rows | null, graded: Rows | null): MarketResultsRow[] | null {
  if (graded === null) return null;
  if (before === null) return [...graded];
  const newest = byKey(before);
  const earlier = (row: MarketResultsRow) => newest.get(selectionKey(row.selection_id, row.line));
  if (graded.length === before.length && graded.every((row) => sameFacts(earlier(row), row))) return null;
  return graded.map((row) => corrected(earlier(row), row));
}

/**
 * The next version while nothing can be graded: the newest one without the rows whose selection has left the log with its removed rows.
 * Null if there are none, and if all are: nothing lands empty.
 */
export function withoutVanished(before: Rows | null, selections: readonly Selection[]): MarketResultsRow[] | null {
  if (before === null) return null;
  const there = new Set(selections.map(({ selectionId, line }) => selectionKey(selectionId, line)));
  const left = before.filter((row) => there.has(selectionKey(row.selection_id, row.line)));
  return left.length === before.length || left.length === 0 ? null : left;
}

/** A row with an unchanged result and value keeps its source, time and number. */
function corrected(before: MarketResultsRow | undefined, row: MarketResultsRow): MarketResultsRow {
  if (before === undefined) return row;
  const { settled_at, settlement_source, correction } = before;
  const isKept = before.result === row.result && before.result_value === row.result_value;
  if (isKept) return { ...row, settled_at, settlement_source, correction };
  return { ...row, correction: before.result === 'ungraded' ? correction : correction + 1 };
}

/** Columns whose change alone makes no new version. */
const ownOfVersion: ReadonlySet<string> = new Set(['settled_at', 'settlement_source', 'correction']);

function sameFacts(before: MarketResultsRow | undefined, row: MarketResultsRow): boolean {
  if (before === undefined) return false;
  return (Object.keys(row) as (keyof MarketResultsRow)[]).every(
    (member) => ownOfVersion.has(member) || before[member] === row[member],
  );
}

function byKey(rows: Rows): Map<string, MarketResultsRow> {
  return new Map(rows.map((row) => [selectionKey(row.selection_id, row.line), row]));
}
