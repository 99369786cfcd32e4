// A game's log that is rebuilt: the committed rows, numbered from 1 and cut anew, with every `seq` above all used before
// (docs/interface.md#rebuilt-logs). The game's selections are reset to those rows, so that the fold continues from what readers have read.
// Independent of files and of why the log is rebuilt.
import { lineText } from '../quotes/line.ts';
import { isStale } from './board.ts';
import {
  type GameState,
  type OperatorState,
  operatorOf,
  type QuotedSelection,
  sharedWord,
  sourceOf,
} from './game-state.ts';
import { type Appended, appendRow } from './log-tail.ts';
import { isListed } from './offer.ts';
import type { QuoteRow } from './types.ts';
import { compareUtf8 } from './utf8-order.ts';

/** The rows of one sportsbook: the newest of each selection, and the newest of all. */
type NewestRows = { ofSelection: Map<string, QuoteRow>; newest: QuoteRow };

export class RestartedLog {
  readonly #game: GameState;
  readonly #newest = new Map<string, NewestRows>();

  /** Begins the log; do not fold into the game before `finish`. */
  constructor(game: GameState, log: { generation: number; firstSeq: number }) {
    this.#game = game;
    game.generation = log.generation;
    game.firstSeq = log.firstSeq;
    game.rows = 0;
    game.segment = null;
  }

  /** Appends the next committed rows to the new log. */
  append(rows: readonly QuoteRow[]): Appended {
    const appended: Appended = { rows: [], segmentStarts: [] };
    for (const row of rows) {
      appendRow(this.#game, row, appended);
      const rows = this.#newest.get(row.operator);
      if (rows === undefined) {
        this.#newest.set(row.operator, { ofSelection: new Map([[row.selection_id, row]]), newest: row });
        continue;
      }
      rows.ofSelection.set(row.selection_id, row);
      rows.newest = row;
    }
    return appended;
  }

  /** Call after the last row: sets the offer of each sportsbook from its rows. */
  finish(): void {
    const game = this.#game;
    for (const operator of game.operators) if (!this.#newest.has(operator.code)) takeRows(game, operator, null);
    for (const [code, rows] of this.#newest) takeRows(game, operatorOf(game, code), rows);
  }
}

/** What the rows do not contain stays as earlier records set it. */
function takeRows(game: GameState, operator: OperatorState, rows: NewestRows | null): void {
  const known = operator.selections;
  operator.selections = new Map();
  for (const [id, row] of rows?.ofSelection ?? []) operator.selections.set(id, selectionOf(game, row, known.get(id)));
  operator.live = [...operator.selections.values()].filter(({ row }) => isListed(row));
  operator.live.sort((a, b) => compareUtf8(a.row.selection_id, b.row.selection_id));
  operator.missing = operator.live.reduce((sum, { missing }) => sum + missing, 0);
  operator.lastRowAt = rows === null ? null : rows.newest.timestamp;
  if (rows !== null) {
    operator.owner ??= sourceOf(game, rows.newest.source);
    operator.watermark ??= rows.newest.timestamp;
    operator.boardThrough ??= operator.watermark;
  }
  operator.stale = isStale(game, operator);
}

function selectionOf(game: GameState, row: QuoteRow, known: QuotedSelection | undefined): QuotedSelection {
  const stillListed = known !== undefined && isListed(known.row) && isListed(row);
  return {
    row: withSharedWords(game, row),
    alternate: known?.alternate ?? namesItsLine(row),
    missing: stillListed ? known.missing : 0,
    mark: 0,
  };
}

/** Rows read from files have strings of their own; rows that stay in memory with the game share one copy. */
function withSharedWords(game: GameState, row: QuoteRow): QuoteRow {
  const shared = (word: string): string => sharedWord(game, word);
  return {
    ...row,
    game_id: shared(row.game_id),
    league: shared(row.league),
    operator: shared(row.operator),
    selection_id: shared(row.selection_id),
    market: shared(row.market),
    period: shared(row.period),
    selection: shared(row.selection),
    source: shared(row.source),
  };
}

/** Whether the line is part of the identity: `market/period/selection[/player][/line]`, where each part encodes `/`. */
function namesItsLine({ selection_id: id, line }: QuoteRow): boolean {
  const parts = id.split('/');
  return line !== null && parts.length > 3 && parts.at(-1) === lineText(line);
}
