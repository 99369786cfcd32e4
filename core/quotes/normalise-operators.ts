// Normalises the sportsbooks of one record. The gateway and the fold share this function, so the gateway leaves out exactly what the fold
// would refuse.
import type { OperatorQuotes, RawQuote } from '../../schemas/events/quotes.ts';
import type { Task } from '../scheduling/task.ts';
import { badOperatorCode, operatorCodeOf } from './name-forms.ts';
import { isFault, normaliseQuote, type QuoteFault } from './normalise-quote.ts';
import type { NormalObservation, NormalOperator } from './types.ts';

/** A refusal among the sportsbooks: of a whole entry (`quote` null: its code is bad), or of one of its quotes. */
export type OperatorFault = { entry: number; quote: number | null; fault: QuoteFault };

type NormalisedOperators = { operators: NormalOperator[]; faults: OperatorFault[] };

/** How many entries beyond the room get a refusal of their own; the last of these says how many more there are. */
const mostRefusedEntries = 1_000;

const quotesOfStep = 64;

/**
 * Each sportsbook once, in code order, with its accepted quotes in the order of the record (docs/quotes.md#normalising). A sportsbook with
 * a valid code is present even without a valid quote, unless `hasRoom`, called once per sportsbook in the order of the record, rejects it;
 * its entries are then refused unread. `doubt` may refuse a quote that would be accepted: a later one of its selection then counts. In
 * steps.
 */
export function* normalisingOperators(
  entries: readonly OperatorQuotes[],
  kind: NormalObservation['kind'],
  hasRoom: (code: string) => boolean = () => true,
  doubt: (quote: RawQuote) => QuoteFault | null = () => null,
): Task<NormalisedOperators> {
  const faults: OperatorFault[] = [];
  const offers = new Map<string, { operator: NormalOperator; seen: Set<string> | null }>();
  let beyond = 0;
  for (const [entry, { operator: key, quotes }] of entries.entries()) {
    if (entry % quotesOfStep === quotesOfStep - 1) yield;
    const code = operatorCodeOf(key);
    if (code === null) {
      faults.push({ entry, quote: null, fault: badOperator });
      continue;
    }
    let offer = offers.get(code);
    if (offer === undefined) {
      if (!hasRoom(code)) {
        beyond += 1;
        if (beyond <= mostRefusedEntries) faults.push({ entry, quote: null, fault: tooManyOperators });
        continue;
      }
      offer = { operator: { operator: code, entry, quotes: [], places: [] }, seen: null };
      offers.set(code, offer);
    }
    if (quotes.length > 0) offer.seen ??= new Set();
    for (let quote = 0; quote < quotes.length; quote += 1) {
      if (quote % quotesOfStep === quotesOfStep - 1) yield;
      const raw = quotes[quote] as RawQuote;
      const result = normaliseQuote(raw, kind);
      if (isFault(result)) {
        faults.push({ entry, quote, fault: result });
        continue;
      }
      const fault = offer.seen?.has(result.selection_id) ? duplicateSelection : doubt(raw);
      if (fault !== null) {
        faults.push({ entry, quote, fault });
      } else {
        offer.seen?.add(result.selection_id);
        offer.operator.quotes.push(result);
        offer.operator.places.push({ entry, quote });
      }
    }
  }
  if (beyond > mostRefusedEntries) noteOthers(faults, beyond - mostRefusedEntries);
  const operators = [...offers.values()].map((offer) => offer.operator);
  if (operators.length > 1) operators.sort((a, b) => (a.operator < b.operator ? -1 : 1));
  return { operators, faults };
}

/** Adds to the last refusal for lack of room the number of further entries, which get none of their own. */
function noteOthers(faults: OperatorFault[], others: number): void {
  const last = faults.findLastIndex(({ fault }) => fault === tooManyOperators);
  const detail = `${tooManyOperators.detail}; the same applies to ${others} more entries of this record`;
  faults[last] = { ...faults[last]!, fault: { ...tooManyOperators, detail } };
}

/** The refusal of a sportsbook that the game has no room for. */
export const tooManyOperators: QuoteFault = {
  code: 'too-many-operators',
  member: null,
  detail: 'the game already has as many sportsbooks as it may, and this is not one of them',
};

const badOperator: QuoteFault = {
  code: 'bad-operator',
  member: null,
  detail: badOperatorCode,
};

const duplicateSelection: QuoteFault = {
  code: 'duplicate-selection',
  member: null,
  detail:
    'the same selection stands earlier in this record, and the first counts; several lines at once take alternate',
};
