// The canonical line of a row, which is all that a state's digest sees of it (decisions.md 25; the page for strangers is
// schemas/msf-digest/README.md). It depends on the list of columns and on the values, never on how a file stores them.

import type { Column } from '../../schemas/datasets/column.ts';
import { fixedText } from '../decimal.ts';
import { dateOfDays, formatMicros } from '../time/rfc3339.ts';

type Value = string | number | bigint | boolean | readonly (string | number)[] | null;

/** A row by column names, as a ParquetRow; an `int64` beyond the safe integers is a bigint. */
export type CanonicalRow = { readonly [column: string]: Value };

/** The RFC 8785 form of the array of the row's values in the order of `columns`, without its newline. decisions.md 25. */
export function canonicalLine(columns: readonly Column[], row: CanonicalRow): string {
  let line = '[';
  for (let at = 0; at < columns.length; at += 1) {
    if (at > 0) line += ',';
    line += canonicalValue(columns[at] as Column, row);
  }
  return `${line}]`;
}

function canonicalValue({ name, type }: Column, row: CanonicalRow): string {
  const value = row[name];
  // A string that is needed most and cannot be mistaken for anything else goes first.
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') {
    if (type.kind === 'dec') return `"${fixedText(value, type.scale)}"`;
    if (type.kind === 'ts') return `"${formatMicros(value)}"`;
    if (type.kind === 'date') return `"${dateOfDays(value)}"`;
    return integerText(value);
  }
  if (typeof value === 'bigint') return integerText(value);
  // Lists hold texts or integers, and JSON writes both as RFC 8785 does.
  return JSON.stringify(value);
}

/** As a number, or as a string where a double is not sure to hold it. */
function integerText(value: number | bigint): string {
  const isSafe = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
  return isSafe ? String(value) : `"${value}"`;
}
