// The play of the simulated games: when they are played, and what happens second by second. Every play has its time, so a game grows with
// the clock. The source corrects three plays during the game: one is credited to another player, one is added late, one is removed. A game
// that would end level gets one more play. A quarter of an hour after the end the source credits one score to another player, so that there
// are results to correct. Depends only on the seed and the game.
import type { League } from '../../schemas/reference/leagues.ts';
import { chance } from './chance.ts';
import { sportOf } from './demo-leagues.ts';
import type { DemoGame } from './slate.ts';
import type { DemoPlay, SportRules } from './sports/sport.ts';

type PlayedStatus = 'UNPLAYED' | 'LIVE' | 'COMPLETED_PENDING_REVIEW' | 'COMPLETED';

const reviewedSeconds = 7 * 60;
/** After the end; the game has settled by then. */
const reconsideredSeconds = 15 * 60;

/** The corrected plays, and at which share of the game. */
const corrections = {
  reassigned: { number: 23, from: 0.4 },
  forgotten: { number: 31, from: 0.6 },
  mistaken: { number: 43, until: 0.75 },
};

/** When the game's play ends. */
export function endOf({ actual, length }: DemoGame): number {
  return actual + length;
}

export function statusAt(game: DemoGame, now: number): PlayedStatus {
  if (now < game.actual) return 'UNPLAYED';
  if (now < endOf(game)) return 'LIVE';
  return now < endOf(game) + reviewedSeconds ? 'COMPLETED_PENDING_REVIEW' : 'COMPLETED';
}

/** Seconds of play by now. */
export function clockAt({ league, actual, length }: DemoGame, now: number): number {
  const share = Math.min(1, Math.max(0, (now - actual) / length));
  return Math.floor(share * wholeOf(sportOf(league)));
}

export function periodOf(league: League, at: number): { period: number; elapsed: number } {
  const { periods, seconds } = sportOf(league);
  const period = Math.min(periods, Math.floor(at / seconds) + 1);
  return { period, elapsed: at - (period - 1) * seconds };
}

/** The plays reported so far. */
export function playsBy(seed: number, game: DemoGame, now: number): DemoPlay[] {
  const sport = sportOf(game.league);
  const clock = clockAt(game, now);
  const share = clock / wholeOf(sport);
  const { reassigned, forgotten, mistaken } = corrections;
  const plays = happened(seed, game, clock).flatMap((play) => {
    if (play.number === reassigned.number && share > reassigned.from) return [sport.corrected(play)];
    if (play.number === forgotten.number && share <= forgotten.from) return [];
    return play.number === mistaken.number && share > mistaken.until ? [] : [play];
  });
  if (share < 1) return plays;
  const all = [...plays, ...lastPlay(seed, game, plays)];
  return now < endOf(game) + reconsideredSeconds ? all : reconsidered(sport, all);
}

function wholeOf({ periods, seconds }: SportRules): number {
  return periods * seconds;
}

function happened(seed: number, game: DemoGame, clock: number): DemoPlay[] {
  const sport = sportOf(game.league);
  const whole = wholeOf(sport);
  const plays: DemoPlay[] = [];
  for (let at = 0; at <= clock && at < whole; ) {
    const first = plays.length;
    const roll = (of: string): number => chance(seed, game.eventId, 'play', first, of);
    const side = sport.sideAt(at, roll);
    for (const drawn of sport.draw(at, roll)) plays.push({ ...drawn, number: plays.length, at, side });
    at = sport.next(at, roll);
  }
  return plays;
}

/** Breaks a tie in the last second. */
function lastPlay(seed: number, game: DemoGame, plays: readonly DemoPlay[]): DemoPlay[] {
  const lead = plays.reduce((sum, { side, points }) => sum + (side === 'home' ? points : -points), 0);
  if (lead !== 0) return [];
  const sport = sportOf(game.league);
  const at = wholeOf(sport) - 1;
  const side = sport.sideAt(at, (of) => chance(seed, game.eventId, 'last', of));
  return [{ ...sport.decider(at), number: plays.length + 1, at, side }];
}

/** Credits the first score of a team's first player, if any, to another one: books quote both. */
function reconsidered(sport: SportRules, plays: readonly DemoPlay[]): DemoPlay[] {
  const scored = plays.filter(({ points }) => points > 0);
  const play = scored.find(({ slot }) => slot === 0) ?? scored[0];
  return plays.map((each) => (each === play ? sport.corrected(each) : each));
}
