// The closing line of each sportsbook's selection: its last open row before play began, together with its first one
// (docs/settlement.md#closing-lines). Takes the log row by row and keeps three rows per selection, so memory grows with the offer, not with
// the log. Independent of files, batches and how T0 was found.
import type { ClosingLinesRow } from '../../schemas/datasets/closing-lines.ts';
import type { SportsbookLinesRow } from '../../schemas/datasets/sportsbook-lines.ts';
import { compareUtf8 } from '../live/utf8-order.ts';
import type { Lineups } from '../msf/states/lineups.ts';
import { daysOfDate } from '../time/rfc3339.ts';
import { type Micros, microsPerMinute } from '../units.ts';
import type { StartOfPlay } from './game-lifecycle.ts';

/** The rows of one selection that matter: its first and last open ones, and the newest of all. */
type Counted = { opening: SportsbookLinesRow; closing: SportsbookLinesRow; last: SportsbookLinesRow };

/** The game's own columns. `gameDate`: the Eastern date of its start at the close. */
export type ClosedGameColumns = { gameId: string; league: string; gameDate: string; lineups: Lineups };

/** A selection that was withdrawn this long before T0 has no closing line. */
const withdrawnTooEarly: Micros = 15 * microsPerMinute;

export class ClosingLines {
  readonly #start: StartOfPlay;
  readonly #operators = new Map<string, Map<string, Counted>>();

  constructor(start: StartOfPlay) {
    this.#start = start;
  }

  /** Takes the next row of the log and keeps it: the caller must not change it. */
  add(row: SportsbookLinesRow): void {
    if (row.in_play || row.timestamp >= this.#start.t0) return;
    const selections = this.#operators.get(row.operator);
    const counted = selections?.get(row.selection_id);
    if (counted !== undefined) {
      counted.last = row;
      if (row.is_open) counted.closing = row;
    } else if (row.is_open) {
      const first = { opening: row, closing: row, last: row };
      if (selections === undefined) this.#operators.set(row.operator, new Map([[row.selection_id, first]]));
      else selections.set(row.selection_id, first);
    }
  }

  /** The closing lines so far, by sportsbook and `selection_id` (UTF-8 bytes). */
  rows(game: ClosedGameColumns): ClosingLinesRow[] {
    const gameDate = daysOfDate(game.gameDate);
    const rows: ClosingLinesRow[] = [];
    for (const [, selections] of sorted(this.#operators)) {
      for (const [, counted] of sorted(selections)) {
        if (!this.#left(counted.last)) rows.push(this.#row(counted, game, gameDate));
      }
    }
    return rows;
  }

  /** How many closing lines there are so far. */
  get size(): number {
    const ofEach = [...this.#operators.values()].flatMap((selections) => [...selections.values()]);
    return ofEach.filter(({ last }) => !this.#left(last)).length;
  }

  /** Whether the selection was withdrawn too long before play began. */
  #left(last: SportsbookLinesRow): boolean {
    return last.change === 'withdrawn' && this.#start.t0 - last.timestamp >= withdrawnTooEarly;
  }

  #row({ opening, closing, last }: Counted, game: ClosedGameColumns, gameDate: number): ClosingLinesRow {
    return {
      game_id: game.gameId,
      league: game.league,
      game_date: gameDate,
      operator: closing.operator,
      selection_id: closing.selection_id,
      market: closing.market,
      period: closing.period,
      selection: closing.selection,
      player_id: closing.player_id,
      line: closing.line,
      closing_price_american: priceOf(closing, closing.price_american),
      closing_price_decimal: priceOf(closing, closing.price_decimal),
      opening_line: opening.line,
      opening_price_american: opening.price_american,
      opening_price_decimal: opening.price_decimal,
      opened_at: opening.timestamp,
      closed_at: closing.timestamp,
      close_basis: this.#basis(last),
      scheduled_start: this.#start.scheduledStart,
      actual_start: this.#start.actualStart,
      home_player_ids: game.lineups.home,
      away_player_ids: game.lineups.away,
    };
  }

  #basis(last: SportsbookLinesRow): ClosingLinesRow['close_basis'] {
    if (this.#start.basis === 'scheduled') return 'reconstructed';
    return last.is_open ? 'last_before_start' : 'suspended_before_start';
  }
}

function sorted<Value>(byText: ReadonlyMap<string, Value>): [string, Value][] {
  return Array.from(byText).sort(([a], [b]) => compareUtf8(a, b));
}

/** An open row has a price (docs/quotes.md#prices). */
function priceOf(row: SportsbookLinesRow, price: number | null): number {
  if (price === null) throw new Error(`row ${row.row_number} is open and has no price: the log is damaged`);
  return price;
}
