// What an account owes, by the sentences of the interface and as simply as they say it: it remembers every row ever
// read, and counts anew at each question. The oracle of the rule in core/metering and of the ledgers.
import type { ChargedRead } from '../../../core/ports/ledger.ts';

export class NaiveLedger {
  readonly quota: number | null;
  /** The rows read of each game and log, as `seq/row`. */
  readonly #read = new Map<string, Map<number, Set<string>>>();
  #files = 0;

  constructor(quota: number | null) {
    this.quota = quota;
  }

  /** Reads, and answers the debit; null if the read would exceed the quota, in which case it is not remembered. */
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

  /** The used rows: each file at each read, and for each game the distinct rows of its most read log. */
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
