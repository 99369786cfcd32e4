// Exact decimals, read from text. A number counts as written (docs/quotes.md): nothing goes through a double, and the work is linear in the
// length of the text, whatever digits or exponent a hostile source sends.

/** A number as ±0.`digits` · 10^`exponent`; `digits` has no zero at either end and is empty for zero. */
type Decimal = { negative: boolean; digits: string; exponent: number };

const jsonNumber = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/** Unscaled results stay below 10^15: safe integers, with room for one rounding. */
const maxDigits = 15;

/** Larger exponents are out of range for every scale used here; no text that reaches us is as long as this. */
const exponentLimit = 1e9;

/** Parses a number of JSON's grammar; null for any other text. */
export function readDecimal(text: string): Decimal | null {
  const match = jsonNumber.exec(text);
  if (match === null) return null;
  const whole = match[2] as string;
  const all = whole + (match[3] ?? '');
  let start = 0;
  while (start < all.length && all.charCodeAt(start) === zero) start += 1;
  let end = all.length;
  while (end > start && all.charCodeAt(end - 1) === zero) end -= 1;
  if (start === end) return { negative: false, digits: '', exponent: 0 };
  const written = match[4] === undefined ? 0 : Number(match[4]);
  const shift = Math.max(-exponentLimit, Math.min(exponentLimit, written));
  return { negative: match[1] === '-', digits: all.slice(start, end), exponent: whole.length - start + shift };
}

const zero = 0x30;
const five = 0x35;

/** `value` · 10^`scale` if that is an integer of at most 15 digits; null otherwise. */
export function exactUnscaled(value: Decimal, scale: number): number | null {
  if (value.digits === '') return 0;
  const kept = value.exponent + scale;
  if (kept > maxDigits || value.digits.length > kept) return null;
  const unscaled = Number(value.digits.padEnd(kept, '0'));
  return value.negative ? -unscaled : unscaled;
}

/** `value` · 10^`scale`, rounded half even to an integer; null if it takes more than 15 digits. */
export function roundedUnscaled(value: Decimal, scale: number): number | null {
  if (value.digits === '') return 0;
  const kept = value.exponent + scale;
  if (kept > maxDigits) return null;
  if (kept < 0) return 0;
  const floor = kept === 0 ? 0 : Number(value.digits.slice(0, kept).padEnd(kept, '0'));
  const next = kept < value.digits.length ? value.digits.charCodeAt(kept) : zero;
  const tie = next === five && value.digits.length === kept + 1;
  const up = tie ? floor % 2 === 1 : next >= five;
  const unscaled = up ? floor + 1 : floor;
  return value.negative && unscaled !== 0 ? -unscaled : unscaled;
}

/** `numerator` ÷ `denominator` of non-negative safe integers, rounded half even. */
export function divideHalfEven(numerator: number, denominator: number): number {
  const rest = numerator % denominator;
  const floor = (numerator - rest) / denominator;
  const twice = rest * 2;
  if (twice === denominator) return floor % 2 === 0 ? floor : floor + 1;
  return twice > denominator ? floor + 1 : floor;
}

/** An unscaled integer as a decimal text with exactly `scale` places: 19091 at 4 is `1.9091`. */
export function fixedText(unscaled: number, scale: number): string {
  const digits = String(Math.abs(unscaled)).padStart(scale + 1, '0');
  const sign = unscaled < 0 ? '-' : '';
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The shortest decimal text of an unscaled integer: no trailing zeros, no sign for zero: 21500 at 3 is `21.5`. */
export function shortestText(unscaled: number, scale: number): string {
  const text = fixedText(unscaled, scale);
  let end = text.length;
  if (scale > 0) {
    while (text.charCodeAt(end - 1) === zero) end -= 1;
    if (text[end - 1] === '.') end -= 1;
  }
  return text.slice(0, end);
}
