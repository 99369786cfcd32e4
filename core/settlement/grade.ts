// The grade of one selection before it becomes a row: a result with its exact value, or the reason why there is none.
import type { MarketResultsRow, ResultReason } from '../../schemas/datasets/market-results.ts';

type Result = MarketResultsRow['result'];

/** `value` is in ten-thousandths, as statistics are; null if the selection is void or ungraded, which then has a reason. */
export type Grade = { readonly result: Result; readonly value: number | null; readonly reason: ResultReason | null };

/** One point, one goal, one rebound. */
export const one = 10_000;

const reasonsToVoid: ReadonlySet<ResultReason> = new Set(['cancelled', 'shortened', 'did_not_play']);

export function graded(result: Exclude<Result, 'void' | 'ungraded'>, value: number): Grade {
  return { result, value, reason: null };
}

/** Void or ungraded, depending on the reason. docs/settlement.md#result-reasons. */
export function notGraded(reason: ResultReason): Grade {
  return { result: reasonsToVoid.has(reason) ? 'void' : 'ungraded', value: null, reason };
}
