// The selections of a game that were ever open, each with its lines: market-results has one row for each. Fed row by row, it holds
// one entry for each selection and line, however long the log is. Unaware of operators, prices and results.
import type { QuoteRow } from '../live/types.ts';
import { compareUtf8 } from '../live/utf8-order.ts';

/** A selection at one line. `line` is in thousandths; `playerId` is the last id that a row told. */
export type Selection = {
  readonly selectionId: string;
  readonly market: string;
  readonly period: string;
  readonly selection: string;
  readonly line: number | null;
  readonly playerId: string | null;
};

/** What of a row of the log is looked at. */
export type SelectionRow = Pick<
  QuoteRow,
  'selection_id' | 'market' | 'period' | 'selection' | 'line' | 'player_id' | 'is_open'
>;

/** Collects the distinct (`selection_id`, `line`) among the open rows of a log. docs/settlement.md#market-results. */
export class Selections {
  readonly #known = new Map<string, Map<number | null, Selection>>();

  /** Takes the next row of the log. */
  add(row: SelectionRow): void {
    if (!row.is_open) return;
    const { selection_id: selectionId, line, player_id: playerId } = row;
    let lines = this.#known.get(selectionId);
    if (lines === undefined) {
      lines = new Map();
      this.#known.set(selectionId, lines);
    }
    const known = lines.get(line);
    if (known === undefined) lines.set(line, selectionOf(row));
    else if (playerId !== null && playerId !== known.playerId) lines.set(line, { ...known, playerId });
  }

  /** All of them, by `selection_id` (UTF-8 bytes), then by line, null first. */
  list(): Selection[] {
    return [...this.#known.values()].flatMap((lines) => [...lines.values()]).sort(compareSelections);
  }
}

/** The selection of a row that has all of one: what an earlier version of the results says of it. */
export function selectionOf(row: Omit<SelectionRow, 'is_open'>): Selection {
  const { selection_id: selectionId, market, period, selection, line, player_id: playerId } = row;
  return { selectionId, market, period, selection, line, playerId };
}

function compareSelections(a: Selection, b: Selection): number {
  return compareUtf8(a.selectionId, b.selectionId) || (a.line ?? beforeAll) - (b.line ?? beforeAll);
}

/** Stands before every line: lines are above −100,000,000 thousandths. */
const beforeAll = -1e9;
