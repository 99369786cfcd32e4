// The selections of a game that were ever open, with their lines: market-results has one row for each. Takes the log row by row and keeps
// one entry per selection and line, however long the log is. Independent of sportsbooks, prices and results.
import type { QuoteRow } from '../live/types.ts';
import { compareUtf8 } from '../live/utf8-order.ts';

/** A selection at one line. `line` is in thousandths; `playerId` is the last id in a row. */
export type Selection = {
  readonly selectionId: string;
  readonly market: string;
  readonly period: string;
  readonly selection: string;
  readonly line: number | null;
  readonly playerId: string | null;
};

/** The columns of a log row that matter here. */
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

/** The selection of a row that contains a whole one: how an earlier version of the results described it. */
export function selectionOf(row: Omit<SelectionRow, 'is_open'>): Selection {
  const { selection_id: selectionId, market, period, selection, line, player_id: playerId } = row;
  return { selectionId, market, period, selection, line, playerId };
}

/** One text for each selection at a line. */
export function selectionKey(selectionId: string, line: number | null): string {
  return `${line ?? ''} ${selectionId}`;
}

function compareSelections(a: Selection, b: Selection): number {
  return compareUtf8(a.selectionId, b.selectionId) || (a.line ?? beforeAll) - (b.line ?? beforeAll);
}

/** Sorts before every line: lines are above −100,000,000 thousandths. */
const beforeAll = -1e9;
