// What a play scored and for whom (docs/revisions.md#points). A table of what the source says, sport by sport; where it does not say
// enough, no score is made of the body, and the score stays with the other feeds.
import { leagueTable } from '../../../schemas/reference/leagues.ts';
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../json/value.ts';
import { playFormOf } from '../play-forms.ts';
import { integerOf, listOf, objectOf, valueAt } from '../values.ts';
import type { BodyIds, Side } from './body-ids.ts';

export type Scoring = {
  /** Null when the play scored nothing. */
  readonly points: number | null;
  /** Id of the team credited. */
  readonly team: string | null;
  readonly side: Side | null;
  /** Whether the score of the game can be told from this play. */
  readonly saysEnough: boolean;
};

/** Points for a team of the body, or for the other one. */
type Credit = { readonly points: number; readonly team: JsonValue; readonly other: boolean };

const nothing: Scoring = { points: null, team: null, side: null, saysEnough: true };
const unclear: Scoring = { ...nothing, saysEnough: false };

/** The team that an action belongs to: the first of its members that name one. docs/revisions.md#plays. */
export function actingTeam(action: JsonObject): JsonValue {
  const named = [memberOf(action, 'team'), memberOf(action, 'kickingTeam'), valueAt(action, 'penalty', 'team')];
  return named.find(isJsonObject) ?? null;
}

/** What a play of this type scored. docs/revisions.md#points. */
export function scoringOf(ids: BodyIds, type: string, action: JsonObject | null, description: string): Scoring {
  if (!playFormOf(ids.league).isSeen) return unclear;
  if (leagueTable[ids.league].sport === 'american football') {
    const credit = action === null ? null : footballCredit(type, action, description);
    if (credit !== null) return credited(ids, credit);
    return description.includes('SAFETY') ? unclear : nothing;
  }
  if (action === null || memberOf(action, 'result') !== 'SCORED') return nothing;
  if (type !== 'fieldGoalAttempt' && type !== 'freeThrowAttempt') return nothing;
  const points = type === 'freeThrowAttempt' ? 1 : integerOf(memberOf(action, 'points'), 1, 3);
  return points === null ? unclear : credited(ids, { points, team: memberOf(action, 'team'), other: false });
}

/** The first rule that holds. */
function footballCredit(type: string, action: JsonObject, description: string): Credit | null {
  const is = (name: string) => memberOf(action, name) === true;
  if (is('isNoPlay')) return null;

  const team = actingTeam(action);
  if (type === 'fieldGoalAttempt' && is('isGood')) return { points: 3, team, other: false };
  if (type === 'extraPointAttempt' && is('isGood')) return { points: 1, team, other: false };
  if (is('isTwoPointConversion')) {
    const succeeds = is('isEndedWithTouchdown') || description.includes('ATTEMPT SUCCEEDS');
    return succeeds ? { points: 2, team, other: false } : null;
  }
  const fumbles = listOf(memberOf(action, 'subPlays')).map((play) => valueAt(play, 'fumble'));
  const returned = fumbles.find((fumble) => valueAt(fumble, 'isEndedWithTouchdown') === true);
  if (returned !== undefined) return { points: 6, team: valueAt(returned, 'recoveringTeam'), other: false };
  if ((type === 'kick' || type === 'punt') && is('isTouchdown')) {
    return { points: 6, team: memberOf(action, 'retrievingTeam'), other: false };
  }
  if (is('isEndedWithTouchdown')) {
    return { points: 6, team, other: objectOf(memberOf(action, 'interceptingPlayer')) !== null };
  }
  const safety = is('isSafety') || fumbles.some((fumble) => valueAt(fumble, 'isSafety') === true);
  return safety ? { points: 2, team, other: true } : null;
}

/** A team that is not named, or does not play here, cannot be credited in the score; the play has its points all the same. */
function credited(ids: BodyIds, { points, team, other }: Credit): Scoring {
  const named = ids.team(team);
  const side = ids.side(named);
  if (!other) return { points, team: named, side, saysEnough: side !== null };
  if (side === null) return { points, team: null, side: null, saysEnough: false };
  return side === 'away'
    ? { points, team: ids.home, side: 'home', saysEnough: true }
    : { points, team: ids.away, side: 'away', saysEnough: true };
}
