// Elements that the fold may apply: in the form of each feed, with values from small pools, so that they coincide, and
// arbitrary JSON between them.
import fc from 'fast-check';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/json/value.ts';
import type { MsfFeed } from '../../../core/msf/types.ts';
import type { League } from '../../../schemas/reference/leagues.ts';
import { gameObject, msfTeam } from './msf-bodies.ts';

/** The game that all elements are about. */
export const gameId = 900001;

export const junk: fc.Arbitrary<JsonValue> = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;

/** Usually `value`, sometimes any JSON. */
function mostly(value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return fc.oneof({ arbitrary: value, weight: 8 }, { arbitrary: fc.oneof(fc.constant(null), junk), weight: 1 });
}

const number = fc.oneof(fc.integer({ min: -3, max: 140 }), fc.constantFrom(0.5, 1.00005, 1e9, 2 ** 31, 1e300));
const count = mostly(fc.integer({ min: 0, max: 5 }));
const team = mostly(
  fc.constantFrom(msfTeam(501, 'BOS'), msfTeam(502, 'CLE'), msfTeam(7, 'LAL'), { id: 501 }, { abbreviation: 'CLE' }),
);
const player = mostly(fc.record({ id: mostly(fc.integer({ min: 1, max: 4 })), position: fc.constant('G') }));
const flag = mostly(fc.boolean());

function withMembers(members: Record<string, fc.Arbitrary<JsonValue>>): fc.Arbitrary<JsonObject> {
  return fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
}

const game = fc
  .record({
    playedStatus: fc.constantFrom('UNPLAYED', 'LIVE', 'COMPLETED', 'COMPLETED_PENDING_REVIEW', 'NEW'),
    scheduleStatus: fc.constantFrom('NORMAL', 'DELAYED'),
    startTime: fc.constantFrom('2026-01-10T00:30:00.000Z', '2026-01-10T01:00:00Z'),
    more: withMembers({
      endedTime: mostly(fc.constant('2026-01-10T03:00:00Z')),
      attendance: count,
      venue: junk,
      weather: junk,
    }),
  })
  .map(({ more, ...needed }) => gameObject({ ...more, ...needed }));

const score = mostly(
  withMembers({
    currentQuarter: count,
    currentPeriod: count,
    currentQuarterSecondsRemaining: count,
    currentIntermission: count,
    teamInPossession: team,
    awayScoreTotal: mostly(number),
    homeScoreTotal: mostly(number),
    quarters: mostly(
      fc.array(withMembers({ quarterNumber: count, awayScore: count, homeScore: count }), { maxLength: 5 }),
    ),
    currentDown: count,
    lineOfScrimmage: junk,
  }),
);

const fumble = withMembers({ recoveringTeam: team, isEndedWithTouchdown: flag, isSafety: flag });
const action = withMembers({
  team,
  kickingTeam: team,
  retrievingTeam: team,
  shootingPlayer: player,
  assistedTacklingPlayer1: player,
  interceptingPlayer: player,
  result: mostly(fc.constantFrom('SCORED', 'MISSED')),
  points: mostly(fc.integer({ min: 0, max: 4 })),
  isGood: flag,
  isNoPlay: flag,
  isTouchdown: flag,
  isTwoPointConversion: flag,
  isEndedWithTouchdown: flag,
  isSafety: flag,
  subPlays: mostly(fc.array(fc.record({ fumble }), { maxLength: 2 })),
});
const actionName = fc.constantFrom(
  'fieldGoalAttempt',
  'freeThrowAttempt',
  'extraPointAttempt',
  'kick',
  'pass',
  'rush',
  'newAction',
);
const description = mostly(fc.constantFrom('a', 'b', 'SAFETY', 'ATTEMPT SUCCEEDS'));

/** A play with a clock. */
export const clockedPlay: fc.Arbitrary<JsonObject> = fc
  .record({
    name: actionName,
    action,
    description,
    quarter: fc.integer({ min: 0, max: 6 }),
    secondsElapsed: fc.integer({ min: 0, max: 12 }),
    more: withMembers({ teamInPossession: team, currentDown: count, awayPlayersOnCourt: junk }),
  })
  .map(({ name, action: said, description: words, more, ...clock }) => {
    return { description: words, [name]: said, playStatus: { ...more, ...clock } };
  });

const play = fc.oneof({ arbitrary: clockedPlay, weight: 4 }, { arbitrary: clockedPlay.map(withoutClock), weight: 1 });

function withoutClock(clocked: JsonObject): JsonObject {
  return { ...clocked, playStatus: { ...(clocked.playStatus as JsonObject), secondsElapsed: null } };
}

const atBat = fc.record({
  inning: fc.integer({ min: 1, max: 3 }),
  battingTeam: team,
  atBatPlay: fc.array(fc.record({ description, hit: action }), { maxLength: 3 }),
});

const statName = fc.constantFrom('pts', 'ast', 'a.b', 'a', 'b', '', '\uffff', '😀');
const numbers = fc.dictionary(statName, mostly(number), { maxKeys: 4 });
const groups = fc.dictionary(statName, fc.oneof(mostly(number), numbers), { maxKeys: 4 });
const statLists = mostly(fc.oneof(groups, fc.array(groups, { maxLength: 3 })));
const side = fc.record({
  players: fc.array(fc.record({ player, playerStats: statLists }), { maxLength: 4 }),
  teamStats: statLists,
});

const logGame = fc.constant({ id: gameId, startTime: '2026-01-10T00:30:00.000Z', awayTeamAbbreviation: 'BOS' });
const injured = withMembers({
  id: mostly(fc.integer({ min: 1, max: 4 })),
  firstName: mostly(fc.string()),
  currentTeam: team,
  primaryPosition: mostly(fc.constant('PG')),
  currentInjury: mostly(
    withMembers({ description: mostly(fc.string()), playingProbability: mostly(fc.constant('OUT')) }),
  ),
});

/** An element of one of the game's feeds that have states; other feeds get arbitrary content. */
export function msfElement(feed: MsfFeed, league: League): fc.Arbitrary<JsonObject> {
  switch (feed) {
    case 'games':
      return fc.record({ games: fc.array(fc.record({ schedule: game, score }), { maxLength: 2 }) });
    case 'boxscore':
      return fc.record({ game, scoring: score, stats: fc.record({ away: side, home: side }) });
    case 'playbyplay':
      return league === 'MLB'
        ? fc.record({ game, atBats: fc.array(atBat, { maxLength: 6 }) })
        : fc.record({ game, plays: fc.array(play, { maxLength: 12 }) });
    case 'player_gamelogs': {
      const logged = fc.record({ id: mostly(fc.integer({ min: 1, max: 4 })) });
      return fc.record({
        gamelogs: fc.array(fc.record({ game: logGame, player: logged, team, stats: groups }), { maxLength: 4 }),
      });
    }
    case 'team_gamelogs':
      return fc.record({ gamelogs: fc.array(fc.record({ game: logGame, team, stats: groups }), { maxLength: 4 }) });
    case 'injuries':
      return fc.record({ players: fc.array(injured, { maxLength: 5 }) });
    default:
      return fc.constant({});
  }
}

/** The same JSON with the members of all objects in another order. */
export function reversedMembers(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(reversedMembers);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, reversedMembers(member)] as const)
      .reverse(),
  );
}
