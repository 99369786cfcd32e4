// Normalises lines (docs/quotes.md#lines): thousandths, exact; `-0` is `0`.
import { exactUnscaled, readDecimal, shortestText } from '../decimal.ts';

const limit = 100_000_000;

// A bounded cache of short texts: lines repeat even more than prices.
const memory = new Map<string, number | null>();
const maxRememberedLength = 16;
const maxRemembered = 8_192;

/** A line's text in thousandths; null: `bad-line` (more than 3 places by value, 100,000 or more, or not a number). */
export function normaliseLine(text: string): number | null {
  if (text.length > maxRememberedLength) return readLine(text);
  const known = memory.get(text);
  if (known !== undefined) return known;
  const line = readLine(text);
  if (memory.size >= maxRemembered) memory.clear();
  memory.set(text, line);
  return line;
}

function readLine(text: string): number | null {
  const value = readDecimal(text);
  const line = value === null ? null : exactUnscaled(value, 3);
  return line === null || Math.abs(line) >= limit ? null : line;
}

/** The shortest decimal of a line in thousandths, as in selection ids: `-1.5`, `0`, `21.5`. docs/quotes.md#selection-identity. */
export function lineText(line: number): string {
  return shortestText(line, 3);
}
