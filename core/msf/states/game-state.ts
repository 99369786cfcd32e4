// Merges the feeds about a game into one game-state row (docs/revisions.md#feeds-and-datasets; docs/revisions.md#game-state). The feed used
// depends on the column, on the feeds' current content and on when that content was first requested; never on arrival order.
import type { GameStateRow } from '../../../schemas/datasets/game-state.ts';
import type { Micros } from '../../units.ts';
import type { MsfFeed, Scope } from '../types.ts';
import type { AppliedFeed } from './feed-content.ts';
import type { StatedGame } from './game-state-columns.ts';
import { periodType } from './periods.ts';

/** The newest applied observation of each feed. */
export type AppliedFeeds = ReadonlyMap<MsfFeed, AppliedFeed>;

/** Facts that change a game's status or start time (docs/quotes.md#game-statuses). */
type GameFacts = {
  playedStatus: string | null;
  scheduleStatus: string | null;
  startTime: Micros | null;
  /** Whether the start comes from the feed `games`, which takes precedence over the odds source (docs/quotes.md#scheduled-start). */
  startFromSchedule: boolean;
};

/** The feeds with columns of game-state, in the default order of precedence. */
export const gameStateFeeds = ['games', 'boxscore', 'playbyplay'] as const;
/** The order of precedence for the progress of a LIVE game: scores, period, clock, possession, situation. */
const liveProgressFeeds = ['boxscore', 'playbyplay', 'games'] as const;

/** Feeds in order of precedence, and the feed whose content changed most recently (it gives the statuses). */
type RankedFeeds = { byDefault: readonly StatedGame[]; forProgress: readonly StatedGame[]; newest: StatedGame };

/** The one row of game-state; null while no feed names the game. */
export function gameStateRow(scope: Scope, feeds: AppliedFeeds): GameStateRow | null {
  const ranked = rankFeeds(feeds);
  if (ranked === null) return null;
  const { byDefault, forProgress, newest } = ranked;
  const period = firstOf(forProgress, 'period');
  return {
    game_id: scope.id,
    league: scope.league,
    msf_game_id: newest.msf_game_id,
    start_time: firstOf(byDefault, 'start_time'),
    original_start_time: firstOf(byDefault, 'original_start_time'),
    ended_time: firstOf(byDefault, 'ended_time'),
    schedule_status: newest.schedule_status,
    delayed_or_postponed_reason: firstOf(byDefault, 'delayed_or_postponed_reason'),
    played_status: newest.played_status,
    period,
    period_type: periodType(scope.league, period),
    intermission: firstOf(forProgress, 'intermission'),
    clock_seconds_remaining: firstOf(forProgress, 'clock_seconds_remaining'),
    possession_team_id: firstOf(forProgress, 'possession_team_id'),
    home_team_id: firstOf(byDefault, 'home_team_id'),
    away_team_id: firstOf(byDefault, 'away_team_id'),
    home_score: firstOf(forProgress, 'home_score'),
    away_score: firstOf(forProgress, 'away_score'),
    home_period_scores: firstOf(forProgress, 'home_period_scores'),
    away_period_scores: firstOf(forProgress, 'away_period_scores'),
    venue_id: firstOf(byDefault, 'venue_id'),
    venue_name: firstOf(byDefault, 'venue_name'),
    venue_allegiance: firstOf(byDefault, 'venue_allegiance'),
    attendance: firstOf(byDefault, 'attendance'),
    situation: firstOf(forProgress, 'situation'),
  };
}

/** What the feeds report for the game's record in the catalog. */
export function gameFacts(feeds: AppliedFeeds): GameFacts {
  const ranked = rankFeeds(feeds);
  return {
    playedStatus: ranked?.newest.played_status ?? null,
    scheduleStatus: ranked?.newest.schedule_status ?? null,
    startTime: ranked === null ? null : firstOf(ranked.byDefault, 'start_time'),
    startFromSchedule: (feeds.get('games')?.content.game ?? null) !== null,
  };
}

function rankFeeds(feeds: AppliedFeeds): RankedFeeds | null {
  let newest: { game: StatedGame; since: Micros } | null = null;
  for (const feed of gameStateFeeds) {
    const applied = feeds.get(feed);
    const game = applied?.content.game ?? null;
    if (applied === undefined || game === null) continue;
    if (newest === null || applied.contentSince > newest.since) newest = { game, since: applied.contentSince };
  }
  if (newest === null) return null;
  const byDefault = statedBy(gameStateFeeds, feeds);
  const forProgress = newest.game.played_status === 'LIVE' ? statedBy(liveProgressFeeds, feeds) : byDefault;
  return { byDefault, forProgress, newest: newest.game };
}

function statedBy(order: readonly MsfFeed[], feeds: AppliedFeeds): readonly StatedGame[] {
  return order.map((feed) => feeds.get(feed)?.content.game ?? null).filter((game) => game !== null);
}

/** The column's value in the first feed that has one. */
function firstOf<C extends keyof StatedGame>(ranked: readonly StatedGame[], column: C): StatedGame[C] {
  const first = ranked[0] as StatedGame;
  return (ranked.find((game) => isValue(game[column])) ?? first)[column];
}

function isValue(value: StatedGame[keyof StatedGame]): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}
