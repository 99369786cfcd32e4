// Queries that prune by each column of a file, with the number of rows each must find, counted here row by row. A
// reader that skips a row group because of a wrong bound finds fewer.
import type { Column, Dataset } from '../../../schemas/datasets/column.ts';

export type Operator = '=' | '>=' | '<=';
export type Query = { column: Column; operator: Operator; value: string | number | boolean; expected: number };

type Rows = readonly Readonly<Record<string, unknown>>[];
type Value = string | number | boolean;

/** For every column with values: `>=` the greatest, `<=` the least, and `=` one in between. */
export function queriesOf(dataset: Dataset, rows: Rows): Query[] {
  return dataset.columns.flatMap((column) => {
    if (column.type.kind === 'list') return [];
    const values = rows.map((row) => row[column.name]).filter((value) => value !== null) as Value[];
    if (values.length === 0) return [];
    const sorted = [...values].sort(compare);
    const least = sorted[0]!;
    const greatest = sorted.at(-1)!;
    const ask = (operator: Operator, value: Value): Query => ({
      column,
      operator,
      value,
      expected: values.filter((one) => holds(compare(one, value), operator)).length,
    });
    return [ask('>=', greatest), ask('<=', least), ask('=', sorted[sorted.length >> 1]!)];
  });
}

/** Orders text by its UTF-8 bytes, and false before true. */
function compare(a: Value, b: Value): number {
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return Number(a) - Number(b);
}

function holds(order: number, operator: Operator): boolean {
  if (operator === '=') return order === 0;
  return operator === '>=' ? order >= 0 : order <= 0;
}

/** The counts of all queries in one statement, as one column each. */
export function countingSql(path: string, queries: readonly Query[]): string {
  const file = sqlText(path);
  const counts = queries.map(
    ({ column, operator, value }) =>
      `(select count(*) from read_parquet(${file}) where "${column.name}" ${operator} ${literal(column, value)})`,
  );
  return `select ${counts.join(',\n')}`;
}

function literal({ type }: Column, value: Value): string {
  switch (type.kind) {
    case 'utf8':
      return sqlText(value as string);
    case 'bool':
      return String(value);
    case 'dec':
      return `'${decimalText(value as number, type.scale)}'::decimal(${type.precision},${type.scale})`;
    case 'ts':
      return `'${timeText(value as number)}'::timestamptz`;
    case 'date':
      return `('1970-01-01'::date + ${value})`;
    default:
      return `(${value})`;
  }
}

export function sqlText(text: string): string {
  // A literal cannot contain U+0000.
  if (text.includes('\u0000')) return `decode(from_hex('${Buffer.from(text).toString('hex')}'))`;
  return `'${text.replaceAll("'", "''")}'`;
}

export function decimalText(unscaled: number, scale: number): string {
  const digits = String(Math.abs(unscaled)).padStart(scale + 1, '0');
  return `${unscaled < 0 ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** RFC 3339 in UTC with all six digits. */
function timeText(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000);
  const fraction = String(micros - seconds * 1_000_000).padStart(6, '0');
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')}.${fraction}+00`;
}
