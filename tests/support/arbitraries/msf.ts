// Logs of one game and of its league, for properties. Few bodies come again and again: requested early, late or at the
// same time, stamped or not. Some scopes are minted half-way, some records are logged twice, and ticks move time on by
// minutes, days and months.
import fc from 'fast-check';
import type { JsonObject } from '../../../core/json/value.ts';
import { elementOf } from '../../../core/msf/bodies/element.ts';
import { gameUuid, leagueUuid } from '../../../core/msf/ids.ts';
import type { MsfFeed, Scope } from '../../../core/msf/types.ts';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { type Micros, microsPerHour, microsPerSecond } from '../../../core/units.ts';
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import type { League } from '../../../schemas/reference/leagues.ts';
import { gameObject, log, noStats, play } from '../builders/msf-bodies.ts';
import { frameOf, observationRecord } from '../folds/msf-log.ts';

export type LogStep = {
  kind: 'observation' | 'tick';
  /** Seconds since the step before. */
  wait: number;
  feed: MsfFeed;
  ofLeague: boolean;
  /** The request start, seconds before the log time; null: unknown. */
  asked: number | null;
  /** `lastUpdatedOn`, seconds before the log time; null: none. */
  stamp: number | null;
  /** `X-Observed-At`, seconds before the log time; null: not sent. */
  observed: number | null;
  played: string;
  schedule: string;
  variant: number;
  /** The record names its game by the UUID even if the game has its public id: the record was already under way. */
  unminted: boolean;
  /** Logs the step this many places before once more, as when the answer to a push was lost. 0: a new step. */
  again: number;
};

export type LogSketch = {
  league: League;
  /** The step at which the game is minted; 0: at the beginning; after the last step: never. */
  mintedAt: number;
  steps: readonly LogStep[];
};

export type LoggedRecord = { record: ObservationsRecord; at: Micros; body: JsonObject | null };

const day = 24 * 3_600;
export const msfGameId = 900001;
const publicIds: Partial<Record<League, string>> = { NBA: 'NBA_BOS_CLE_20260109', NHL: 'NHL_BOS_CLE_20260109' };

const observation: fc.Arbitrary<LogStep> = fc.record({
  kind: fc.constant('observation' as const),
  wait: fc.constantFrom(0, 1, 10, 10, 600),
  feed: fc.constantFrom<MsfFeed>('playbyplay', 'playbyplay', 'boxscore', 'games', 'player_gamelogs', 'injuries'),
  ofLeague: fc.boolean(),
  asked: fc.constantFrom(null, 0, 1, 1, 1, 15, 700, -299, -301),
  stamp: fc.constantFrom(null, 2, 2, 2, 30, -300, -301),
  observed: fc.constantFrom(null, null, null, 0, 60),
  played: fc.constantFrom('UNPLAYED', 'LIVE', 'COMPLETED_PENDING_REVIEW', 'COMPLETED', 'COMPLETED', 'COMPLETED'),
  schedule: fc.constantFrom('NORMAL', 'NORMAL', 'NORMAL', 'DELAYED', 'ABANDONED'),
  variant: fc.nat(5),
  unminted: fc.integer({ min: 0, max: 7 }).map((each) => each === 0),
  again: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 1, 2, 6),
});

const tick: fc.Arbitrary<LogStep> = fc
  .record({ step: observation, wait: fc.constantFrom(60, 13 * 3_600, day, day - 1, 8 * day, 31 * day) })
  .map(({ step, wait }) => ({ ...step, kind: 'tick', wait }));

/** Logs of up to `maxLength` steps. */
export function msfLogs(maxLength = 40): fc.Arbitrary<LogSketch> {
  return fc.record({
    league: fc.constantFrom<League>('NBA', 'NBA', 'NHL'),
    mintedAt: fc.constantFrom(0, 0, 0, 5, 12, maxLength),
    steps: fc.array(fc.oneof({ weight: 5, arbitrary: observation }, { weight: 1, arbitrary: tick }), {
      minLength: 1,
      maxLength,
      size: 'max',
    }),
  });
}

export function scopesOf(league: League): { game: Scope; league: Scope } {
  const uuid = gameUuid(league, msfGameId);
  return {
    game: { kind: 'game', uuid, id: publicIds[league] ?? uuid, league },
    league: { kind: 'league', uuid: leagueUuid(league), id: league, league },
  };
}

/** The records of a sketch, in log order. */
export function recordsOf({ league, mintedAt, steps }: LogSketch): LoggedRecord[] {
  const scopes = scopesOf(league);
  let at: Micros = Date.UTC(2026, 0, 10, 1) * 1_000;
  const logged = steps.map((step, index) => {
    at += step.wait * microsPerSecond;
    const isUnminted = index < mintedAt || step.unminted;
    const game = isUnminted ? { ...scopes.game, id: scopes.game.uuid } : scopes.game;
    const isOfLeague = step.ofLeague && (step.kind === 'tick' || step.feed === 'injuries');
    const scope = isOfLeague ? scopes.league : game;
    if (step.kind === 'tick')
      return { record: { ...frameOf(scope), source: '', tick: { at } }, at, body: null, copies: null };
    const before = (seconds: number | null): Micros | null =>
      seconds === null ? null : at - seconds * microsPerSecond;
    const stamp = before(step.stamp);
    const content = contentOf(league, step);
    const body = { ...content, lastUpdatedOn: stamp === null ? null : formatMicros(stamp) };
    const push = { feed: step.feed, requested: before(step.asked), at, observedAt: before(step.observed), body };
    const said = observationRecord(scope, push, isOfLeague ? null : msfGameId, elementOf(body));
    // Without a receive time, the record has the broker's time.
    const record = { ...said, received_at: null, push: `push${index}`, push_index: 0 };
    const first = step.again === 0 ? undefined : steps[index - step.again];
    const isCopy = first?.kind === 'observation' && first.again === 0;
    return { record, at, body: content, copies: isCopy ? index - step.again : null };
  });
  return logged.map(({ copies, ...each }) => {
    const first = copies === null ? undefined : logged[copies];
    return first === undefined ? each : { record: { ...first.record }, at: each.at, body: first.body };
  });
}

/** A record that only moves time on. */
export function tickAt(scope: Scope, at: Micros): LoggedRecord {
  return { record: { ...frameOf(scope), source: '', tick: { at } }, at, body: null };
}

export const microsPerDay: Micros = 24 * microsPerHour;

function contentOf(league: League, { feed, played, schedule, variant }: LogStep): JsonObject {
  const game = gameObject({ playedStatus: played, scheduleStatus: schedule, attendance: variant === 5 ? 1_000 : null });
  switch (feed) {
    case 'games': {
      const startTime = variant > 3 ? '2026-01-10T00:35:00Z' : '2026-01-10T00:30:00Z';
      const score = { awayScoreTotal: variant, homeScoreTotal: 2 };
      return { games: [{ schedule: { ...game, startTime }, score }] };
    }
    case 'boxscore': {
      const players = players6(variant).map((each) => ({ player: each, playerStats: [stats(variant)] }));
      const away = { teamStats: [stats(variant)], players };
      return { game, scoring: { awayScoreTotal: variant, homeScoreTotal: 3 }, stats: { ...noStats, away } };
    }
    case 'playbyplay':
      return { game, plays: playsOf(league, variant) };
    case 'player_gamelogs':
      return { gamelogs: players6(variant).map((each) => log({ player: each, stats: stats(variant % 2) })) };
    default: {
      const currentTeam = { id: 501, abbreviation: 'BOS' };
      const currentInjury = { description: variant > 3 ? 'left knee' : 'right knee', playingProbability: 'OUT' };
      return { players: players6(variant).map((each) => ({ ...each, currentTeam, currentInjury })) };
    }
  }
}

/** No players, then one more in each variant, then others. */
function players6(variant: number): JsonObject[] {
  const ids = variant < 5 ? [71, 72, 73, 74].slice(0, variant) : [72, 79];
  return ids.map((id) => ({ id, firstName: `F${id}`, lastName: `L${id}` }));
}

function stats(variant: number): JsonObject {
  return { offense: { pts: variant % 3, ast: 1 } };
}

/** A list that grows, then one with a play inserted, then one with a play corrected. */
function playsOf(league: League, variant: number): JsonObject[] {
  const period = league === 'NHL' ? 'period' : 'quarter';
  const at = (secondsElapsed: number, given: JsonObject = {}) => play({ [period]: 1, secondsElapsed }, given);
  const whole = [at(0), at(7), at(7), at(20), at(31), at(31), at(50)];
  if (variant < 4) return whole.slice(0, [0, 2, 4, 7][variant]);
  if (variant === 4) return whole.toSpliced(2, 0, at(7, { description: 'Foul' }));
  return whole.with(3, at(20, { timeout: { by: 'HOME' } }));
}
