// The cases of tests/vectors/settlement. A failing case is reported by its name, its reason and the first difference.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** The columns of a case that names none. */
export const closingColumns = [
  'operator',
  'selection_id',
  'line',
  'closing_price_american',
  'opening_line',
  'opening_price_american',
  'opened_at',
  'closed_at',
  'close_basis',
  'player_id',
];

export const timelineColumns = [
  'sequence',
  'timestamp',
  'status',
  'period',
  'clock_seconds_remaining',
  'home_score',
  'away_score',
  'situation',
  'revision',
];

const folder = new URL('../../vectors/settlement/', import.meta.url);

/** The cases of one file. */
export function settlementVectors<Case>(file: string): readonly Case[] {
  return (JSON.parse(readFileSync(new URL(`${file}.json`, folder), 'utf8')) as { cases: Case[] }).cases;
}

/** Fails unless every expected member was found. */
export function assertCase(
  { name, why }: { name: string; why: string },
  expected: object,
  found: Readonly<Record<string, unknown>>,
): void {
  for (const [member, value] of Object.entries(expected)) {
    const difference = firstDifference(value, found[member], member);
    if (difference !== null) assert.fail(`${name}\n${why}\n${difference}`);
  }
}

/** Where and how two JSON values first differ; null if they are equal. */
export function firstDifference(expected: unknown, found: unknown, path: string): string | null {
  if (Array.isArray(expected) && Array.isArray(found)) {
    for (let at = 0; at < Math.max(expected.length, found.length); at += 1) {
      const difference = firstDifference(expected[at], found[at], `${path}[${at}]`);
      if (difference !== null) return difference;
    }
    return null;
  }
  const [left, right] = [JSON.stringify(expected), JSON.stringify(found)];
  return left === right ? null : `${path}: expected ${left}, found ${right}`;
}
