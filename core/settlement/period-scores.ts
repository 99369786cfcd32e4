// The periods of a league, whether a game's period scores are consistent, and the score of a market's period.
// docs/settlement.md#period-scores. Independent of markets and lines.
import { type GamePart, type League, leagueTable } from '../../schemas/reference/leagues.ts';
import { isScore, type Scores } from './evidence.ts';

/** `numbered`: the letter before a period's number; `half`: how many of them are a half. */
type Kind = { readonly numbered: 'q' | 'p' | null; readonly half: number | null };

const kinds: Readonly<Record<GamePart, Kind>> = {
  quarter: { numbered: 'q', half: 2 },
  half: { numbered: null, half: 1 },
  period: { numbered: 'p', half: null },
  inning: { numbered: null, half: null },
};

/** The final score, or the periods from `first` to `last`, counted from 1; `last` is infinite if overtime is included. */
export type PeriodSpan = 'full' | { readonly first: number; readonly last: number };

/** The span of a market's period; null if the league has no such period. */
export function spanOf(league: League, period: string): PeriodSpan | null {
  const { part, parts: regular } = leagueTable[league].regulation;
  const { numbered, half } = kinds[part];
  if (period === 'full') return 'full';
  if (period === 'regulation') return { first: 1, last: regular };
  if (half !== null && period === 'first_half') return { first: 1, last: half };
  if (half !== null && period === 'second_half') return { first: half + 1, last: Number.POSITIVE_INFINITY };
  if (part === 'inning') return inningsOf(period);
  const number = /^[qp]([1-9])$/.exec(period)?.[1];
  if (number === undefined || period[0] !== numbered || Number(number) > regular) return null;
  return { first: Number(number), last: Number(number) };
}

function inningsOf(period: string): PeriodSpan | null {
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
  const { sport, regulation } = leagueTable[league];
  const { parts: regular } = regulation;
  if (away >= regular && home >= regular) return 'counted';
  const noNeedToBat = sport === 'baseball' && away === regular && home === regular - 1 && scores.home > scores.away;
  return noNeedToBat ? 'counted' : 'shortened';
}

/** Whether the lists are equally long (baseball: home may have batted once less) and add up to the final score, not counting a shoot-out. */
export function periodScoresFit(league: League, { away, home, awayPeriods, homePeriods }: Scores): boolean {
  const { sport, regulation } = leagueTable[league];
  const unbatted = awayPeriods.length - homePeriods.length;
  if (unbatted !== 0 && !(sport === 'baseball' && unbatted === 1)) return false;
  if (!awayPeriods.every(isScore) || !homePeriods.every(isScore)) return false;
  const [awaySum, homeSum] = [sum(awayPeriods), sum(homePeriods)];
  if (awaySum === away && homeSum === home) return true;
  const shootOut = (away === awaySum + 1 && home === homeSum) || (away === awaySum && home === homeSum + 1);
  return sport === 'ice hockey' && awayPeriods.length >= regulation.parts && awaySum === homeSum && shootOut;
}

/** The points of both sides in a span; a missing period counts 0. */
export function scoreOf(
  span: PeriodSpan,
  { away, home, awayPeriods, homePeriods }: Scores,
): { away: number; home: number } {
  if (span === 'full') return { away, home };
  // The final score minus the first half equals the sum of the later periods: in leagues with halves, consistent scores include no
  // shoot-out.
  const points = (periods: readonly number[]) => sum(periods.slice(span.first - 1, span.last));
  return { away: points(awayPeriods), home: points(homePeriods) };
}

/** Whether consistent scores cover the whole span: only innings beyond the ninth may be missing. */
export function isPlayed(league: League, span: PeriodSpan, { awayPeriods, homePeriods }: Scores): boolean {
  if (span === 'full' || span.last === Number.POSITIVE_INFINITY || span.last <= leagueTable[league].regulation.parts)
    return true;
  return span.last <= Math.min(awayPeriods.length, homePeriods.length);
}

function sum(points: readonly number[]): number {
  return points.reduce((total, each) => total + each, 0);
}
