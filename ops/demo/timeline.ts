// How the simulated games go: when they are played, and what happens in them, second by second. A play has its moment, so that a game grows
// with the clock; three of its early plays are set right while it goes on: one is told to have been another player's, one was forgotten, one
// was none. A function of the seed and the game alone.
import type { League } from '../../core/units.ts';
import { chance } from './chance.ts';
import { rosterSize } from './rosters.ts';
import type { DemoGame } from './slate.ts';

export type PlayedStatus = 'UNPLAYED' | 'LIVE' | 'COMPLETED_PENDING_REVIEW' | 'COMPLETED';
export type Side = 'away' | 'home';

export type DemoPlay = {
  number: number;
  /** Seconds of play since the start; in baseball an at-bat takes a hundred. */
  at: number;
  side: Side;
  /** Of the player in the roster. */
  slot: number;
  action: string;
  points: number;
};

type Course = { periods: number; seconds: number; gap: number };
/** An action, how often it happens, and how often it brings how many points. */
type Kind = readonly [action: string, weight: number, ...scores: (readonly [points: number, share: number])[]];

export const courses: Readonly<Record<League, Course>> = {
  NBA: { periods: 4, seconds: 720, gap: 6 },
  NCAAM: { periods: 2, seconds: 1_200, gap: 6 },
  NFL: { periods: 4, seconds: 900, gap: 12 },
  NHL: { periods: 3, seconds: 1_200, gap: 8 },
  MLB: { periods: 9, seconds: 800, gap: 18 },
};

const basketball: readonly Kind[] = [
  ['fieldGoalAttempt', 45, [2, 0.36], [3, 0.12]],
  ['freeThrowAttempt', 10, [1, 0.77]],
  ['rebound', 25],
  ['foul', 10],
  ['turnover', 10],
];
const kinds: Readonly<Record<League, readonly Kind[]>> = {
  NBA: basketball,
  NCAAM: basketball,
  NFL: [
    ['rush', 40, [6, 0.01]],
    ['pass', 46, [6, 0.03]],
    ['punt', 7],
    ['fieldGoalAttempt', 2, [3, 0.8]],
  ],
  NHL: [
    ['faceoff', 30],
    ['shotAttempt', 45],
    ['hit', 18],
    ['goal', 1, [1, 1]],
    ['penalty', 3],
  ],
  MLB: [
    ['pitch', 70],
    ['hit', 24, [1, 0.12]],
    ['pickoffAttempt', 6],
  ],
};

export const atBatSeconds = 100;
const playedSeconds = 165 * 60;
const reviewedSeconds = 7 * 60;

export function statusAt(game: DemoGame, now: number): PlayedStatus {
  const since = now - game.actual;
  if (since < 0) return 'UNPLAYED';
  if (since < playedSeconds) return 'LIVE';
  return since < playedSeconds + reviewedSeconds ? 'COMPLETED_PENDING_REVIEW' : 'COMPLETED';
}

/** Seconds of play by now. */
export function clockAt({ league, actual }: DemoGame, now: number): number {
  const { periods, seconds } = courses[league];
  const share = Math.min(1, Math.max(0, (now - actual) / playedSeconds));
  return Math.floor(share * periods * seconds);
}

export function periodOf(league: League, at: number): { period: number; elapsed: number } {
  const { periods, seconds } = courses[league];
  const period = Math.min(periods, Math.floor(at / seconds) + 1);
  return { period, elapsed: at - (period - 1) * seconds };
}

/** What is told of the game by now. */
export function playsBy(seed: number, game: DemoGame, now: number): DemoPlay[] {
  const clock = clockAt(game, now);
  const { periods, seconds } = courses[game.league];
  const share = clock / (periods * seconds);
  const plays = happened(seed, game, clock);
  return plays.flatMap((play) => {
    if (play.number === 20 && share > 0.4) return [{ ...play, slot: (play.slot + 1) % rosterSize }];
    if (play.number === 30 && share <= 0.6) return [];
    return play.number === 40 && share > 0.75 ? [] : [play];
  });
}

function happened(seed: number, game: DemoGame, clock: number): DemoPlay[] {
  const { gap } = courses[game.league];
  const plays: DemoPlay[] = [];
  const roll = (number: number, of: string): number => chance(seed, game.eventId, 'play', number, of);
  for (let at = 0; at <= clock; ) {
    const number = plays.length;
    const [action, points] = actionOf(game.league, roll(number, 'kind'), roll(number, 'points'));
    const side = game.league === 'MLB' ? battingSide(at) : roll(number, 'side') < 0.5 ? 'away' : 'home';
    plays.push({ number, at, side, slot: Math.floor(roll(number, 'slot') * rosterSize), action, points });
    if (action !== 'extraPointAttempt' && points === 6) {
      const good = roll(number, 'kick') < 0.94 ? 1 : 0;
      plays.push({ number: number + 1, at, side, slot: 5, action: 'extraPointAttempt', points: good });
    }
    at += 1 + Math.floor(roll(number, 'gap') * 2 * gap);
  }
  return plays;
}

/** At-bats of an inning: four to a side, the visitors' first. */
export function battingSide(at: number): Side {
  const perInning = courses.MLB.seconds / atBatSeconds;
  return Math.floor(at / atBatSeconds) % perInning < perInning / 2 ? 'away' : 'home';
}

function actionOf(league: League, kind: number, luck: number): [action: string, points: number] {
  const all = kinds[league];
  const [action, , ...scores] = all[drawn(all, kind)] ?? (all[0] as Kind);
  const none = [0, 1 - scores.reduce((sum, [, share]) => sum + share, 0)] as const;
  const [points] = [...scores, none][drawn([...scores, none], luck)] ?? none;
  return [action, points];
}

/** The index of the one that `roll` of [0, 1) falls on: each has its weight in second place. */
function drawn(list: readonly (readonly [unknown, number, ...unknown[]])[], roll: number): number {
  let left = roll * list.reduce((sum, [, weight]) => sum + weight, 0);
  return list.findIndex(([, weight]) => {
    left -= weight;
    return left < 0;
  });
}
