// The newest rows of each partition of a topic that this process has appended. In the embedded edition the process that takes a push also
// folds it: its readers find the rows here, and need not ask the database for what it has just been given.
import { maxReadRecords, type StoredBatch } from './log-table.ts';

/** Kept of one partition. A reader that is further behind reads the database. */
const maxBytes = 256 * 1024;

/** Rows without a gap between them; `end`: the offset after the last. */
type Kept = { rows: StoredBatch[]; bytes: number; end: number };

export class RecentRows {
  readonly #partitions = new Map<number, Kept>();

  /** The row is in the log. Rows of a partition come in log order; those that another process has appended are missing. */
  add(partition: number, row: StoredBatch): void {
    const before = this.#partitions.get(partition);
    const kept = before?.end === row.firstOffset ? before : { rows: [], bytes: 0, end: row.firstOffset };
    this.#partitions.set(partition, kept);
    kept.rows.push(row);
    kept.bytes += row.bytes.length;
    kept.end += row.records;
    while (kept.bytes > maxBytes) kept.bytes -= kept.rows.shift()?.bytes.length ?? 0;
  }

  /**
   * The rows from the one that holds `offset` on, as many as one read returns, and the offset after the last that is kept; null if the row
   * is not kept.
   */
  from(partition: number, offset: number): { end: number; rows: StoredBatch[] } | null {
    const { rows, end } = this.#partitions.get(partition) ?? { rows: [], end: 0 };
    const first = rows.findLastIndex(({ firstOffset }) => firstOffset <= offset);
    if (first < 0 || offset >= end) return null;
    const taken: StoredBatch[] = [];
    let records = 0;
    for (const row of rows.slice(first)) {
      if (records >= maxReadRecords) break;
      taken.push(row);
      records += row.records;
    }
    return { end, rows: taken };
  }
}
