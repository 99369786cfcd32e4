// MySportsFeeds elements of any size: a play-by-play like the recorded NBA ones, some 550 bytes a play, and a box score
// of two rosters like the NFL ones. The same seed gives the same elements.
import type { JsonObject } from '../../core/json/value.ts';
import { type Random, seededRandom } from '../oracle/random.ts';

const sides = [
  { id: 82, abbreviation: 'BOS' },
  { id: 86, abbreviation: 'CLE' },
] as const;
const playersOfSide = 13;
const quarters = 4;
const secondsOfQuarter = 720;
const surnames = ['Rozier', 'Thompson', 'Shumpert', 'Baynes', 'Smart', 'Horford', 'Brown', 'Wade', 'Green', 'Ojeleye'];
const shots = ['Jump Shot', 'Alley Oop Layup', 'Driving Layup', '3PT Jump Shot', 'Fadeaway Jumper'];

/** The plays of a whole game, in order. */
export function playsOfGame(count: number, seed: number): readonly JsonObject[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, at) => play(random, at / count));
}

/** A play-by-play element with these plays, of a game in progress or over. */
export function playByPlay(gameId: number, plays: readonly JsonObject[], playedStatus: string): JsonObject {
  return { game: gameObject(gameId, playedStatus), plays };
}

/** A box score of `players` on both sides together, each with `statistics` numbers. */
export function boxscore(gameId: number, players: number, statistics: number, seed: number): JsonObject {
  const random = seededRandom(seed);
  const ofSide = (side: number) =>
    Array.from({ length: players / 2 }, (_, number) => ({
      player: player(side, number),
      playerStats: [statisticsOf(random, statistics)],
    }));
  return {
    game: gameObject(gameId, 'LIVE'),
    scoring: { currentQuarter: 3, awayScoreTotal: 61, homeScoreTotal: 58, quarters: [] },
    stats: { away: { players: ofSide(0), teamStats: [] }, home: { players: ofSide(1), teamStats: [] } },
  };
}

function gameObject(id: number, playedStatus: string): JsonObject {
  return {
    id,
    startTime: '2026-10-21T00:00:00.000Z',
    endedTime: null,
    awayTeam: sides[0],
    homeTeam: sides[1],
    venue: { id: 80, name: 'Quicken Loans Arena' },
    venueAllegiance: 'HOME',
    scheduleStatus: 'NORMAL',
    originalStartTime: null,
    delayedOrPostponedReason: null,
    playedStatus,
    attendance: null,
    officials: [],
    broadcasters: [],
    weather: null,
  };
}

function play(random: Random, at: number): JsonObject {
  const side = random.integer(2);
  const [by, other] = [player(side, random.integer(playersOfSide)), player(1 - side, random.integer(playersOfSide))];
  const team = sides[side] ?? sides[0];
  const quarter = Math.floor(at * quarters);
  const secondsElapsed = Math.floor((at * quarters - quarter) * secondsOfQuarter);
  const onCourt = (mine: boolean) => (mine ? [{ player: by, location: null }] : [{ player: other, location: null }]);
  const playStatus = {
    quarter: quarter + 1,
    secondsElapsed,
    awayPlayersOnCourt: onCourt(side === 0),
    homePlayersOnCourt: onCourt(side === 1),
  };
  const location = { x: random.integer(940), y: random.integer(500) };
  const kind = random.integer(10);
  if (kind < 4) {
    const [isScored, shotType, distanceFeet] = [random.chance(0.45), random.pick(shots), random.integer(28)];
    const result = isScored ? 'SCORED' : 'MISSED';
    const points = shotType.startsWith('3PT') ? 3 : 2;
    const shot = { shotType, distanceFeet, points, location, result };
    const fieldGoalAttempt = { team, shootingPlayer: by, assistingPlayer: null, blockingPlayer: null, ...shot };
    const description = `${isScored ? '' : 'MISS '}${by.lastName} ${distanceFeet}' ${shotType} (${random.integer(40)} PTS)`;
    return { description, fieldGoalAttempt, playStatus };
  }
  if (kind < 7) {
    const description = `${by.lastName} REBOUND (Off:${random.integer(4)} Def:${random.integer(9)})`;
    return { description, rebound: { team, retrievingPlayer: by, type: 'DEFENSIVE' }, playStatus };
  }
  if (kind < 8) {
    const free = { attemptNum: 1, totalAttempts: 2, location: null, result: 'SCORED' };
    const description = `${by.lastName} Free Throw 1 of 2 (${random.integer(40)} PTS)`;
    return { description, freeThrowAttempt: { team, shootingPlayer: by, ...free }, playStatus };
  }
  if (kind < 9) {
    const kinds = {
      type: 'P.FOUL',
      isPersonal: true,
      isTechnical: false,
      isFlagrant1: false,
      isFlagrant2: false,
      location,
    };
    const description = `${by.lastName} P.FOUL (P${random.integer(6)}.T${random.integer(5)})`;
    return { description, foul: { team, penalizedPlayer: by, drawnByPlayer: other, ...kinds }, playStatus };
  }
  const description = `SUB: ${by.lastName} FOR ${other.lastName}`;
  return { description, substitution: { team, incomingPlayer: by, outgoingPlayer: other }, playStatus };
}

function player(side: number, number: number) {
  const lastName = surnames[number % surnames.length] ?? '';
  return { id: 9_000 + side * 500 + number, firstName: 'Terry', lastName, position: 'PG', jerseyNumber: number };
}

const groups = [
  'passing',
  'rushing',
  'receiving',
  'tackles',
  'interceptions',
  'fumbles',
  'kickoffReturns',
  'snapCounts',
];
const names = ['Attempts', 'Yards', 'Average', 'TD', 'Lng', '1stDowns', '1stDownsPct', '20Plus', '40Plus', 'Fumbles'];

function statisticsOf(random: Random, count: number): JsonObject {
  const found: { [group: string]: { [name: string]: number } } = {};
  for (let at = 0; at < count; at += 1) {
    const group = `${groups[Math.floor(at / names.length) % groups.length]}${at < 80 ? '' : 'More'}`;
    found[group] ??= {};
    found[group][`${group}${names[at % names.length]}`] = random.integer(3) === 0 ? random.integer(900) / 10 : 0;
  }
  return found;
}
