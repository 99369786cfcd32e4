// Turns the words of one quote into its normal form, or the one code that refuses it: docs/quotes.md#the-native-event
// and docs/quotes.md#normalising, sentence by sentence. Knows nothing about events, games or folding.
import { type Exact, exactOf, fixed, roundHalfEven, shortest, wholeAt } from './exact.ts';
import { type Json, member } from './json.ts';
import { readMeant, readTime } from './times.ts';

export interface Price {
  american: number;
  decimal: string;
  format: 'american' | 'decimal' | 'fractional';
}

export interface Quote {
  selectionId: string;
  market: string;
  period: string;
  selection: string;
  playerId: string | null;
  /** At the scale of the schema: `-2.500`. */
  line: string | null;
  lineInIdentity: boolean;
  price: Price | null;
  state: 'open' | 'suspended' | 'withdrawn';
  stamp: bigint | null;
}

export type QuoteCode = 'bad-quote' | 'bad-state' | 'bad-price' | 'bad-line' | 'missing-line' | 'duplicate-selection';

/** A member as the source gave it. `right`: whether it has the required JSON type. */
export interface Word {
  given: boolean;
  right: boolean;
  text: string;
}

/** What a source said in one quote, before any rule is applied. */
export interface QuoteWords {
  isObject: boolean;
  market: Word;
  period: Word;
  selection: Word;
  player: Word;
  playerId: Word;
  alternate: Word;
  state: Word;
  stamp: Word;
  line: Word;
  price: Word;
  american: Word;
  decimal: Word;
  fractional: Word;
}

export const absent: Word = { given: false, right: true, text: '' };

export function word(json: Json | undefined, kind: Json['kind']): Word {
  if (json === undefined || json.kind === 'null') return absent;
  return { given: true, right: json.kind === kind, text: json.text };
}

/** The quote of a native event. */
export function wordsOfNative(json: Json): QuoteWords {
  const price = member(json, 'price');
  return {
    isObject: json.kind === 'object',
    market: word(member(json, 'market'), 'string'),
    period: word(member(json, 'period'), 'string'),
    selection: word(member(json, 'selection'), 'string'),
    player: word(member(json, 'player'), 'string'),
    playerId: word(member(json, 'player_id'), 'string'),
    alternate: word(member(json, 'alternate'), 'boolean'),
    state: word(member(json, 'state'), 'string'),
    stamp: word(member(json, 'source_timestamp'), 'string'),
    line: word(member(json, 'line'), 'number'),
    price: word(price, 'object'),
    american: word(member(price, 'american'), 'number'),
    decimal: word(member(price, 'decimal'), 'number'),
    fractional: word(member(price, 'fractional'), 'string'),
  };
}

const marketName = /^[a-z0-9_]{1,64}$/;
const canonicalUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** "One code per refused quote, in the order `bad-quote`, `bad-state`, `bad-price`, `bad-line`, `missing-line`, …". */
export function normaliseQuote(said: QuoteWords, kind: 'image' | 'delta'): Quote | QuoteCode {
  if (!said.isObject) return 'bad-quote';
  if (!said.market.right || !marketName.test(said.market.text)) return 'bad-quote';
  const period = said.period.given ? said.period.text : 'full';
  if (!said.period.right || !marketName.test(period)) return 'bad-quote';
  if (!said.selection.right || said.selection.text === '') return 'bad-quote';
  if (said.player.given && (!said.player.right || said.player.text === '')) return 'bad-quote';
  if (!said.playerId.right || !said.alternate.right) return 'bad-quote';
  let stamp: bigint | null = null;
  if (said.stamp.given) {
    const read = said.stamp.right ? readTime(said.stamp.text) : undefined;
    if (read === undefined) return 'bad-quote';
    stamp = readMeant(said.stamp.text) ?? null;
  }

  const state = said.state.given ? said.state.text : 'open';
  if (!said.state.right) return 'bad-state';
  if (state !== 'open' && state !== 'suspended' && state !== 'withdrawn') return 'bad-state';
  if (state === 'withdrawn' && kind !== 'delta') return 'bad-state';

  // "An open quote needs one; suspended may have one; withdrawn ignores it."
  let price: Price | null = null;
  if (state !== 'withdrawn') {
    if (!said.price.right) return 'bad-price';
    const formats = [said.american, said.decimal, said.fractional].filter((format) => format.given);
    if (formats.length === 0 && state === 'open') return 'bad-price';
    if (formats.length > 0) {
      const read = readPrice(said);
      if (read === undefined) return 'bad-price';
      price = read;
    }
  }

  let line: bigint | undefined;
  if (said.line.given) {
    line = said.line.right ? readLine(said.line.text) : undefined;
    if (line === undefined) return 'bad-line';
  }

  const lineInIdentity = said.alternate.given && said.alternate.text === 'true';
  const needsLine = state === 'open' && ['spread', 'total', 'team_total'].includes(said.market.text);
  if (line === undefined && (lineInIdentity || needsLine)) return 'missing-line';

  const parts = [said.market.text, period, said.selection.text];
  if (said.player.given) parts.push(said.player.text);
  if (lineInIdentity) parts.push(shortest(line!, 3));
  return {
    selectionId: parts.map(percentEncode).join('/'),
    market: said.market.text,
    period,
    selection: said.selection.text,
    playerId: said.playerId.given && canonicalUuid.test(said.playerId.text) ? said.playerId.text : null,
    line: line === undefined ? null : fixed(line, 3),
    lineInIdentity,
    price,
    state,
    stamp,
  };
}

/** "American wins — also when it is invalid —, else decimal, else fractional." */
function readPrice(said: QuoteWords): Price | undefined {
  if (said.american.given) return said.american.right ? fromAmerican(exactOf(said.american.text)) : undefined;
  if (said.decimal.given) return said.decimal.right ? fromDecimal(exactOf(said.decimal.text), 'decimal') : undefined;
  const found = said.fractional.right ? /^([0-9]+)\/([0-9]+)$/.exec(said.fractional.text) : null;
  if (found === null) return undefined;
  const over = BigInt(found[1]!);
  const under = BigInt(found[2]!);
  if (under === 0n) return undefined;
  return fromDecimal({ over: under + over, under }, 'fractional');
}

/** "An integer by value, 100 ≤ |a| ≤ 1,000,000; −100 becomes 100." */
function fromAmerican(value: Exact): Price | undefined {
  let a = wholeAt(value, 1n);
  if (a === undefined) return undefined;
  if (a === -100n) a = 100n;
  const size = a < 0n ? -a : a;
  if (size < 100n || size > 1_000_000n) return undefined;
  const decimal = a > 0n ? { over: 100n + a, under: 100n } : { over: size + 100n, under: size };
  return { american: Number(a), decimal: fixed(roundHalfEven(decimal, 10_000n), 4), format: 'american' };
}

/** "Rounded half even to 4 places first, then 1.0001 ≤ d ≤ 10,001." */
function fromDecimal(value: Exact, format: 'decimal' | 'fractional'): Price | undefined {
  const d = roundHalfEven(value, 10_000n);
  if (d < 10_001n || d > 100_010_000n) return undefined;
  const above1 = d - 10_000n;
  let american =
    d >= 20_000n
      ? roundHalfEven({ over: above1, under: 100n }, 1n)
      : -roundHalfEven({ over: 1_000_000n, under: above1 }, 1n);
  if (american === -100n) american = 100n;
  return { american: Number(american), decimal: fixed(d, 4), format };
}

/** Thousandths. "At most 3 places by value, |line| < 100,000; `-0` is `0`; else `bad-line`." */
function readLine(text: string): bigint | undefined {
  const thousandths = wholeAt(exactOf(text), 1000n);
  if (thousandths === undefined || thousandths >= 100_000_000n || thousandths <= -100_000_000n) return undefined;
  return thousandths;
}

/** "`%`, `/` and the characters U+0000–1F, 7F–9F are percent-encoded (UTF-8, upper-case hex), all else is kept as given." */
function percentEncode(part: string): string {
  let encoded = '';
  for (const character of part) {
    const code = character.codePointAt(0)!;
    if (character === '%' || character === '/' || code <= 0x1f || (code >= 0x7f && code <= 0x9f)) {
      for (const byte of Buffer.from(character, 'utf8'))
        encoded += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    } else {
      encoded += character;
    }
  }
  return encoded;
}

/** Order by UTF-8 bytes. */
export function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}
