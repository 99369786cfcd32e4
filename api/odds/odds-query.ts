// The query of an odds route: which quotes, and in which form.
import type { Quote } from '../../core/odds/quote.ts';
import type { PriceFormat } from '../../core/quotes/types.ts';
import {
  bestParameter,
  formatParameter,
  marketParameter,
  operatorsParameter,
  periodParameter,
} from '../../schemas/http/odds-parameters.ts';
import type { QueryValues } from '../http/query.ts';

/** The parameters of both odds routes. */
export const oddsParameters = {
  market: marketParameter.optional(),
  period: periodParameter.optional(),
  operators: operatorsParameter.optional(),
  format: formatParameter.optional(),
  best: bestParameter.optional(),
};

export type OddsQuery = {
  readonly market: string | null;
  readonly period: string | null;
  /** Sorted codes; null: every sportsbook. */
  readonly operators: readonly string[] | null;
  readonly format: PriceFormat | null;
  readonly bestOnly: boolean;
};

export function oddsQuery(query: QueryValues<typeof oddsParameters>): OddsQuery {
  return {
    market: query.market ?? null,
    period: query.period ?? null,
    operators: query.operators ?? null,
    format: query.format ?? null,
    bestOnly: query.best ?? false,
  };
}

/** Queries with the same name have the same answer. As JSON, which tells the market `null` from none. */
export function nameOfQuery({ market, period, operators, format, bestOnly }: OddsQuery): string {
  return JSON.stringify([market, period, operators, format, bestOnly]);
}

export function asksOf({ operators }: OddsQuery, operator: string): boolean {
  return operators === null || operators.includes(operator);
}

export function asksFor(query: OddsQuery, { operator, market, period }: Quote): boolean {
  return (
    (query.market === null || query.market === market) &&
    (query.period === null || query.period === period) &&
    asksOf(query, operator)
  );
}
