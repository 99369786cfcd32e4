// Builds rows from column values: objects of one shape, filled column by column.
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
  const rows: OpenRow[] = new Array(count);
  const blank = blankRow(columns, values);
  for (let index = 0; index < count; index++) rows[index] = { ...blank };
  for (const [at, column] of columns.entries()) {
    if (constantOf(column, values[at]!) === undefined) fillColumn(rows, column, values[at]!);
  }
  return rows as ParquetRow[];
}

/**
 * The template of all rows. Copying a whole row is much faster than setting one column after another, above all if JSON.parse created it.
 */
function blankRow(columns: readonly ColumnLayout[], values: readonly ColumnValues[]): OpenRow {
  const members = columns.map((column, at) => [column.name, constantOf(column, values[at]!) ?? null]);
  return JSON.parse(JSON.stringify(Object.fromEntries(members)));
}

/** The value of a text column that is the same text, or null, in every row. */
function constantOf({ leaf, list }: ColumnLayout, { values, present, texts }: ColumnValues): string | null | undefined {
  if (list) return undefined;
  if (values === 0) return null;
  return leaf === 'text' && texts.length === 1 && present === null ? texts[0] : undefined;
}

function fillColumn(rows: OpenRow[], { name, leaf, list }: ColumnLayout, values: ColumnValues): void {
  const { numbers, texts, codes } = values;
  if (list)
    fillLists(rows, name, values, leaf === 'text' ? (value) => texts[codes[value]!] : (value) => numbers[value]);
  else if (leaf === 'text') fillTexts(rows, name, values);
  else if (leaf === 'flag') fillFlags(rows, name, values);
  else fillNumbers(rows, name, values);
}

// Three separate loops: a single one that checks the kind of every value is much slower.

function fillTexts(rows: OpenRow[], name: string, { present, texts, codes }: ColumnValues): void {
  let next = 0;
  for (let index = 0; index < rows.length; index++)
    if (present === null || present[index] === 1) rows[index]![name] = texts[codes[next++]!];
}

function fillNumbers(rows: OpenRow[], name: string, { present, numbers }: ColumnValues): void {
  let next = 0;
  for (let index = 0; index < rows.length; index++)
    if (present === null || present[index] === 1) rows[index]![name] = numbers[next++];
}

function fillFlags(rows: OpenRow[], name: string, { present, numbers }: ColumnValues): void {
  let next = 0;
  for (let index = 0; index < rows.length; index++)
    if (present === null || present[index] === 1) rows[index]![name] = numbers[next++] === 1;
}

function fillLists(
  rows: OpenRow[],
  name: string,
  { count, present, repeated }: ColumnValues,
  elementAt: (value: number) => unknown,
): void {
  let row = -1;
  let next = 0;
  let list: unknown[] = [];
  for (let index = 0; index < count; index++) {
    if (repeated?.[index] !== 1) {
      list = [];
      rows[++row]![name] = list;
    }
    if (present === null || present[index] === 1) list.push(elementAt(next++));
  }
}
