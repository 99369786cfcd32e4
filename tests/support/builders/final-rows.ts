// A settled game's rows of each dataset: one operator, a moneyline and a total, a home win. Few, plausible, and always
// the same.
import type { ClosingLinesRow } from '../../../schemas/datasets/closing-lines.ts';
import type { GameStateTimelineRow } from '../../../schemas/datasets/game-state-timeline.ts';
import type { MarketResultsRow } from '../../../schemas/datasets/market-results.ts';
import type { SportsbookLinesRow } from '../../../schemas/datasets/sportsbook-lines.ts';

export type FinalGame = { uuid: string; gameId: string; league: string };

/** 2026-08-05T23:05:00Z, in microseconds; the date in days since the epoch. */
const start = Date.UTC(2026, 7, 5, 23, 5) * 1_000;
const gameDay = Date.UTC(2026, 7, 5) / 86_400_000;
const minute = 60_000_000;

const selections = [
  { selection_id: 'moneyline/full/home', market: 'moneyline', selection: 'home', line: null },
  { selection_id: 'moneyline/full/away', market: 'moneyline', selection: 'away', line: null },
  { selection_id: 'total/full/over', market: 'total', selection: 'over', line: 8_500 },
  { selection_id: 'total/full/under', market: 'total', selection: 'under', line: 8_500 },
] as const;

const common = (game: FinalGame, index: number) => ({
  game_id: game.gameId,
  league: game.league,
  ...(selections[index % selections.length] as (typeof selections)[number]),
  period: 'full',
  player_id: null,
});

/** A price that varies, so that files of many rows do not compress to almost nothing. */
const american = (turn: number) => -105 - ((turn * 7_919) % 397);
const jitter = (index: number) => (index * 104_729) % 900_001;
const decimal = (price: number) => 10_000 + Math.round(1_000_000 / -price);

/** `count` rows of the log: first each selection opens, then prices change one by one. */
export function lineRows(game: FinalGame, count: number): SportsbookLinesRow[] {
  return Array.from({ length: count }, (_, index) => {
    const turn = Math.floor(index / selections.length);
    const price = american(turn === 0 ? 0 : index);
    return {
      ...common(game, index),
      operator: 'DRAFTKINGS',
      row_number: index + 1,
      price_american: price,
      price_decimal: decimal(price),
      price_source_format: 'american',
      is_open: true,
      change: turn === 0 ? 'opened' : 'price',
      in_play: turn > 3,
      timestamp: start + (turn - 4) * minute,
      source_timestamp: index % 2 === 0 ? start + (turn - 4) * minute - jitter(index) : null,
      source: 'recorded',
    };
  });
}

export function closingRows(game: FinalGame): ClosingLinesRow[] {
  return selections.map((_, index) => ({
    ...common(game, index),
    game_date: gameDay,
    operator: 'DRAFTKINGS',
    closing_price_american: american(3),
    closing_price_decimal: decimal(american(3)),
    opening_line: selections[index]?.line ?? null,
    opening_price_american: american(0),
    opening_price_decimal: decimal(american(0)),
    opened_at: start - 4 * minute,
    closed_at: start - minute,
    close_basis: 'last_before_start',
    scheduled_start: start,
    actual_start: start,
    home_player_ids: ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'],
    away_player_ids: [],
  }));
}

export function resultRows(game: FinalGame): MarketResultsRow[] {
  return selections.map((_, index) => ({
    ...common(game, index),
    result: index % 2 === 0 ? 'win' : 'loss',
    result_value: index < 2 ? 2_000 : 9_000,
    result_reason: null,
    settled_at: start + 190 * minute,
    settlement_source: 'recorded',
    correction: 0,
  }));
}

export function timelineRows(game: FinalGame): GameStateTimelineRow[] {
  return Array.from({ length: 6 }, (_, index) => ({
    game_id: game.gameId,
    league: game.league,
    sequence: index + 1,
    timestamp: start + index * 30 * minute,
    status: index === 5 ? 'COMPLETED' : 'STARTED',
    period: index === 5 ? null : index + 1,
    period_type: index === 5 ? null : 'inning',
    clock_seconds_remaining: null,
    home_score: index,
    away_score: Math.floor(index / 2),
    possession_team_id: null,
    situation: index === 5 ? null : '{"outs":1}',
    stream_epoch: '01K1XXXXXXXXXXXXXXXXXXXXXX',
    revision: index + 1,
  }));
}
