// The progress of a game from its plays (docs/revisions.md#state-from-plays): the score where every play says enough, and, while
// the body itself calls the game LIVE, where the last play was.
import { memberOf } from '../../json/value.ts';
import { playFormOf } from '../play-forms.ts';
import type { BodyIds } from './body-ids.ts';
import { type StatedProgress, situationOf, unknownProgress } from './game-state-columns.ts';
import { periodSeconds } from './periods.ts';
import type { ReadPlay } from './plays.ts';

/** The progress of a game from its plays, in body order. */
export function progressOfPlays(ids: BodyIds, playedStatus: string, plays: readonly ReadPlay[]): StatedProgress {
  const last = plays.at(-1);
  if (last === undefined || playFormOf(ids.league).list === 'atBats') return unknownProgress;
  return {
    ...unknownProgress,
    ...(plays.every(({ scoring }) => scoring.isConclusive) ? scoreOf(plays) : {}),
    ...(playedStatus === 'LIVE' ? placeOf(ids, last) : {}),
  };
}

/** The sums of points, in all and by period: 1 to the last, 0 where nothing was scored. */
function scoreOf(plays: readonly ReadPlay[]): Partial<StatedProgress> {
  const periods = plays.reduce((most, { play }) => Math.max(most, play.period), 0);
  const totals = { home: 0, away: 0 };
  const byPeriod = { home: zeros(periods), away: zeros(periods) };
  for (const { play, scoring } of plays) {
    if (play.points === null || scoring.side === null) continue;
    totals[scoring.side] += play.points;
    const scores = byPeriod[scoring.side];
    if (play.period >= 1) scores[play.period - 1] = (scores[play.period - 1] ?? 0) + play.points;
  }
  return {
    home_score: totals.home,
    away_score: totals.away,
    home_period_scores: byPeriod.home,
    away_period_scores: byPeriod.away,
  };
}

function zeros(count: number): number[] {
  return new Array<number>(count).fill(0);
}

/** Members of a play's status that have columns of their own, or that list players. */
const statusMembers: ReadonlySet<string> = new Set([
  'quarter',
  'period',
  'inning',
  'secondsElapsed',
  'teamInPossession',
]);

function placeOf(ids: BodyIds, { play, status }: ReadPlay): Partial<StatedProgress> {
  const seconds = periodSeconds(ids.league, play.period);
  const remaining =
    seconds === null || play.clock_seconds_elapsed === null ? null : seconds - play.clock_seconds_elapsed;
  return {
    period: play.period,
    clock_seconds_remaining: remaining === null || remaining < 0 ? null : remaining,
    possession_team_id: status === null ? null : ids.team(memberOf(status, 'teamInPossession')),
    situation: status === null ? null : situationOf(status, isNoSituation),
  };
}

function isNoSituation(name: string): boolean {
  return statusMembers.has(name) || name.startsWith('awayPlayersOn') || name.startsWith('homePlayersOn');
}
