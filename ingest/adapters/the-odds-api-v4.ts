import type { AdaptedPush, OddsApiQuery, PushContext } from './adapted.ts';

/** What the query says of the poll; `invalid` is a validation error of the request (400). */
export type PollTerms = {
  kind: 'terms';
  priceFormat: 'american' | 'decimal';
  coverage: readonly { market: string; period: string; alternate: boolean }[] | null;
  operators: readonly string[] | null;
};

/** Reads the query. quotes.md, Normalising 5. */
export function readPollTerms(query: OddsApiQuery): PollTerms | { kind: 'invalid'; detail: string } {
  throw new Error(`not written yet: ${query.markets}`);
}

/** A body of The Odds API v4: the provider's array of events, or its historical wrapper. quotes.md, Normalising 5. */
export function adaptTheOddsApiPush(body: Uint8Array, terms: PollTerms, context: PushContext): AdaptedPush {
  throw new Error(`not written yet: ${body.length} ${terms.kind} ${context.source}`);
}
