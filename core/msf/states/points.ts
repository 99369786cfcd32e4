// What a play scored and for which team (docs/revisions.md#points), by a table for each sport. If the source does not say enough, the body
// gives no score, and the score of the other feeds stands.
import { leagueTable } from '../../../schemas/reference/leagues.ts';
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../json/value.ts';
import { playFormOf } from '../play-forms.ts';
import { integerOf, listOf, objectOf, valueAt } from '../values.ts';
import type { BodyIds, Side } from './body-ids.ts';

export type Scoring = {
  /** Null if the play scored nothing. */
  readonly points: number | null;
  /** Id of the team that is credited. */
  readonly team: string | null;
  readonly side: Side | null;
  /** Whether this play has all the facts that the game's score needs. */
  readonly isConclusive: boolean;
};

/** Points for the named team, or (`other`) for its opponent. */
type Credit = { readonly points: number; readonly team: JsonValue; readonly other: boolean };

const nothing: Scoring = { points: null, team: null, side: null, isConclusive: true };
const unclear: Scoring = { ...nothing, isConclusive: false };

/** The team of an action: the first of its members that names one. docs/revisions.md#plays. */
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

/** The first rule that applies decides. */
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

/** A team that is not named, or does not play in this game, cannot be credited in the score; the play keeps its points. */
function credited(ids: BodyIds, { points, team, other }: Credit): Scoring {
  const named = ids.team(team);
  const side = ids.side(named);
  if (!other) return { points, team: named, side, isConclusive: side !== null };
  if (side === null) return { points, team: null, side: null, isConclusive: false };
  return side === 'away'
    ? { points, team: ids.home, side: 'home', isConclusive: true }
    : { points, team: ids.away, side: 'away', isConclusive: true };
}
