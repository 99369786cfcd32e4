// What a sportsbook offers: turns one record's quotes into rows and moves the selections (docs/quotes.md#row-order). Independent of
// ownership, duplicates and segment cuts. A change of the rows that a record gives raises `foldRules` (log-version.ts).
import type { NormalCoverage, NormalQuote, Price } from '../quotes/types.ts';
import type { Task } from '../scheduling/task.ts';
import type { Micros } from '../units.ts';
import { mostSelections } from './game-limits.ts';
import type { GameState, OperatorState, QuotedSelection } from './game-state.ts';
import { sharedWord } from './game-state.ts';
import type { Appended } from './log-tail.ts';
import { appendRow } from './log-tail.ts';
import type { QuoteChange, QuoteRow } from './types.ts';
import { compareUtf8 } from './utf8-order.ts';

/** What all rows of one record share, and where they go. */
export type RowContext = Appended & {
  game: GameState;
  game_id: string;
  league: string;
  source: string;
  in_play: boolean;
  timestamp: Micros;
};

/** A pending row: quotes are checked in the record's order; their rows are appended in the order of `selection_id`. */
type PendingRow = { change: QuoteChange; quote: NormalQuote; selection: QuotedSelection | undefined };

/** A refused quote, by its index: a delta withdraws a selection that is not there, or there is no room for a new selection. */
export type RefusedQuote = { index: number; code: 'unknown-selection' | 'too-many-selections' };

/**
 * Applies the quotes of one sportsbook; an image also counts the selections it covers and leaves out. If there is not enough room for all
 * new selections, the first ones in the record get it. Returns the refused quotes.
 */
export function* foldQuotes(
  operator: OperatorState,
  quotes: readonly NormalQuote[],
  image: { coverage: NormalCoverage } | null,
  context: RowContext,
): Task<readonly RefusedQuote[]> {
  const pending: PendingRow[] = [];
  const refused: RefusedQuote[] = [];
  let room = mostSelections - operator.selections.size;
  let seen = 0;
  for (let index = 0; index < quotes.length; index += 1) {
    if (index % quotesOfStep === quotesOfStep - 1) yield;
    const quote = quotes[index]!;
    const selection = operator.selections.get(quote.selection_id);
    const change = changeOf(quote, selection);
    if (selection !== undefined && isListed(selection.row)) {
      selection.mark = context.game.serial;
      seen += 1;
      if (selection.missing > 0) {
        selection.missing = 0;
        operator.missing -= 1;
        operator.cameBack += 1;
      }
    }
    if (change === null) continue;
    if (change === 'unknown-selection') refused.push({ index, code: change });
    else if (selection === undefined && room <= 0) refused.push({ index, code: 'too-many-selections' });
    else {
      if (selection === undefined) room -= 1;
      pending.push({ change, quote, selection });
    }
  }
  // Before new selections join `live`: only those that were there can be missing.
  const leavesOut = image !== null && seen < operator.live.length;
  const gone = leavesOut ? countMissing(operator, image.coverage, context.game.serial) : none;
  if (pending.length > 0) yield* appendRows(operator, pending, context);
  if (gone.length > 0) withdraw(operator, gone, context);
  return refused;
}

const none: readonly QuotedSelection[] = [];

/** A step of a large image: its quotes take less than a millisecond. */
const quotesOfStep = 256;

/** Whether a selection is on the board: open or suspended. */
export function isListed(row: QuoteRow): boolean {
  return row.change !== 'withdrawn';
}

/** How a quote changes its selection; null if it changes nothing. docs/quotes.md#open-quotes. */
function changeOf(
  quote: NormalQuote,
  selection: QuotedSelection | undefined,
): QuoteChange | 'unknown-selection' | null {
  const last = selection?.row;
  if (quote.state === 'withdrawn')
    return last === undefined || last.change === 'withdrawn' ? 'unknown-selection' : 'withdrawn';
  if (quote.state === 'suspended') return last?.change === 'suspended' ? null : 'suspended';
  if (last === undefined) return 'opened';
  if (!last.is_open) return 'resumed';
  const price = openPrice(quote);
  const moved = price.decimal !== last.price_decimal || price.american !== last.price_american;
  if (quote.line === last.line) return moved ? 'price' : null;
  return moved ? 'price_and_line' : 'line';
}

function openPrice(quote: NormalQuote): Price {
  if (quote.price === null) throw new Error(`open quote without a price: ${quote.selection_id}`);
  return quote.price;
}

/** Appends the rows of the quotes, by `selection_id`, and updates their selections. */
function* appendRows(operator: OperatorState, pending: PendingRow[], context: RowContext): Task<void> {
  if (pending.length > 1) pending.sort((a, b) => compareUtf8(a.quote.selection_id, b.quote.selection_id));
  let withdrawn = false;
  for (let index = 0; index < pending.length; index += 1) {
    if (index % quotesOfStep === quotesOfStep - 1) yield;
    const { change, quote, selection } = pending[index]!;
    const row = rowOf(change, quote, selection?.row, operator, context);
    emit(operator, row, context);
    if (change === 'withdrawn') withdrawn = true;
    if (selection === undefined) {
      const opened = { row, alternate: quote.alternate, missing: 0, mark: context.game.serial };
      operator.selections.set(row.selection_id, opened);
      list(operator.live, opened);
      continue;
    }
    const wasListed = isListed(selection.row);
    selection.row = row;
    selection.alternate = quote.alternate;
    if (!wasListed) list(operator.live, selection);
  }
  if (withdrawn) unlistWithdrawn(operator);
}

/** The row for a quote. `last` is its selection's newest row. docs/quotes.md#open-quotes. */
function rowOf(
  change: QuoteChange,
  quote: NormalQuote,
  last: QuoteRow | undefined,
  operator: OperatorState,
  context: RowContext,
): QuoteRow {
  const isOpen = quote.state === 'open';
  // Line and price of a withdrawn quote are ignored; a suspended quote may leave out either.
  const price = isOpen ? openPrice(quote) : change === 'withdrawn' ? null : quote.price;
  const line = change === 'withdrawn' ? null : quote.line;
  return {
    game_id: context.game_id,
    league: context.league,
    operator: operator.code,
    row_number: 0,
    selection_id: last?.selection_id ?? sharedWord(context.game, quote.selection_id),
    market: last?.market ?? sharedWord(context.game, quote.market),
    period: last?.period ?? sharedWord(context.game, quote.period),
    selection: last?.selection ?? sharedWord(context.game, quote.selection),
    player_id: change === 'withdrawn' ? (last?.player_id ?? null) : quote.player_id,
    line: isOpen ? line : (line ?? last?.line ?? null),
    price_american: price === null ? (last?.price_american ?? null) : price.american,
    price_decimal: price === null ? (last?.price_decimal ?? null) : price.decimal,
    price_source_format: price === null ? (last?.price_source_format ?? null) : price.format,
    is_open: isOpen,
    change,
    in_play: context.in_play,
    timestamp: context.timestamp,
    source_timestamp: quote.source_timestamp,
    source: context.source,
  };
}

/**
 * Counts the selections that an image covers and leaves out. Returns those now missing twice, by `selection_id`.
 * docs/quotes.md#missing-quotes.
 */
function countMissing(operator: OperatorState, coverage: NormalCoverage, serial: number): QuotedSelection[] {
  const gone: QuotedSelection[] = [];
  for (const selection of operator.live) {
    if (selection.mark === serial || !covers(coverage, selection)) continue;
    if (selection.missing === 0) {
      selection.missing = 1;
      operator.missing += 1;
      operator.wentMissing += 1;
    } else {
      selection.missing = 0;
      operator.missing -= 1;
      gone.push(selection);
    }
  }
  return gone;
}

/** Whether the image covers the selection: by market, by period, and by whether the line is part of its identity. */
function covers(coverage: NormalCoverage, { row, alternate }: QuotedSelection): boolean {
  if (coverage === null) return true;
  for (const covered of coverage) {
    if (covered.market !== row.market) continue;
    if (covered.period !== null && covered.period !== row.period) continue;
    if (covered.alternate === null || covered.alternate === alternate) return true;
  }
  return false;
}

/**
 * Appends withdrawal rows for selections that two images left out. Each repeats the last row, without a source time.
 * docs/quotes.md#missing-quotes.
 */
function withdraw(operator: OperatorState, gone: readonly QuotedSelection[], context: RowContext): void {
  for (const selection of gone) {
    const row: QuoteRow = {
      ...selection.row,
      game_id: context.game_id,
      league: context.league,
      is_open: false,
      change: 'withdrawn',
      in_play: context.in_play,
      timestamp: context.timestamp,
      source_timestamp: null,
      source: context.source,
    };
    emit(operator, row, context);
    selection.row = row;
  }
  unlistWithdrawn(operator);
}

function emit(operator: OperatorState, row: QuoteRow, context: RowContext): void {
  appendRow(context.game, row, context);
  operator.changedRows += 1;
  operator.lastRowAt = row.timestamp;
}

/** Inserts a selection into the board, ordered by `selection_id`. */
function list(live: QuotedSelection[], selection: QuotedSelection): void {
  const id = selection.row.selection_id;
  let low = 0;
  let high = live.length;
  if (high > 0 && compareUtf8(live[high - 1]!.row.selection_id, id) < 0) low = high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareUtf8(live[middle]!.row.selection_id, id) < 0) low = middle + 1;
    else high = middle;
  }
  live.splice(low, 0, selection);
}

function unlistWithdrawn(operator: OperatorState): void {
  operator.live = operator.live.filter((selection) => isListed(selection.row));
}
