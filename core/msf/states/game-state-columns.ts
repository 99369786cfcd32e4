// The columns of game-state that one feed gives (docs/revisions.md#state-from-scores). null or [] means that the feed gives no value;
// game-state.ts chooses the feed per column.
import type { GameStateRow } from '../../../schemas/datasets/game-state.ts';
import type { League } from '../../../schemas/reference/leagues.ts';
import { canonicalJson } from '../../json/canonical.ts';
import { type JsonObject, type JsonValue, memberOf } from '../../json/value.ts';
import { gameOf } from '../bodies/game-object.ts';
import { venueUuid } from '../ids.ts';
import { int32Of, int64Of, listOf, objectOf, textOf, timestampOf, valueAt } from '../values.ts';
import { BodyIds } from './body-ids.ts';

/** The columns of game-state that come from feeds. */
export type StatedGame = Omit<GameStateRow, 'game_id' | 'league' | 'period_type'>;

/** The progress of the game: the columns that the score, or the plays, of a body give. */
export type StatedProgress = Pick<
  StatedGame,
  | 'period'
  | 'intermission'
  | 'clock_seconds_remaining'
  | 'possession_team_id'
  | 'home_score'
  | 'away_score'
  | 'home_period_scores'
  | 'away_period_scores'
  | 'situation'
>;

/** The progress from a body that gives none. */
export const unknownProgress: StatedProgress = {
  period: null,
  intermission: null,
  clock_seconds_remaining: null,
  possession_team_id: null,
  home_score: null,
  away_score: null,
  home_period_scores: [],
  away_period_scores: [],
  situation: null,
};

/** The game object of a body: its columns, and the ids of the body. */
type ReadGame = { readonly columns: Omit<StatedGame, keyof StatedProgress>; readonly ids: BodyIds };

/**
 * Null if the value is not a complete game object: such a body gives no column and no status. A complete one has both statuses and the ids of
 * both teams (docs/revisions.md#game-objects), so no feed's `''` ever hides the value of another.
 */
export function readGame(league: League, value: JsonValue): ReadGame | null {
  const game = gameOf(value, 'whole');
  if (game === null) return null;
  const ids = new BodyIds(league, { away: game.away, home: game.home });
  const venueId = int64Of(valueAt(value, 'venue', 'id'));
  const columns = {
    msf_game_id: game.id,
    start_time: game.startTime,
    original_start_time: timestampOf(valueAt(value, 'originalStartTime')),
    ended_time: timestampOf(valueAt(value, 'endedTime')),
    schedule_status: textOf(valueAt(value, 'scheduleStatus')) ?? '',
    delayed_or_postponed_reason: textOf(valueAt(value, 'delayedOrPostponedReason')),
    played_status: textOf(valueAt(value, 'playedStatus')) ?? '',
    home_team_id: ids.home ?? '',
    away_team_id: ids.away ?? '',
    venue_id: venueId === null ? null : venueUuid(league, venueId),
    venue_name: textOf(valueAt(value, 'venue', 'name')),
    venue_allegiance: textOf(valueAt(value, 'venueAllegiance')),
    attendance: int32Of(valueAt(value, 'attendance')),
  };
  return { columns, ids };
}

const parts = ['Quarter', 'Period', 'Inning'] as const;
const periodMembers = parts.map((part) => `current${part}`);
const clockMembers = parts.map((part) => `current${part}SecondsRemaining`);
const listMembers = parts.map((part) => `${part.toLowerCase()}s`);
const numberMembers = parts.map((part) => `${part.toLowerCase()}Number`);

/** Members of a score that have columns of their own; all others are its situation. */
const columnMembers: ReadonlySet<string> = new Set([
  ...periodMembers,
  ...clockMembers,
  ...listMembers,
  'currentIntermission',
  'teamInPossession',
  'awayScoreTotal',
  'homeScoreTotal',
]);

/** The progress of a game from a `score` or a `scoring`. */
export function progressOfScore(ids: BodyIds, value: JsonValue): StatedProgress {
  const score = objectOf(value);
  if (score === null) return unknownProgress;
  const periods = periodScores(firstMember(score, listMembers));
  return {
    period: int32Of(firstMember(score, periodMembers)),
    intermission: int32Of(memberOf(score, 'currentIntermission')),
    clock_seconds_remaining: int32Of(firstMember(score, clockMembers)),
    possession_team_id: ids.team(memberOf(score, 'teamInPossession')),
    home_score: int32Of(memberOf(score, 'homeScoreTotal')),
    away_score: int32Of(memberOf(score, 'awayScoreTotal')),
    home_period_scores: periods.flatMap(({ home }) => home ?? []),
    away_period_scores: periods.flatMap(({ away }) => away ?? []),
    situation: situationOf(score, (name) => columnMembers.has(name)),
  };
}

/** RFC 8785 of the members that have a value and no column of their own; null when none is left. */
export function situationOf(members: JsonObject, hasColumn: (name: string) => boolean): string | null {
  const left = Object.entries(members).filter(([name, value]) => value !== null && !hasColumn(name));
  return left.length === 0 ? null : canonicalJson(Object.fromEntries(left));
}

/** Ascending by number. A score that is missing is left out of its side's list alone: home need not bat in the last inning. */
function periodScores(list: JsonValue): readonly { home: number | null; away: number | null }[] {
  const periods: { number: number; home: number | null; away: number | null }[] = [];
  for (const value of listOf(list)) {
    const entry = objectOf(value);
    if (entry === null) continue;
    const number = int32Of(firstMember(entry, numberMembers));
    const home = int32Of(memberOf(entry, 'homeScore'));
    const away = int32Of(memberOf(entry, 'awayScore'));
    if (number !== null) periods.push({ number, home, away });
  }
  return periods.sort((a, b) => a.number - b.number);
}

function firstMember(object: JsonObject, names: readonly string[]): JsonValue {
  for (const name of names) {
    const value = memberOf(object, name);
    if (value !== null) return value;
  }
  return null;
}
