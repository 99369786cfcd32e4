// Converts values of a body for columns (docs/revisions.md#values). A number counts as its RFC 8785 text, so 2.0 equals 2, and numbers with
// the same double are equal. A value of another type, or one that does not fit its column, becomes null. Never throws.

import { readDecimal, roundedUnscaled } from '../decimal.ts';
import { isJsonArray, isJsonObject, JsonNumber, type JsonObject, type JsonValue, memberOf } from '../json/value.ts';
import { parseRfc3339 } from '../time/rfc3339.ts';
import type { Micros } from '../units.ts';
import type { MsfTeam } from './ids.ts';

const int32Limit = 2 ** 31;
const dec124Limit = 10 ** 12;
const dec124Scale = 10 ** 4;

/** The value at a path of member names and list indexes; null if there is none. */
export function valueAt(value: JsonValue, ...path: readonly (string | number)[]): JsonValue {
  let found = value;
  for (const step of path) {
    if (typeof step === 'string') found = isJsonObject(found) ? memberOf(found, step) : null;
    else found = isJsonArray(found) ? (found[step] ?? null) : null;
  }
  return found;
}

/** The value, if it is an object; otherwise null. */
export function objectOf(value: JsonValue): JsonObject | null {
  return isJsonObject(value) ? value : null;
}

/** The elements of a list; none for any other value. */
export function listOf(value: JsonValue): readonly JsonValue[] {
  return isJsonArray(value) ? value : [];
}

/** The number as a double; null for any other value, and for a number beyond the range of doubles. */
export function numberOf(value: JsonValue): number | null {
  if (typeof value !== 'number' && !(value instanceof JsonNumber)) return null;
  const number = (typeof value === 'number' ? value : Number(value.text)) + 0;
  return Number.isFinite(number) ? number : null;
}

/** An integral number from `least` to `most`. */
export function integerOf(value: JsonValue, least: number, most: number): number | null {
  const number = numberOf(value);
  return number !== null && Number.isInteger(number) && number >= least && number <= most ? number : null;
}

/** A value for an `int32` column. */
export function int32Of(value: JsonValue): number | null {
  return integerOf(value, -int32Limit, int32Limit - 1);
}

/** A value for an `int64` column, or an id: rows hold integers that are safe as doubles. */
export function int64Of(value: JsonValue): number | null {
  return integerOf(value, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
}

/** A value for a `dec(12,4)` column, unscaled: rounded half even, without a negative zero. */
export function dec124Of(value: JsonValue): number | null {
  const number = numberOf(value);
  if (number === null) return null;
  // Decimals of up to 15 digits map to distinct doubles: if this round trip is exact, the number was written with at most four decimal
  // places.
  const scaled = Math.round(number * dec124Scale);
  if (scaled / dec124Scale === number && Math.abs(scaled) < dec124Limit) return scaled;
  const decimal = readDecimal(String(number));
  const unscaled = decimal === null ? null : roundedUnscaled(decimal, 4);
  return unscaled !== null && Math.abs(unscaled) < dec124Limit ? unscaled : null;
}

/** A value for a text column. */
export function textOf(value: JsonValue): string | null {
  return typeof value === 'string' ? value : null;
}

/**
 * A value for a `ts` column: RFC 3339 with a zone; digits after the sixth are cut off. Rows hold micros that are safe integers: years 1684
 * to 2255.
 */
export function timestampOf(value: JsonValue): Micros | null {
  return typeof value === 'string' ? parseRfc3339(value) : null;
}

/** A team `{id, abbreviation}`; null if the value names none. */
export function teamOf(value: JsonValue): MsfTeam | null {
  const id = int64Of(valueAt(value, 'id'));
  const abbreviation = textOf(valueAt(value, 'abbreviation'));
  return id === null && abbreviation === null ? null : { id, abbreviation };
}
