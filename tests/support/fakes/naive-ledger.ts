// What an account owes, as the sentences of the interface have it and nothing cleverer: every row that was ever read is remembered by
// itself, and counted anew at each question. The oracle of the rule in core/metering and of the ledgers.
import type { ChargedRead } from '../../../core/ports/ledger.ts';

export class NaiveLedger {
  readonly quota: number | null;
  /** Per game, per log, the rows read: `seq/row`. */
  readonly #read = new Map<string, Map<number, Set<string>>>();
  #files = 0;

  constructor(quota: number | null) {
    this.quota = quota;
  }

  /** What is debited; null where the read would pass the quota, and then nothing is remembered of it. */
  read(read: ChargedRead): number | null {
    const before = this.used();
    const undo = read.kind === 'live' ? this.#readLive(read) : this.#readFile(read.rows);
    const debit = this.used() - before;
    if (debit > 0 && this.quota !== null && before + debit > this.quota) {
      undo();
      return null;
    }
    return debit;
  }

  /** Each file each time, and of each game the distinct rows of whichever of its logs was read most. */
  used(): number {
    let live = 0;
    for (const logs of this.#read.values()) live += Math.max(0, ...[...logs.values()].map((rows) => rows.size));
    return live + this.#files;
  }

  #readFile(rows: number): () => void {
    this.#files += rows;
    return () => {
      this.#files -= rows;
    };
  }

  #readLive(read: ChargedRead & { kind: 'live' }): () => void {
    const logs = this.#read.get(read.gameUuid) ?? new Map<number, Set<string>>();
    this.#read.set(read.gameUuid, logs);
    const rows = logs.get(read.firstSeq) ?? new Set<string>();
    logs.set(read.firstSeq, rows);
    const added: string[] = [];
    for (let row = 1; row <= read.rows; row += 1) {
      const name = `${read.seq}/${row}`;
      if (rows.has(name)) continue;
      rows.add(name);
      added.push(name);
    }
    return () => {
      for (const name of added) rows.delete(name);
    };
  }
}
