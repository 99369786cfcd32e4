// What both adapters do with an element once they have read its operators: refuse what the fold would refuse, by the same
// function, and keep the rest as it was written.
import { type JsonValue, kindOf, numberText } from '../../core/json/value.ts';
import { operatorCodeOf } from '../../core/quotes/names.ts';
import { normaliseOperators, type OperatorFault } from '../../core/quotes/normalise-operators.ts';
import type { QuoteMember } from '../../core/quotes/normalise-quote.ts';
import type { NormalObservation, QuoteRefusal } from '../../core/quotes/types.ts';
import type { OperatorQuotes, RawQuote } from '../../schemas/events/quotes.ts';

/** One operator entry of an element as read; `pointers[i]` is where `quotes[i]` stands in the element. */
export type ReadOperator = { operator: string; pointer: string; quotes: RawQuote[]; pointers: string[] };

/** How the source calls the member of a quote that is at fault; absent: the pointer stays at the quote. */
export type MemberNames = Readonly<Partial<Record<QuoteMember, string>>>;

/** A quote of a wrong shape: normalising refuses it as `bad-quote`, whatever stands beside it. */
export const malformedQuote: RawQuote = Object.freeze({
  market: '',
  period: null,
  selection: '',
  player: null,
  player_id: null,
  line: null,
  alternate: false,
  american: null,
  decimal: null,
  fractional: null,
  state: null,
  source_timestamp: null,
});

/** The text of a number; of another value a word that is no number, so that it is refused where a number would be read. */
export function numberOrWord(value: JsonValue): string | null {
  return value === null ? null : (numberText(value) ?? kindOf(value));
}

/** A text member: null when absent, and empty — which is refused — when it is no string. */
export function textOrEmpty(value: JsonValue): string | null {
  if (value === null) return null;
  return typeof value === 'string' ? value : '';
}

/** Splits the operators of an element into what is accepted, each code once, and what is refused of it. */
export function acceptOperators(
  read: readonly ReadOperator[],
  kind: NormalObservation['kind'],
  names: MemberNames,
): { operators: OperatorQuotes[]; refusals: QuoteRefusal[] } {
  const { faults } = normaliseOperators(read, kind);
  const refused = read.map(() => new Set<number>());
  for (const { entry, quote } of faults) if (quote !== null) refused[entry]?.add(quote);

  const accepted = new Map<string, OperatorQuotes>();
  for (const [entry, { operator, quotes }] of read.entries()) {
    const code = operatorCodeOf(operator);
    if (code === null) continue;
    const kept = quotes.filter((_, quote) => !refused[entry]?.has(quote));
    const earlier = accepted.get(code);
    if (earlier === undefined) accepted.set(code, { operator: code, quotes: kept });
    else earlier.quotes.push(...kept);
  }
  return { operators: [...accepted.values()], refusals: faults.map((fault) => refusalOf(fault, read, names)) };
}

function refusalOf(
  { entry, quote, fault }: OperatorFault,
  read: readonly ReadOperator[],
  names: MemberNames,
): QuoteRefusal {
  const { pointer, pointers } = read[entry] as ReadOperator;
  if (quote === null) return { code: fault.code, pointer, detail: fault.detail };
  const name = fault.member === null ? undefined : names[fault.member];
  const place = pointers[quote] as string;
  return { code: fault.code, pointer: name === undefined ? place : `${place}/${name}`, detail: fault.detail };
}
