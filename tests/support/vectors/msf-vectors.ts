// The cases of tests/vectors/msf, and the tables of digest vectors, those and the published ones.
import { readFileSync } from 'node:fs';
import { readDecimal, roundedUnscaled } from '../../../core/decimal.ts';
import type { CanonicalRow } from '../../../core/msf/canonical-row.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import type { Column, ColumnType } from '../../../schemas/datasets/column.ts';

const folder = new URL('../../vectors/msf/', import.meta.url);

/** The cases of one file. */
export function msfVectors<Case>(form: string): Case[] {
  return (JSON.parse(readFileSync(new URL(`${form}.json`, folder), 'utf8')) as { cases: Case[] }).cases;
}

type Cell = string | number | boolean | null | readonly (string | number)[];

export type DigestCase = {
  name: string;
  rule: string;
  columns: readonly (readonly [name: string, type: string])[];
  key: readonly string[];
  rows: readonly (readonly Cell[])[];
  expect: { lines: readonly string[]; digest: string };
};

/** The columns and rows of a digest case in our form. */
export function tableOf({ columns, rows }: DigestCase): { columns: Column[]; rows: CanonicalRow[] } {
  const ours = columns.map(([name, type]): Column => {
    const nullable = type.endsWith('?');
    return { name, type: typeOf(nullable ? type.slice(0, -1) : type), nullable, description: '', unit: null };
  });
  return {
    columns: ours,
    rows: rows.map((cells) =>
      Object.fromEntries(ours.map(({ name, type }, at) => [name, cellValue(type, cells[at] ?? null)])),
    ),
  };
}

function typeOf(text: string): ColumnType {
  const decimal = /^dec\(([0-9]+),([0-9]+)\)$/.exec(text);
  if (decimal !== null) return { kind: 'dec', precision: Number(decimal[1]), scale: Number(decimal[2]) };
  const list = /^list<(utf8|int32)>$/.exec(text);
  if (list !== null) return { kind: 'list', of: list[1] as 'utf8' | 'int32' };
  return { kind: text as 'utf8' | 'int32' | 'int64' | 'bool' | 'date' | 'ts' };
}

function cellValue(type: ColumnType, cell: Cell): CanonicalRow[string] {
  if (typeof cell !== 'string') return cell;
  switch (type.kind) {
    case 'dec':
      return roundedUnscaled(readDecimal(cell)!, type.scale);
    case 'ts':
      return parseRfc3339(cell);
    case 'date':
      return Date.parse(`${cell}T00:00:00Z`) / 86_400_000;
    case 'int64': {
      const integer = BigInt(cell);
      const number = Number(integer);
      return Number.isSafeInteger(number) ? number : integer;
    }
    default:
      return cell;
  }
}
