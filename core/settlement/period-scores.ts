// The periods of a league, whether a game's period scores are consistent, and the score of a market's period.
// docs/settlement.md#period-scores. Independent of markets and lines.
import type { League } from '../units.ts';
import { isScore, type Scores } from './evidence.ts';

/** `regular`: how many periods a game has without overtime; `numbered`: the letter before a period's number; `half`: periods in a half. */
type Course = { regular: number; numbered: 'q' | 'p' | null; half: number | null };

const courses: Readonly<Record<League, Course>> = {
  NBA: { regular: 4, numbered: 'q', half: 2 },
  NFL: { regular: 4, numbered: 'q', half: 2 },
  NHL: { regular: 3, numbered: 'p', half: null },
  NCAAM: { regular: 2, numbered: null, half: 1 },
  MLB: { regular: 9, numbered: null, half: null },
};

/** The final score, or the periods from `first` to `last`, counted from 1; `last` is infinite if overtime is included. */
export type Span = 'full' | { readonly first: number; readonly last: number };

/** The span of a market's period; null if the league has no such period. */
export function spanOf(league: League, period: string): Span | null {
  const { regular, numbered, half } = courses[league];
  if (period === 'full') return 'full';
  if (period === 'regulation') return { first: 1, last: regular };
  if (half !== null && period === 'first_half') return { first: 1, last: half };
  if (half !== null && period === 'second_half') return { first: half + 1, last: Number.POSITIVE_INFINITY };
  if (league === 'MLB') return inningsOf(period);
  const number = /^[qp]([1-9])$/.exec(period)?.[1];
  if (number === undefined || period[0] !== numbered || Number(number) > regular) return null;
  return { first: Number(number), last: Number(number) };
}

function inningsOf(period: string): Span | null {
  if (period === 'first_five_innings') return { first: 1, last: 5 };
  if (period === 'last_four_innings') return { first: 6, last: 9 };
  const inning = /^inning_([1-9][0-9]*)$/.exec(period)?.[1];
  return inning === undefined ? null : { first: Number(inning), last: Number(inning) };
}

/**
 * Whether the period scores count (`counted`), show that the game was shortened, or are unusable (`unknown`: absent, or inconsistent with
 * the final score).
 */
export type Standing = 'counted' | 'shortened' | 'unknown';

export function standingOf(league: League, scores: Scores): Standing {
  const [away, home] = [scores.awayPeriods.length, scores.homePeriods.length];
  if ((away === 0 && home === 0) || !periodScoresFit(league, scores)) return 'unknown';
  const { regular } = courses[league];
  if (away >= regular && home >= regular) return 'counted';
  const noNeedToBat = league === 'MLB' && away === 9 && home === 8 && scores.home > scores.away;
  return noNeedToBat ? 'counted' : 'shortened';
}

/** Whether the lists are equally long (MLB: home may have batted once less) and add up to the final score, not counting a shoot-out. */
export function periodScoresFit(league: League, { away, home, awayPeriods, homePeriods }: Scores): boolean {
  const unbatted = awayPeriods.length - homePeriods.length;
  if (unbatted !== 0 && !(league === 'MLB' && unbatted === 1)) return false;
  if (!awayPeriods.every(isScore) || !homePeriods.every(isScore)) return false;
  const [awaySum, homeSum] = [sum(awayPeriods), sum(homePeriods)];
  if (awaySum === away && homeSum === home) return true;
  const shootOut = (away === awaySum + 1 && home === homeSum) || (away === awaySum && home === homeSum + 1);
  return league === 'NHL' && awayPeriods.length >= courses.NHL.regular && awaySum === homeSum && shootOut;
}

/** The points of both sides in a span; a missing period counts 0. */
export function scoreOf(span: Span, { away, home, awayPeriods, homePeriods }: Scores): { away: number; home: number } {
  if (span === 'full') return { away, home };
  // The final score minus the first half equals the sum of the later periods: in leagues with halves, consistent scores include no
  // shoot-out.
  const points = (periods: readonly number[]) => sum(periods.slice(span.first - 1, span.last));
  return { away: points(awayPeriods), home: points(homePeriods) };
}

/** Whether consistent scores cover the whole span: only innings beyond the ninth may be missing. */
export function isPlayed(league: League, span: Span, { awayPeriods, homePeriods }: Scores): boolean {
  if (span === 'full' || span.last === Number.POSITIVE_INFINITY || span.last <= courses[league].regular) return true;
  return span.last <= Math.min(awayPeriods.length, homePeriods.length);
}

function sum(points: readonly number[]): number {
  return points.reduce((total, each) => total + each, 0);
}
