// The state of a game from all feeds that speak of it (docs/revisions.md#feeds-and-datasets; docs/revisions.md#game-state). Which feed is
// heard depends on the columns, on what each says now and on when its present content was first asked for — never on the order in which feeds
// arrived.
import type { GameStateRow } from '../../../schemas/datasets/game-state.ts';
import type { Micros } from '../../units.ts';
import type { MsfFeed, Scope } from '../types.ts';
import type { AppliedFeed } from './feed-content.ts';
import type { StatedGame } from './game-state-columns.ts';
import { periodType } from './periods.ts';

/** The newest applied observation of each feed. */
export type AppliedFeeds = ReadonlyMap<MsfFeed, AppliedFeed>;

/** What the game is moved by: statuses and start (docs/quotes.md#game-statuses). */
type GameFacts = {
  playedStatus: string | null;
  scheduleStatus: string | null;
  startTime: Micros | null;
  /** Whether the start comes from the feed `games`, which goes before odds (docs/quotes.md#scheduled-start). */
  startFromSchedule: boolean;
};

/** The feeds that speak of a game's state, in the order of most columns. */
export const gameStateFeeds = ['games', 'boxscore', 'playbyplay'] as const;
const liveCourseFeeds = ['boxscore', 'playbyplay', 'games'] as const;

/** What the feeds say, the first to be heard first, and the statuses of the one asked for last. */
type Heard = { usual: readonly StatedGame[]; course: readonly StatedGame[]; newest: StatedGame };

/** The one row of game-state; null while no feed names the game. */
export function gameStateRow(scope: Scope, feeds: AppliedFeeds): GameStateRow | null {
  const heard = hear(feeds);
  if (heard === null) return null;
  const { usual, course, newest } = heard;
  const period = firstOf(course, 'period');
  return {
    game_id: scope.id,
    league: scope.league,
    msf_game_id: newest.msf_game_id,
    start_time: firstOf(usual, 'start_time'),
    original_start_time: firstOf(usual, 'original_start_time'),
    ended_time: firstOf(usual, 'ended_time'),
    schedule_status: newest.schedule_status,
    delayed_or_postponed_reason: firstOf(usual, 'delayed_or_postponed_reason'),
    played_status: newest.played_status,
    period,
    period_type: periodType(scope.league, period),
    intermission: firstOf(course, 'intermission'),
    clock_seconds_remaining: firstOf(course, 'clock_seconds_remaining'),
    possession_team_id: firstOf(course, 'possession_team_id'),
    home_team_id: firstOf(usual, 'home_team_id'),
    away_team_id: firstOf(usual, 'away_team_id'),
    home_score: firstOf(course, 'home_score'),
    away_score: firstOf(course, 'away_score'),
    home_period_scores: firstOf(course, 'home_period_scores'),
    away_period_scores: firstOf(course, 'away_period_scores'),
    venue_id: firstOf(usual, 'venue_id'),
    venue_name: firstOf(usual, 'venue_name'),
    venue_allegiance: firstOf(usual, 'venue_allegiance'),
    attendance: firstOf(usual, 'attendance'),
    situation: firstOf(course, 'situation'),
  };
}

/** What the feeds say of the game as the catalog knows it. */
export function gameFacts(feeds: AppliedFeeds): GameFacts {
  const heard = hear(feeds);
  return {
    playedStatus: heard?.newest.played_status ?? null,
    scheduleStatus: heard?.newest.schedule_status ?? null,
    startTime: heard === null ? null : firstOf(heard.usual, 'start_time'),
    startFromSchedule: (feeds.get('games')?.content.game ?? null) !== null,
  };
}

function hear(feeds: AppliedFeeds): Heard | null {
  let newest: { game: StatedGame; since: Micros } | null = null;
  for (const feed of gameStateFeeds) {
    const applied = feeds.get(feed);
    const game = applied?.content.game ?? null;
    if (applied === undefined || game === null) continue;
    if (newest === null || applied.contentSince > newest.since) newest = { game, since: applied.contentSince };
  }
  if (newest === null) return null;
  const usual = statedBy(gameStateFeeds, feeds);
  const course = newest.game.played_status === 'LIVE' ? statedBy(liveCourseFeeds, feeds) : usual;
  return { usual, course, newest: newest.game };
}

function statedBy(order: readonly MsfFeed[], feeds: AppliedFeeds): readonly StatedGame[] {
  return order.map((feed) => feeds.get(feed)?.content.game ?? null).filter((game) => game !== null);
}

/** The column's value of the first that has one. */
function firstOf<C extends keyof StatedGame>(heard: readonly StatedGame[], column: C): StatedGame[C] {
  const first = heard[0] as StatedGame;
  return (heard.find((game) => isValue(game[column])) ?? first)[column];
}

function isValue(value: StatedGame[keyof StatedGame]): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}
