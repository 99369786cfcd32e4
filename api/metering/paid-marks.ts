// The rows of each segment that are known to be paid, so that a free read needs no database (docs/interface.md#what-an-instance-remembers).
// They belong to one month and are dropped with it. A forgotten mark costs one call to the ledger.
import { LRUCache } from 'lru-cache';
import type { ChargedRead } from '../../core/ports/ledger.ts';

type LiveRead = ChargedRead & { kind: 'live' };

export class PaidMarks {
  readonly #marks: LRUCache<string, number>;
  #month: string | null = null;

  constructor(most: number) {
    this.#marks = new LRUCache({ max: most });
  }

  /** Rows of the segment that the account is known to have paid this month. */
  paid(month: string | null, accountId: string, read: LiveRead): number {
    return month === this.#month ? (this.#marks.get(nameOf(accountId, read)) ?? 0) : 0;
  }

  note(month: string | null, accountId: string, read: LiveRead): void {
    if (month !== this.#month) {
      // An answer of the previous month may arrive late.
      if (month === null || (this.#month !== null && month < this.#month)) return;
      this.#marks.clear();
      this.#month = month;
    }
    const name = nameOf(accountId, read);
    if ((this.#marks.get(name) ?? 0) < read.rows) this.#marks.set(name, read.rows);
  }
}

function nameOf(accountId: string, { gameUuid, seq }: LiveRead): string {
  return `${accountId} ${gameUuid} ${seq}`;
}
