// Exact rational arithmetic on BigInt, and decimals as text. docs/quotes.md#prices: "All on exact decimals."

/** `over / under`; `under` is positive. */
export interface Exact {
  over: bigint;
  under: bigint;
}

const farthestExponent = 400n;

/**
 * The value of a JSON number as written. Values beyond 10^±400 become ±10^±400: every rule gives the same verdict
 * there, and no power of ten grows to a million digits.
 */
export function exactOf(numberText: string): Exact {
  const found = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(numberText);
  if (found === null) throw new Error(`not a JSON number: ${numberText}`);
  const [, sign, whole, fraction = '', exponent = '0'] = found;
  const digits = BigInt(`${whole}${fraction}`);
  if (digits === 0n) return { over: 0n, under: 1n };
  const signed = sign === '-' ? -digits : digits;
  const power = BigInt(exponent.replace('+', '')) - BigInt(fraction.length);
  const magnitude = power + BigInt(String(digits).length);
  const unit = sign === '-' ? -1n : 1n;
  if (magnitude > farthestExponent) return { over: unit * 10n ** farthestExponent, under: 1n };
  if (magnitude < -farthestExponent) return { over: unit, under: 10n ** farthestExponent };
  return power >= 0n ? { over: signed * 10n ** power, under: 1n } : { over: signed, under: 10n ** -power };
}

/** The integer nearest to `value × scale`; ties go to the even one. */
export function roundHalfEven(value: Exact, scale: bigint): bigint {
  const over = value.over * scale;
  const below = over >= 0n ? over / value.under : -((-over + value.under - 1n) / value.under);
  const twiceRest = 2n * (over - below * value.under);
  if (twiceRest > value.under) return below + 1n;
  if (twiceRest < value.under) return below;
  return below % 2n === 0n ? below : below + 1n;
}

/** `value × scale` if that is an integer, otherwise `undefined`. */
export function wholeAt(value: Exact, scale: bigint): bigint | undefined {
  const over = value.over * scale;
  return over % value.under === 0n ? over / value.under : undefined;
}

/** `-2500` at 3 places is `-2.500`, the scale of the schema. */
export function fixed(units: bigint, places: number): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** `-2500` at 3 places is `-2.5`: the shortest decimal (docs/quotes.md#selection-identity). */
export function shortest(units: bigint, places: number): string {
  return fixed(units, places).replace(/0+$/, '').replace(/\.$/, '');
}
