// Rows out of the values of their columns: objects of one shape, filled column by column.
import type { ParquetRow } from '../../core/ports/parquet.ts';
import type { ColumnValues } from './column-values.ts';
import type { ColumnLayout } from './layout.ts';

type OpenRow = Record<string, unknown>;

/** `count` rows of `columns`. */
export function rowsOfValues(
  columns: readonly ColumnLayout[],
  values: readonly ColumnValues[],
  count: number,
): ParquetRow[] {
  // A copy of a whole row is much quicker to fill than an empty object that gets one column after another.
  const blank: OpenRow = Object.fromEntries(columns.map(({ name }) => [name, null]));
  const rows: OpenRow[] = new Array(count);
  for (let index = 0; index < count; index++) rows[index] = { ...blank };
  columns.forEach((column, at) => {
    const column_ = values[at]!;
    const held = valuesAsHeld(column, column_);
    if (column.list) fillLists(rows, column.name, column_, held);
    else fill(rows, column.name, column_.present, held);
  });
  return rows as ParquetRow[];
}

/** The values as rows hold them. */
function valuesAsHeld({ leaf }: ColumnLayout, { numbers, texts, codes, values }: ColumnValues): ArrayLike<unknown> {
  if (leaf === 'number') return numbers;
  const held = new Array<unknown>(values);
  if (leaf === 'flag') for (let index = 0; index < values; index++) held[index] = numbers[index] === 1;
  else for (let index = 0; index < values; index++) held[index] = texts[codes[index]!];
  return held;
}

function fill(rows: OpenRow[], name: string, present: Uint8Array | null, values: ArrayLike<unknown>): void {
  const { length } = rows;
  if (present === null) {
    for (let index = 0; index < length; index++) rows[index]![name] = values[index];
    return;
  }
  let next = 0;
  for (let index = 0; index < length; index++) if (present[index] === 1) rows[index]![name] = values[next++];
}

function fillLists(
  rows: OpenRow[],
  name: string,
  { count, present, repeated }: ColumnValues,
  values: ArrayLike<unknown>,
): void {
  let row = -1;
  let next = 0;
  let list: unknown[] = [];
  for (let index = 0; index < count; index++) {
    if (repeated?.[index] !== 1) {
      list = [];
      rows[++row]![name] = list;
    }
    if (present === null || present[index] === 1) list.push(values[next++]);
  }
}
