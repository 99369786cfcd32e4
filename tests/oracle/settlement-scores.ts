// The score that counts, and the scores of its periods, sentence by sentence from docs/settlement.md#evidence. Nothing
// of the product is imported.
import { saidOf } from './leagues.ts';
import type { Evidence, Final } from './settlement-evidence.ts';

/** Rule 1: the score that counts. */
export function finalOf({ manual, gameState: g }: Evidence): Final | null {
  if (manual !== null) {
    const { away, home, awayPeriods: A, homePeriods: H, at, auditId } = manual;
    return { away, home, A, H, source: `manual/${auditId}`, at };
  }
  if (g === null || g.away === null || g.home === null) return null;
  if (g.playedStatus !== 'COMPLETED' && g.playedStatus !== 'COMPLETED_PENDING_REVIEW') return null;
  const { away, home, awayPeriods: A, homePeriods: H, at } = g;
  return { away, home, A, H, source: `game-state/${g.epoch}/${g.revision}`, at };
}

/**
 * The periods that a period of the market adds up. `rest`: what follows the first half; `all`: the final score; null:
 * the league has no such period.
 */
export function periodNumbers(league: string, period: string): number[] | 'rest' | 'all' | null {
  const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
  if (period === 'full') return 'all';
  const { part, regular: R } = saidOf(league);
  if (period === 'regulation') return upTo(1, R);
  const quarters = ['q1', 'q2', 'q3', 'q4'].indexOf(period) + 1;
  const thirds = ['p1', 'p2', 'p3'].indexOf(period) + 1;
  if (part === 'quarter') {
    if (period === 'first_half') return [1, 2];
    if (period === 'second_half') return 'rest';
    return quarters > 0 ? [quarters] : null;
  }
  if (part === 'period') return thirds > 0 ? [thirds] : null;
  if (part === 'half') return period === 'first_half' ? [1] : period === 'second_half' ? 'rest' : null;
  if (period === 'first_five_innings') return upTo(1, 5);
  if (period === 'last_four_innings') return upTo(6, 9);
  const inning = Number(period.replace(/^inning_/, ''));
  return period === `inning_${inning}` && inning >= 1 ? [inning] : null;
}

export const total = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

function doFit(league: string, { A, H, away, home }: Final): boolean {
  const { sport } = saidOf(league);
  const lengths = A.length === H.length || (sport === 'baseball' && H.length === A.length - 1);
  const exact = total(A) === away && total(H) === home;
  const extra = [away - total(A), home - total(H)].join();
  const shootOut = sport === 'hockey' && A.length >= 3 && total(A) === total(H) && (extra === '1,0' || extra === '0,1');
  return lengths && (exact || shootOut);
}

function areGiven({ A, H }: Final): boolean {
  return A.length + H.length > 0;
}

function doCount(league: string, final: Final): boolean {
  const { A, H, away, home } = final;
  const { sport, regular: R } = saidOf(league);
  if (!areGiven(final) || !doFit(league, final)) return false;
  if (sport === 'baseball' && A.length === 9 && H.length === 8) return home > away;
  return A.length >= R && H.length >= R;
}

export function isShortened(league: string, final: Final): boolean {
  return areGiven(final) && doFit(league, final) && !doCount(league, final);
}

export function hasScores(league: string, period: string, final: Final): boolean {
  const numbers = periodNumbers(league, period);
  if (numbers === 'all' || isShortened(league, final)) return true;
  if (!doCount(league, final) || numbers === null) return false;
  if (numbers === 'rest') return true;
  return numbers.every((n) => final.A[n - 1] !== undefined && (final.H[n - 1] !== undefined || n === 9));
}

export function scoreOf(league: string, period: string, { A, H, away, home }: Final): { away: number; home: number } {
  const numbers = periodNumbers(league, period);
  if (numbers === 'all' || numbers === null) return { away, home };
  const firstHalf = saidOf(league).part === 'half' ? 1 : 2;
  if (numbers === 'rest') {
    return { away: away - total(A.slice(0, firstHalf)), home: home - total(H.slice(0, firstHalf)) };
  }
  return { away: total(numbers.map((n) => A[n - 1] ?? 0)), home: total(numbers.map((n) => H[n - 1] ?? 0)) };
}
