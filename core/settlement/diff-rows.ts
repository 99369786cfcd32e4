// Compares two lists of rows by their key: added, removed, changed.
import type { Dataset } from '../../schemas/datasets/column.ts';
import { type CanonicalRow, canonicalLine } from '../msf/canonical-row.ts';

type RowDifference<Row> = {
  readonly added: readonly Row[];
  readonly removed: readonly Row[];
  readonly changed: readonly { before: Row; after: Row }[];
};

/** The rows of `after` and `before` that differ, in the order of their lists. */
export function diffRows<Row extends CanonicalRow>(
  { columns, primaryKey }: Pick<Dataset, 'columns' | 'primaryKey'>,
  before: readonly Row[],
  after: readonly Row[],
): RowDifference<Row> {
  const keyColumns = columns.filter(({ name }) => primaryKey.includes(name));
  const keyOf = (row: Row): string => canonicalLine(keyColumns, row);
  const old = new Map(before.map((row) => [keyOf(row), row]));
  const kept = new Set<string>();
  const added: Row[] = [];
  const changed: { before: Row; after: Row }[] = [];
  for (const row of after) {
    const key = keyOf(row);
    const known = old.get(key);
    if (known === undefined) added.push(row);
    else if (canonicalLine(columns, known) !== canonicalLine(columns, row)) changed.push({ before: known, after: row });
    kept.add(key);
  }
  return { added, removed: before.filter((row) => !kept.has(keyOf(row))), changed };
}
