// Normalises prices (docs/quotes.md#prices), on exact decimals. The caller decides whether a quote needs a price or may have one.
import { divideHalfEven, exactUnscaled, readDecimal, roundedUnscaled } from '../decimal.ts';
import type { Price } from './types.ts';

/** The three formats of one quote as written; null: not given. */
export type RawPrice = { american: string | null; decimal: string | null; fractional: string | null };

const minDecimal = 10_001;
const maxDecimal = 100_010_000;

/** No real price has a fraction with longer parts; this bounds the work of reading one. */
const maxFractionDigits = 10_000;

/** The price, from the first format given of American, decimal and fractional; null: `bad-price`. */
export function normalisePrice(raw: RawPrice): Price | null {
  if (raw.american !== null) return remembered(americanPrices, raw.american, fromAmerican);
  if (raw.decimal !== null) return remembered(decimalPrices, raw.decimal, fromDecimal);
  if (raw.fractional !== null) return remembered(fractionalPrices, raw.fractional, fromFractional);
  return null;
}

/** What to change in an invalid price. The first format given counts, as in `normalisePrice`. */
export function whyNoPrice(raw: RawPrice): string {
  if (raw.american !== null) return `price.american must be ${americanForm}`;
  if (raw.decimal !== null) return `price.decimal must be ${decimalForm}`;
  if (raw.fractional !== null) return 'price.fractional must be like "5/4", and 1/10000 to 10000';
  return 'price is missing: an open quote needs one of american, decimal and fractional';
}

export const americanForm = '≤ -100 or ≥ 100, and an integer up to 1,000,000 either way';
export const decimalForm = 'a number from 1.0001 to 10001';

function fromAmerican(text: string): Price | null {
  const value = readDecimal(text);
  const american = value === null ? null : exactUnscaled(value, 0);
  if (american === null) return null;
  const size = Math.abs(american);
  if (size < 100 || size > 1_000_000) return null;
  const decimal = american > 0 ? 10_000 + american * 100 : 10_000 + divideHalfEven(1_000_000, size);
  return { american: american === -100 ? 100 : american, decimal, format: 'american' };
}

function fromDecimal(text: string): Price | null {
  const value = readDecimal(text);
  const decimal = value === null ? null : roundedUnscaled(value, 4);
  return decimal === null ? null : priced(decimal, 'decimal');
}

const fraction = /^([0-9]+)\/([0-9]+)$/;

function fromFractional(text: string): Price | null {
  const match = fraction.exec(text);
  if (match === null) return null;
  const [, numerator = '', denominator = ''] = match;
  if (numerator.length > maxFractionDigits || denominator.length > maxFractionDigits) return null;
  const quotient = tenThousandths(BigInt(numerator), BigInt(denominator));
  return quotient === null ? null : priced(10_000 + quotient, 'fractional');
}

/** 10,000 · n/d, rounded half even; null if no rounding makes it a valid price. */
function tenThousandths(numerator: bigint, denominator: bigint): number | null {
  if (denominator === 0n || numerator > denominator * 20_000n) return null;
  const scaled = numerator * 10_000n;
  const floor = Number(scaled / denominator);
  const twice = (scaled % denominator) * 2n;
  if (twice === denominator) return floor % 2 === 0 ? floor : floor + 1;
  return twice > denominator ? floor + 1 : floor;
}

/** The price of a decimal in ten-thousandths, if within the limits. */
function priced(decimal: number, format: 'decimal' | 'fractional'): Price | null {
  if (decimal < minDecimal || decimal > maxDecimal) return null;
  return { american: americanOf(decimal), decimal, format };
}

function americanOf(decimal: number): number {
  const profit = decimal - 10_000;
  if (profit >= 10_000) return divideHalfEven(profit, 100);
  const size = divideHalfEven(1_000_000, profit);
  return size === 100 ? 100 : -size;
}

// Bounded caches of short texts: feeds repeat the same few thousand prices.
type Memory = Map<string, Price | null>;
const americanPrices: Memory = new Map();
const decimalPrices: Memory = new Map();
const fractionalPrices: Memory = new Map();
const maxRememberedLength = 16;
const maxRemembered = 8_192;

function remembered(memory: Memory, text: string, read: (text: string) => Price | null): Price | null {
  if (text.length > maxRememberedLength) return read(text);
  const known = memory.get(text);
  if (known !== undefined) return known;
  const price = read(text);
  if (memory.size >= maxRemembered) memory.clear();
  memory.set(text, price);
  return price;
}
