// Converts RFC 3339 times and micros. Parsing is strict: a zone is required; `t` and `z` may be lower case (RFC 3339, 5.6), but nothing
// else may replace them; days must exist; digits after the sixth are cut off; 23:59:60 UTC, the only valid leap second, counts as the first
// second of the next day. Texts cover the years 0001 to 9999, safe-integer micros only 1684 to 2255: times to be stored are refused outside
// that range, times to be compared with bounds are clamped to it.
import { type Micros, microsPerMinute, microsPerSecond } from '../units.ts';

const secondsPerDay = 86_400;

/** Parses an RFC 3339 text; null for any other text, and for a time outside the range of micros. */
export function parseRfc3339(text: string): Micros | null {
  const micros = readRfc3339(text);
  return Number.isSafeInteger(micros) ? micros : null;
}

/** Like `parseRfc3339`, but clamps a time to the range of micros. docs/quotes.md#time-of-a-record. */
export function nearestMicros(text: string): Micros | null {
  const micros = readRfc3339(text);
  return micros === null ? null : Math.max(Number.MIN_SAFE_INTEGER, Math.min(micros, Number.MAX_SAFE_INTEGER));
}

/** The micros of an RFC 3339 text, exact where they are a safe integer; null for any other text. */
function readRfc3339(text: string): number | null {
  const length = text.length;
  if (length < 20 || length > maxLength) return null;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return null;
  if (!(hour <= 23 && minute <= 59 && second <= 60)) return null;
  if (text[4] !== '-' || text[7] !== '-' || text[13] !== ':' || text[16] !== ':') return null;
  if (text[10] !== 'T' && text[10] !== 't') return null;

  let at = 19;
  let fraction = 0;
  if (text[at] === '.') {
    const first = at + 1;
    let unit = 100_000;
    for (at = first; isDigit(text.charCodeAt(at)); at += 1) {
      fraction += unit * (text.charCodeAt(at) - zero);
      unit = unit === 1 ? 0 : unit / 10;
    }
    if (at === first) return null;
  }
  const zone = readZone(text, at);
  if (zone === null) return null;

  const seconds = daysFromCivil(year, month, day) * secondsPerDay + hour * 3_600 + minute * 60 + second;
  if (second === 60 && (seconds * microsPerSecond - zone) % (secondsPerDay * microsPerSecond) !== 0) return null;
  return seconds * microsPerSecond + fraction - zone;
}

/** Fractions may have any number of digits, but a longer text is no time. */
const maxLength = 128;

/** Offset of the zone at `at`, in micros east of UTC; null if there is none, or if more text follows. */
function readZone(text: string, at: number): Micros | null {
  const sign = text[at];
  if (sign === 'Z' || sign === 'z') return text.length === at + 1 ? 0 : null;
  if ((sign !== '+' && sign !== '-') || text.length !== at + 6 || text[at + 3] !== ':') return null;
  const hours = twoDigits(text, at + 1);
  const minutes = twoDigits(text, at + 4);
  if (!(hours <= 23 && minutes <= 59)) return null;
  const offset = (hours * 60 + minutes) * microsPerMinute;
  return sign === '+' ? offset : -offset;
}

/** `YYYY-MM-DDTHH:MM:SS.ffffffZ`. docs/interface.md#timestamps. */
export function formatMicros(time: Micros): string {
  const seconds = Math.floor(time / microsPerSecond);
  const fraction = time - seconds * microsPerSecond;
  const days = Math.floor(seconds / secondsPerDay);
  const rest = seconds - days * secondsPerDay;
  const clock = `${pad2(Math.floor(rest / 3_600))}:${pad2(Math.floor(rest / 60) % 60)}:${pad2(rest % 60)}`;
  return `${dateOfDays(days)}T${clock}.${String(fraction).padStart(6, '0')}Z`;
}

/** `YYYY-MM-DD` of a UTC day, counted from 1970-01-01. */
export function dateOfDays(days: number): string {
  // Civil date from days, counted in 400-year eras that begin on 1 March.
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${pad2(month)}-${pad2(day)}`;
}

/** The UTC day of a `YYYY-MM-DD`, counted from 1970-01-01. */
export function daysOfDate(date: string): number {
  return daysFromCivil(twoDigits(date, 0) * 100 + twoDigits(date, 2), twoDigits(date, 5), twoDigits(date, 8));
}

/** Days from 1970-01-01 to a date of the proleptic Gregorian calendar. */
function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

const zero = 0x30;

function isDigit(code: number): boolean {
  return code >= zero && code <= zero + 9;
}

/** Value of the two digits at `at`. NaN if they are no digits: every comparison with it fails. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at);
  const ones = text.charCodeAt(at + 1);
  return isDigit(tens) && isDigit(ones) ? (tens - zero) * 10 + ones - zero : Number.NaN;
}

function pad2(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
