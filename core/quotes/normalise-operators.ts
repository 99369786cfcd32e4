// The operators of one record in normal form. The gateway and the fold both stand on this function: what the one leaves out
// of a record is exactly what the other would have refused.
import type { OperatorQuotes } from '../../schemas/events/quotes.ts';
import { operatorCodeOf } from './names.ts';
import { isFault, normaliseQuote, type QuoteFault } from './normalise-quote.ts';
import type { NormalObservation, NormalOperator } from './types.ts';

/** A refusal within the operators: of a whole entry (`quote` null: its operator is bad), or of one quote of it. */
export type OperatorFault = { entry: number; quote: number | null; fault: QuoteFault };

export type NormalisedOperators = { operators: NormalOperator[]; faults: OperatorFault[] };

/**
 * Each operator once, in code order, with its accepted quotes in the order of the record (quotes.md, Normalising 1, 4, 7).
 * An operator with a valid code is present even with no valid quote.
 */
export function normaliseOperators(
  entries: readonly OperatorQuotes[],
  kind: NormalObservation['kind'],
): NormalisedOperators {
  const faults: OperatorFault[] = [];
  const offers = new Map<string, { operator: NormalOperator; seen: Set<string> }>();
  for (const [entry, { operator: key, quotes }] of entries.entries()) {
    const code = operatorCodeOf(key);
    if (code === null) {
      faults.push({ entry, quote: null, fault: badOperator });
      continue;
    }
    let offer = offers.get(code);
    if (offer === undefined) {
      offer = { operator: { operator: code, entry, quotes: [], places: [] }, seen: new Set() };
      offers.set(code, offer);
    }
    for (let quote = 0; quote < quotes.length; quote += 1) {
      const result = normaliseQuote(quotes[quote] as OperatorQuotes['quotes'][number], kind);
      if (isFault(result)) {
        faults.push({ entry, quote, fault: result });
      } else if (offer.seen.has(result.selection_id)) {
        faults.push({ entry, quote, fault: duplicateSelection });
      } else {
        offer.seen.add(result.selection_id);
        offer.operator.quotes.push(result);
        offer.operator.places.push({ entry, quote });
      }
    }
  }
  const operators = [...offers.values()].map((offer) => offer.operator);
  if (operators.length > 1) operators.sort((a, b) => (a.operator < b.operator ? -1 : 1));
  return { operators, faults };
}

const badOperator: QuoteFault = {
  code: 'bad-operator',
  member: null,
  detail: 'operator is not of [A-Z0-9_]{1,32} in upper case',
};

const duplicateSelection: QuoteFault = {
  code: 'duplicate-selection',
  member: null,
  detail: 'the same selection stands earlier in this record',
};
