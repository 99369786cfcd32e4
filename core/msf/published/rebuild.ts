// Rebuilds a dataset's state from the files of its revisions, as a client does (docs/interface.md#rebuilding-from-archives). Trusts
// nothing: it reports every change that does not fit the state before it, so that `sds verify` checks what is published instead of
// repeating what the fold remembers (I12, I14).
import type { Dataset } from '../../../schemas/datasets/column.ts';
import type { ParquetRow } from '../../ports/parquet.ts';
import { canonicalLine } from '../canonical-row.ts';
import { rowOrder, stateDigest } from '../digest.ts';
import type { RevisionKind, StateRow } from '../types.ts';

export class RebuiltState {
  readonly #dataset: Pick<Dataset, 'columns' | 'primaryKey'>;
  readonly #order: (a: StateRow, b: StateRow) => number;
  readonly #rows = new Map<string, StateRow>();
  #digest: string | null = null;

  constructor(dataset: Pick<Dataset, 'columns' | 'primaryKey'>, rows: readonly ParquetRow[] = []) {
    this.#dataset = dataset;
    this.#order = rowOrder(dataset);
    for (const row of rows) this.#rows.set(this.#keyOf(row), this.#stateRow(row));
  }

  get rowCount(): number {
    return this.#rows.size;
  }

  /** docs/revisions.md#digest. */
  get digest(): string {
    this.#digest ??= stateDigest([...this.#rows.values()].sort(this.#order).map(({ line }) => line));
    return this.#digest;
  }

  /** Applies the rows of a change file. Returns what does not fit (docs/revisions.md#revision-rules). */
  apply(kind: RevisionKind, change: readonly ParquetRow[]): string[] {
    const faults: string[] = [];
    if (kind === 'replace') this.#rows.clear();
    for (const changed of change) {
      const { _op: op, ...row } = changed;
      const key = this.#keyOf(row);
      const before = this.#rows.get(key);
      const after = this.#stateRow(row);
      if (op === 'delete') {
        if (before?.line !== after.line) faults.push(`${key} is deleted and was not there as the delete carries it`);
        if (kind !== 'patch') faults.push(`${key} is deleted by ${kind}`);
        this.#rows.delete(key);
      } else if (op === 'upsert') {
        if (kind === 'append' && before !== undefined) faults.push(`${key} is appended and was there`);
        if (kind === 'patch' && before?.line === after.line) faults.push(`${key} is set to what it was`);
        if (kind === 'replace' && before !== undefined) faults.push(`${key} is there twice`);
        this.#rows.set(key, after);
      } else faults.push(`${key} has the operation ${String(op)}`);
    }
    this.#digest = null;
    return faults;
  }

  #stateRow(row: ParquetRow): StateRow {
    return { row, line: canonicalLine(this.#dataset.columns, row) };
  }

  #keyOf(row: ParquetRow): string {
    return this.#dataset.primaryKey.map((name) => String(row[name])).join('/');
  }
}
