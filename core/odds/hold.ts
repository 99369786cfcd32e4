// Implied probability and hold of decimal odds (docs/odds.md#implied-probability, docs/odds.md#hold). Odds are in ten-thousandths, results
// in millionths, rounded half even from the exact fraction.
import { divideHalfEven } from '../decimal.ts';

/** 1 ÷ the decimal odds. */
export function impliedProbability(decimal: number): number {
  return divideHalfEven(10_000 * 1_000_000, decimal);
}

/** 1 − 1 ÷ the sum of the implied probabilities of all ways; below 0 where backing every way wins. */
export function holdOf(decimals: readonly number[]): number {
  // With odds dᵢ ÷ 10⁴ the sum is 10⁴ · Σ(P ÷ dᵢ) ÷ P, where P is the product of all dᵢ.
  const product = decimals.reduce((all, each) => all * BigInt(each), 1n);
  const sum = 10_000n * decimals.reduce((all, each) => all + product / BigInt(each), 0n);
  return roundedRatio((sum - product) * 1_000_000n, sum);
}

/** `numerator` ÷ `denominator` (above 0), rounded half even. */
function roundedRatio(numerator: bigint, denominator: bigint): number {
  const rest = numerator % denominator;
  // The floor, also below zero.
  const floor = numerator / denominator - (rest < 0n ? 1n : 0n);
  const twice = 2n * (numerator - floor * denominator);
  const up = twice > denominator || (twice === denominator && floor % 2n !== 0n);
  return Number(up ? floor + 1n : floor);
}
