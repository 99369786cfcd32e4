// What the adapters do with an element once they have read its sportsbooks: refuse what the fold would refuse, with the same function, and
// keep the rest as written.
import { type PushGrant, whyNotOperator } from '../../core/access/feed-grant.ts';
import { isJsonObject, type JsonValue, kindOf, memberOf, numberText } from '../../core/json/value.ts';
import { operatorCodeOf } from '../../core/quotes/name-forms.ts';
import { normalisingOperators, type OperatorFault } from '../../core/quotes/normalise-operators.ts';
import type { QuoteMember } from '../../core/quotes/normalise-quote.ts';
import type { NormalObservation, QuoteRefusal } from '../../core/quotes/types.ts';
import type { Task } from '../../core/scheduling/task.ts';
import type { OperatorQuotes, RawQuote } from '../../schemas/events/quotes.ts';
import type { Warning } from './adapted.ts';
import { type GameWords, type QuoteWarning, warningOf } from './quote-warnings.ts';

/**
 * One sportsbook entry of an element as read; `pointers[i]` is the pointer of `quotes[i]` in the element. A quote of a wrong shape has its
 * fault in `wrong`, by its index.
 */
export type ReadOperator = {
  operator: string;
  pointer: string;
  quotes: RawQuote[];
  pointers: string[];
  wrong: Map<number, WrongShape>;
};

/** The wrongly typed part of a quote; `member` is the source's own name for it, null: the quote as a whole. */
export type WrongShape = { member: string | null; detail: string };

/** Quotes of an element that are read in one step. */
export const quotesOfStep = 64;

/** Adds a quote as read to its sportsbook. */
export function addQuote(operator: ReadOperator, pointer: string, read: RawQuote | WrongShape): void {
  if ('detail' in read) operator.wrong.set(operator.quotes.length, read);
  operator.quotes.push('detail' in read ? malformedQuote : read);
  operator.pointers.push(pointer);
}

/** The source's names for the members of a quote; if absent, a fault's pointer is that of the quote. */
export type MemberNames = Readonly<Partial<Record<QuoteMember, string>>>;

/** Stands in for a quote of a wrong shape: normalising refuses it as `bad-quote`. */
const malformedQuote: RawQuote = Object.freeze({
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

/** Longest string of a quote, in bytes: readers of the log refuse longer ones. */
const maxTextBytes = 65_000;

/** Whether a string of a quote is short enough to be kept. */
export function isKeepable(text: string): boolean {
  return text.length * 3 <= maxTextBytes || Buffer.byteLength(text) <= maxTextBytes;
}

/** The text of a number; for any other value a word that is not a number, so that it is refused where a number is read. */
export function numberOrWord(value: JsonValue): string | null {
  if (value === null) return null;
  const text = numberText(value);
  return text !== null && isKeepable(text) ? text : kindOf(value);
}

/** A string member: null if absent; empty, which is refused, if it is not a string or too long. */
export function textOrEmpty(value: JsonValue): string | null {
  if (value === null) return null;
  return typeof value === 'string' && isKeepable(value) ? value : '';
}

/** The formats that a price gives; for a price of a wrong shape, a value that is refused. */
export function readPrice(price: JsonValue): Pick<RawQuote, 'american' | 'decimal' | 'fractional'> {
  if (price === null) return { american: null, decimal: null, fractional: null };
  if (!isJsonObject(price)) return { american: 'no object', decimal: null, fractional: null };
  const fractional = memberOf(price, 'fractional');
  return {
    american: numberOrWord(memberOf(price, 'american')),
    decimal: numberOrWord(memberOf(price, 'decimal')),
    fractional: typeof fractional === 'string' && isKeepable(fractional) ? fractional : numberOrWord(fractional),
  };
}

/** How the quotes of an element are checked. */
export type QuoteTerms = {
  names: MemberNames;
  may: PushGrant;
  /** What the element says about its game; null: the quotes of this feed are not checked for mistakes. */
  game: GameWords | null;
  /** Whether warnings become refusals. */
  strict: boolean;
  /** The format's own message for an invalid price; left out: the service's. */
  noPrice?: string;
};

type Accepted = { operators: OperatorQuotes[]; refusals: QuoteRefusal[]; warnings: readonly Warning[] };

const noWarnings: readonly Warning[] = [];

/**
 * Splits the sportsbooks of an element into accepted ones, each code once, and refused parts; also returns the warnings about accepted
 * quotes. An entry of a sportsbook that the key may not push is refused as a whole, whatever its quotes.
 */
export function* acceptingOperators(
  read: readonly ReadOperator[],
  kind: NormalObservation['kind'],
  terms: QuoteTerms,
): Task<Accepted> {
  const { may, game, strict } = terms;
  const forbidden = new Map<number, string>();
  for (const [entry, { operator }] of read.entries()) {
    const code = operatorCodeOf(operator);
    const why = code === null ? null : whyNotOperator(may, code);
    if (why !== null) forbidden.set(entry, why);
  }
  const permitted =
    forbidden.size === 0 ? read : read.map((each, at) => (forbidden.has(at) ? { ...each, quotes: [] } : each));
  const doubt = game === null || !strict ? undefined : (quote: RawQuote) => warningOf(quote, game);
  const { faults } = yield* normalisingOperators(permitted, kind, undefined, doubt);
  const refused = read.map(() => new Set<number>());
  for (const { entry, quote } of faults) if (quote !== null) refused[entry]?.add(quote);

  const accepted = new Map<string, OperatorQuotes>();
  let warnings = noWarnings;
  for (const [entry, { operator, quotes }] of read.entries()) {
    yield;
    const code = operatorCodeOf(operator);
    if (code === null || forbidden.has(entry)) continue;
    const suspected = game === null || strict ? null : suspectedOf(quotes, game, refused[entry]);
    if (suspected !== null) {
      warnings = [...warnings, ...[...suspected].map((each) => warningAt(each, read[entry] as ReadOperator, terms))];
    }
    const kept = quotes.filter((_, quote) => !refused[entry]?.has(quote));
    const earlier = accepted.get(code);
    if (earlier === undefined) accepted.set(code, { operator: code, quotes: kept });
    else earlier.quotes.push(...kept);
  }
  for (const [entry, detail] of forbidden)
    faults.push({ entry, quote: null, fault: { code: 'forbidden-operator', member: null, detail } });
  faults.sort((a, b) => a.entry - b.entry || (a.quote ?? -1) - (b.quote ?? -1));
  return {
    operators: [...accepted.values()],
    refusals: faults.map((fault) => refusalOf(fault, read, terms)),
    warnings,
  };
}

/** The warnings about quotes of an entry, by index, without those of refused quotes; null: there are none. */
function suspectedOf(
  quotes: readonly RawQuote[],
  game: GameWords,
  refused: ReadonlySet<number> | undefined,
): Map<number, QuoteWarning> | null {
  let suspected: Map<number, QuoteWarning> | null = null;
  for (let quote = 0; quote < quotes.length; quote += 1) {
    const warning = warningOf(quotes[quote] as RawQuote, game);
    if (warning === null || refused?.has(quote)) continue;
    suspected ??= new Map();
    suspected.set(quote, warning);
  }
  return suspected;
}

function warningAt(
  [quote, { code, member, detail }]: [number, QuoteWarning],
  at: ReadOperator,
  { names }: QuoteTerms,
): Warning {
  const name = nameOf(member, names);
  const place = at.pointers[quote] as string;
  return { code, pointer: name === null ? place : `${place}/${name}`, detail };
}

function refusalOf(
  { entry, quote, fault }: OperatorFault,
  read: readonly ReadOperator[],
  { names, noPrice }: QuoteTerms,
): QuoteRefusal {
  const { pointer, pointers, wrong } = read[entry] as ReadOperator;
  if (quote === null) return { code: fault.code, pointer, detail: fault.detail };
  const shape = wrong.get(quote);
  const member = shape === undefined ? nameOf(fault.member, names) : shape.member;
  const place = pointers[quote] as string;
  return {
    code: fault.code,
    pointer: member === null ? place : `${place}/${member}`,
    detail: shape?.detail ?? (fault.code === 'bad-price' ? noPrice : undefined) ?? fault.detail,
  };
}

function nameOf(member: QuoteMember | null, names: MemberNames): string | null {
  return member === null ? null : (names[member] ?? null);
}
