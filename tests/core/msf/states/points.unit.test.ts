// Every sentence of docs/revisions.md#points: what a play scored, for whom, and whether the score can be told from it.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../core/json/value.ts';
import { teamUuid } from '../../../../core/msf/ids.ts';
import { BodyIds, type Side } from '../../../../core/msf/states/body-ids.ts';
import { scoringOf } from '../../../../core/msf/states/points.ts';
import type { League } from '../../../../schemas/reference/leagues.ts';
import { msfTeam } from '../../../support/builders/msf-bodies.ts';

const away = msfTeam(1, 'BAL');
const home = msfTeam(2, 'KC');
const stranger = msfTeam(3, 'NE');
const sides = { away: { id: 1, abbreviation: 'BAL' }, home: { id: 2, abbreviation: 'KC' } };

/** Points, the side credited, and whether the play determines both. */
type Expected = readonly [points: number | null, side: Side | null, isConclusive: boolean];
type Case = readonly [name: string, type: string, action: JsonValue, expected: Expected, description?: string];

const none: Expected = [null, null, true];
const unclear: Expected = [null, null, false];

function check(league: League, [name, type, action, expected, description = '']: Case): void {
  it(name, () => {
    const ids = new BodyIds(league, sides);
    const scoring = scoringOf(ids, type, action as JsonObject | null, description);
    assert.deepEqual([scoring.points, scoring.side, scoring.isConclusive], expected);
    if (scoring.side !== null) assert.equal(scoring.team, scoring.side === 'away' ? ids.away : ids.home);
  });
}

const scored = (given: JsonObject) => ({ team: away, result: 'SCORED', ...given });

for (const league of ['NBA', 'NCAAM'] as const) {
  describe(`points, ${league}`, () => {
    const cases: readonly Case[] = [
      ['a scored field goal has its points', 'fieldGoalAttempt', scored({ points: 3 }), [3, 'away', true]],
      ['of two', 'fieldGoalAttempt', scored({ points: 2, team: home }), [2, 'home', true]],
      ['of one', 'fieldGoalAttempt', scored({ points: 1 }), [1, 'away', true]],
      ['written as a float', 'fieldGoalAttempt', scored({ points: 2.0 }), [2, 'away', true]],
      ['a missed one has none', 'fieldGoalAttempt', scored({ points: 3, result: 'MISSED' }), none],
      ['a blocked one has none', 'fieldGoalAttempt', scored({ points: 3, result: 'BLOCKED' }), none],
      ['a scored free throw is 1', 'freeThrowAttempt', scored({}), [1, 'away', true]],
      ['whatever points it names', 'freeThrowAttempt', scored({ points: 3 }), [1, 'away', true]],
      ['a missed free throw is none', 'freeThrowAttempt', scored({ result: 'MISSED' }), none],
      ['no other action scores', 'rebound', scored({ points: 2 }), none],
      ['nor an action that is no object', 'fieldGoalAttempt', null, none],
      ['points of 4 do not say enough', 'fieldGoalAttempt', scored({ points: 4 }), unclear],
      ['nor points of 0', 'fieldGoalAttempt', scored({ points: 0 }), unclear],
      ['nor half a point', 'fieldGoalAttempt', scored({ points: 1.5 }), unclear],
      ['nor none', 'fieldGoalAttempt', scored({ points: null }), unclear],
      ['nor a text', 'fieldGoalAttempt', scored({ points: '2' }), unclear],
      ['nor a team of another game', 'fieldGoalAttempt', scored({ points: 2, team: stranger }), [2, null, false]],
      ['nor no team', 'freeThrowAttempt', scored({ team: null }), [1, null, false]],
      ['the rules of football are not for it', 'fieldGoalAttempt', { team: away, isGood: true }, none],
      ['a SAFETY is nothing here', 'foul', { team: away }, none, 'SAFETY'],
    ];
    for (const each of cases) check(league, each);
  });
}

describe('points, NFL', () => {
  const fumble = (given: JsonObject) => ({ subPlays: [{ rush: {} }, { fumble: { recoveringTeam: home, ...given } }] });
  const touchdown = { isEndedWithTouchdown: true };
  const conversion = { team: away, isTwoPointConversion: true };
  const cases: readonly Case[] = [
    ['a good field goal is 3', 'fieldGoalAttempt', { team: away, isGood: true }, [3, 'away', true]],
    ['a missed one none', 'fieldGoalAttempt', { team: away, isGood: false }, none],
    ['a good extra point is 1', 'extraPointAttempt', { team: home, isGood: true }, [1, 'home', true]],
    ['a missed one none', 'extraPointAttempt', { team: home, isGood: false }, none],
    ['good is nothing to a rush', 'rush', { team: home, isGood: true }, none],
    ['a text is not true', 'fieldGoalAttempt', { team: away, isGood: 'true' }, none],
    ['nor is 1', 'extraPointAttempt', { team: away, isGood: 1 }, none],
    ['a conversion that ends with a touchdown is 2', 'pass', { ...conversion, ...touchdown }, [2, 'away', true]],
    ['or whose words say so', 'rush', conversion, [2, 'away', true], 'TWO-POINT CONVERSION. ATTEMPT SUCCEEDS.'],
    ['any other is none', 'rush', conversion, none, 'TWO-POINT CONVERSION. ATTEMPT FAILS.'],
    ['also one that is recovered', 'pass', { ...conversion, ...fumble(touchdown) }, none],
    [
      'a fumble run in is 6 for those who recovered it',
      'pass',
      { team: away, ...fumble(touchdown) },
      [6, 'home', true],
    ],
    [
      'also when the action too ends with a touchdown',
      'rush',
      { team: away, ...touchdown, ...fumble(touchdown) },
      [6, 'home', true],
    ],
    ['a fumble that is not run in is none', 'pass', { team: away, ...fumble({ isEndedWithTouchdown: false }) }, none],
    [
      'a fumble by nobody does not say enough',
      'pass',
      { team: away, ...fumble({ ...touchdown, recoveringTeam: null }) },
      [6, null, false],
    ],
    [
      'a kick run back is 6 for those who ran',
      'kick',
      { kickingTeam: away, retrievingTeam: home, isTouchdown: true },
      [6, 'home', true],
    ],
    ['a punt too', 'punt', { kickingTeam: home, retrievingTeam: away, isTouchdown: true }, [6, 'away', true]],
    ['isTouchdown is of kicks', 'rush', { team: away, isTouchdown: true }, none],
    ['a rush that ends with a touchdown is 6', 'rush', { team: home, ...touchdown }, [6, 'home', true]],
    ['a pass too', 'pass', { team: home, ...touchdown, interceptingPlayer: null }, [6, 'home', true]],
    [
      'an intercepted one is the other side’s',
      'pass',
      { team: home, ...touchdown, interceptingPlayer: { id: 9 } },
      [6, 'away', true],
    ],
    ['a safety is 2 for the other side', 'rush', { team: home, isSafety: true }, [2, 'away', true]],
    ['of a punt too', 'punt', { kickingTeam: away, isSafety: true }, [2, 'home', true]],
    ['in a fumble too', 'sack', { team: away, ...fumble({ isSafety: true }) }, [2, 'home', true]],
    ['whatever its words', 'sack', { team: away, isSafety: true }, [2, 'home', true], 'SAFETY'],
    ['a touchdown goes before a safety', 'rush', { team: away, ...touchdown, isSafety: true }, [6, 'away', true]],
    ['a safety in words alone does not say enough', 'penalty', { penalty: { team: away } }, unclear, 'SAFETY'],
    ['nor one of no action', '', null, unclear, 'in the End Zone, SAFETY.'],
    ['a no play scores nothing', 'rush', { team: away, ...touchdown, isNoPlay: true }, none],
    ['but may have been a safety', 'pass', { team: away, isNoPlay: true }, unclear, 'enforced in End Zone, SAFETY.'],
    ['a team of another game does not say enough', 'rush', { team: stranger, ...touchdown }, [6, null, false]],
    ['nor has it another side', 'rush', { team: stranger, isSafety: true }, [2, null, false]],
    ['nor no team', 'fieldGoalAttempt', { isGood: true }, [3, null, false]],
    ['nor has that another side', 'rush', { isSafety: true }, [2, null, false]],
    ['lists that are none are none', 'rush', { team: away, subPlays: 'x' }, none],
    ['the rules of basketball are not for it', 'fieldGoalAttempt', scored({ points: 3 }), none],
  ];
  for (const each of cases) check('NFL', each);
});

describe('points of leagues whose plays were not seen', () => {
  for (const league of ['NHL', 'MLB'] as const) {
    check(league, [`${league} says nothing`, 'goal', scored({ points: 1, isGood: true }), unclear]);
  }
});

describe('the team credited', () => {
  const ids = new BodyIds('NFL', sides);
  const touchdownOf = (team: JsonObject) => scoringOf(ids, 'rush', { team, isEndedWithTouchdown: true }, '');

  it('is found by its id first, whatever its abbreviation', () => {
    assert.equal(touchdownOf(msfTeam(2, 'BAL')).side, 'home');
  });
  it('by its abbreviation where it has no id', () => {
    assert.equal(touchdownOf({ id: null, abbreviation: 'kc' }).side, 'home');
  });
  it('is named even if it does not play in this game', () => {
    assert.equal(touchdownOf(stranger).team, teamUuid('NFL', 'NE', 3));
  });
});
