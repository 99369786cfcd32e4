// The canonical line of a row, the only part of it that the state's digest covers (docs/revisions.md#digest; schemas/msf-digest/README.md
// explains it for clients). It depends on the list of columns and on the values, never on how a file stores them.

import type { Column } from '../../schemas/datasets/column.ts';
import { fixedText } from '../decimal.ts';
import { dateOfDays, formatMicros } from '../time/rfc3339.ts';

type Value = string | number | bigint | boolean | readonly (string | number)[] | null;

/** A row by column name, as a ParquetRow; an `int64` beyond the safe integers is a bigint. */
export type CanonicalRow = { readonly [column: string]: Value };

/** The RFC 8785 form of the array of the row's values in the order of `columns`, without its newline. docs/revisions.md#digest. */
export function canonicalLine(columns: readonly Column[], row: CanonicalRow): string {
  // For strings, integers, booleans and nulls, JSON.stringify writes what RFC 8785 requires.
  return JSON.stringify(canonicalCells(columns, row));
}

/** The row's values in the order of `columns`, in their JSON form. */
export function canonicalCells(columns: readonly Column[], row: CanonicalRow): Cell[] {
  const cells: Cell[] = [];
  for (const column of columns) cells.push(cellOf(column, row[column.name] ?? null));
  return cells;
}

/** The row as an object, its values in their JSON form. docs/interface.md#dataset-schema. */
export function jsonRow(columns: readonly Column[], row: CanonicalRow): Readonly<Record<string, Cell>> {
  const members: Record<string, Cell> = {};
  for (const column of columns) members[column.name] = cellOf(column, row[column.name] ?? null);
  return members;
}

type Cell = Exclude<Value, bigint>;

function cellOf({ type }: Column, value: Value): Cell {
  if (typeof value === 'bigint') return integerCell(value);
  if (typeof value !== 'number') return value;
  switch (type.kind) {
    case 'dec':
      return fixedText(value, type.scale);
    case 'ts':
      return formatMicros(value);
    case 'date':
      return dateOfDays(value);
    default:
      return integerCell(value);
  }
}

/** A number, or a string if a double might not represent it exactly. */
function integerCell(value: number | bigint): number | string {
  const isSafe = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
  return isSafe ? Number(value) : String(value);
}
