// Folds records with core/live and with the oracle side by side and reports where they first differ: outcome, rows,
// segments, boards and their rewriting, manifest facts. After some records the product's state is saved and loaded,
// which must change nothing.

import { boardRows, operatorsWithRows } from '../../../core/live/board.ts';
import type { Effects } from '../../../core/live/fold.ts';
import { type GameState, newGame } from '../../../core/live/game-state.ts';
import { liveFacts } from '../../../core/live/manifest.ts';
import { loadGame } from '../../../core/live/saved-game.ts';
import { tickGames } from '../../../core/live/ticks.ts';
import type { BoardRow, QuoteRow } from '../../../core/live/types.ts';
import { recordRefusal } from '../../../core/quotes/normalise-observation.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import type { Board } from '../../oracle/board.ts';
import { fixed } from '../../oracle/exact.ts';
import {
  columnsOf,
  type FoldedGame,
  foldPartitionTick,
  foldRecord,
  isOfPartition,
  publishedOf,
} from '../../oracle/records.ts';
import { writeTime } from '../../oracle/times.ts';
import { applyRecord } from '../builders/in-one-go.ts';
import { saveGame } from './save-game.ts';

export type Logged = { offset: number; timestamp: number; value: QuotesRecord };
export type Difference = { offset: number; what: string; product: unknown; oracle: unknown };

type Game = { state: GameState; rows: QuoteRow[]; segments: number[] };

function time(micros: number | bigint | null | undefined): string | null {
  return micros === null || micros === undefined ? null : writeTime(BigInt(micros));
}

/** A row of the product under the oracle's names. */
export function rowOfProduct(row: QuoteRow) {
  return {
    game_id: row.game_id,
    league: row.league,
    operator: row.operator,
    row_number: BigInt(row.row_number),
    selection_id: row.selection_id,
    market: row.market,
    period: row.period,
    selection: row.selection,
    player_id: row.player_id,
    line: row.line === null ? null : fixed(BigInt(row.line), 3),
    price_american: row.price_american,
    price_decimal: row.price_decimal === null ? null : fixed(BigInt(row.price_decimal), 4),
    price_source_format: row.price_source_format,
    is_open: row.is_open,
    change: row.change,
    in_play: row.in_play,
    timestamp: time(row.timestamp),
    source_timestamp: time(row.source_timestamp),
    source: row.source,
  };
}

function boardOfProduct(rows: readonly BoardRow[]) {
  return rows.map((row) => ({
    ...rowOfProduct(row),
    last_changed_at: time(row.last_changed_at),
    operator_observed_through: time(row.operator_observed_through),
    quote_state: row.quote_state,
  }));
}

function boardOfOracle(board: Board, folded: FoldedGame) {
  return board.entries.map(({ row, state }) => ({
    ...columnsOf(row, folded.fold.rows.indexOf(row) + 1, folded.league),
    last_changed_at: time(row.timestamp),
    operator_observed_through: time(board.observedThrough),
    quote_state: state,
  }));
}

/** Folds `records` on both sides and returns the first difference. */
export function firstDifference(
  records: readonly Logged[],
  savedAfter: (offset: number) => boolean,
): Difference | undefined {
  const games = new Map<string, Game>();
  const oracle: FoldedGame[] = [];
  for (const record of records) {
    const different = differenceAt(record, games, oracle);
    if (different !== undefined) return different;
    if (!savedAfter(record.offset)) continue;
    for (const game of games.values()) game.state = loadGame(JSON.parse(JSON.stringify(saveGame(game.state))));
  }
  return undefined;
}

/** Folds one record on both sides. */
function differenceAt(
  { offset, timestamp, value }: Logged,
  games: Map<string, Game>,
  oracle: FoldedGame[],
): Difference | undefined {
  const record = { offset, timestamp, key: value.game_uuid, value };
  const refusal = recordRefusal(value.game_uuid, value);
  if (refusal !== null) {
    const known = oracle.find((other) => other.uuid === value.game_uuid)?.refusals.length ?? 0;
    const codes = foldRecord(oracle, record).refusals.slice(known);
    const [ofProduct, ofOracle] = [[refusal.code], codes.map(({ code }) => code)];
    const same = textOf(ofProduct) === textOf(ofOracle);
    return same ? undefined : { offset, what: 'frame', product: ofProduct, oracle: ofOracle };
  }
  const before = oracle.map(accountBefore);
  if (isOfPartition(record)) {
    const effects = new Map<Game, Effects>();
    const byState = new Map([...games.values()].map((game) => [game.state, game]));
    tickGames(byState.keys(), value.tick?.at ?? 0, timestamp, (state, { boardsChanged }) => {
      effects.set(byState.get(state)!, { ...ofNothing, boardsChanged });
    });
    foldPartitionTick(oracle, record);
    for (const [uuid, game] of games) {
      const folded = oracle.find((other) => other.uuid === uuid)!;
      const known = before.find((other) => other.uuid === uuid);
      const different = differenceOf(offset, game, effects.get(game) ?? ofNothing, folded, known);
      if (different !== undefined) return different;
    }
    return undefined;
  }
  let game = games.get(value.game_uuid);
  if (game === undefined) {
    game = { state: newGame(value.game_uuid, { generation: 1, firstSeq: 1 }), rows: [], segments: [] };
    games.set(value.game_uuid, game);
  }
  const effects = applyRecord(game.state, value, { partition: 0, offset, timestamp });
  const known = before.find((other) => other.uuid === value.game_uuid);
  return differenceOf(offset, game, effects, foldRecord(oracle, record), known);
}

/** The effects on a game to which the tick does not apply. */
const ofNothing: Effects = { outcome: null, rows: [], segmentStarts: [], boardsChanged: [] };

type Before = { uuid: string; refusals: number; duplicates: number; rewrites: ReadonlyMap<string, number> };

/** How many refusals, duplicates and rows the oracle has for the game so far. */
function accountBefore({ uuid, refusals, duplicates, fold }: FoldedGame): Before {
  const rewrites = new Map(fold.operators.map((operator) => [operator.code, operator.rewrites]));
  return { uuid, refusals: refusals.length, duplicates: duplicates.length, rewrites };
}

/** Applies the effects of a record to the product's game and compares the game with the oracle's. */
function differenceOf(
  offset: number,
  game: Game,
  effects: Effects,
  folded: FoldedGame,
  before: Before | undefined,
): Difference | undefined {
  for (const [index, row] of effects.rows.entries()) {
    game.rows.push(row);
    if (effects.segmentStarts.includes(index)) game.segments.push(0);
    game.segments[game.segments.length - 1]! += 1;
  }
  const published = publishedOf(folded);
  const codes = folded.refusals.slice(before?.refusals ?? 0).map((refused) => refused.code);
  const isDuplicate = folded.duplicates.length > (before?.duplicates ?? 0);
  const rewritten = folded.fold.operators
    .filter(({ code, rewrites }) => rewrites !== (before?.rewrites.get(code) ?? 0))
    .map((operator) => operator.code);
  const facts = liveFacts(game.state);
  const pairs: [string, unknown, unknown][] = [
    ['refusals', asSet((effects.outcome?.refusals ?? []).map((refused) => refused.code)), asSet(codes)],
    ['duplicate', effects.outcome?.state === 'duplicate', isDuplicate],
    [
      'rows',
      effects.rows.map(rowOfProduct),
      published.rows
        .slice(game.rows.length - effects.rows.length)
        .map((row, index) => columnsOf(row, game.rows.length - effects.rows.length + index + 1, folded.league)),
    ],
    ['boards rewritten', asSet(effects.boardsChanged), asSet(rewritten)],
    [
      'boards',
      operatorsWithRows(game.state).map(({ code }) => [code, boardOfProduct(boardRows(game.state, code))]),
      published.boards.map((board) => [board.operator, boardOfOracle(board, folded)]),
    ],
    ['segments', game.segments, published.segments],
    [
      'manifest',
      {
        rows: facts.rows,
        applied_through: time(facts.appliedThrough),
        log_time: time(facts.logTime),
        operators: Object.entries(facts.operators).map(([code, one]) => [
          code,
          time(one.last_row_at),
          time(one.observed_through),
          one.source,
        ]),
      },
      {
        rows: published.rows.length,
        applied_through: time(published.appliedThrough),
        log_time: time(published.logTime),
        operators: published.boards.map((board) => [
          board.operator,
          time(published.rows.findLast((row) => row.operator === board.operator)?.timestamp),
          time(board.watermark),
          folded.fold.operators.find((operator) => operator.code === board.operator)?.owner,
        ]),
      },
    ],
  ];
  for (const [what, ofProduct, ofOracle] of pairs) {
    if (!isSame(ofProduct, ofOracle)) return { offset, what, product: ofProduct, oracle: ofOracle };
  }
  return undefined;
}

function asSet(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}

/**
 * Whether two values of lists, plain objects and primitives are equal, the order of members included, as their JSON
 * texts would be.
 */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length && one.every((item, at) => isSame(item, other[at]));
  }
  const [names, others] = [Object.keys(one), Object.keys(other)];
  return (
    names.length === others.length &&
    names.every((name, at) => name === others[at] && isSame(one[name as never], other[name as never]))
  );
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one));
}

/** A difference as readable text. */
export function describeDifference(difference: Difference): string {
  return `at offset ${difference.offset}, ${difference.what}:\nproduct ${textOf(difference.product)}\noracle  ${textOf(difference.oracle)}`;
}
