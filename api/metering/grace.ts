// Reads while the ledger cannot be asked: served up to a bound per account, each written down durably before its first byte, and debited
// when the ledger is back (decisions.md 34, reliability.md 3.2). What was written down before the process was killed counts as well.
import { graceOf } from '../../core/metering/grace.ts';
import type { Journal, Taken } from '../../core/ports/journal.ts';
import type { Charge } from '../../core/ports/ledger.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { messageOf } from '../reach.ts';

/** A charge that was served; `debit` is what it was taken to cost. */
export type Owed = Charge & { debit: number };

export class Grace {
  readonly #journal: Journal<Owed>;
  readonly #log: Log;
  /** Rows by account, since the ledger was last there. */
  readonly #granted = new Map<string, number>();

  constructor(journal: Journal<Owed>, log: Log) {
    this.#journal = journal;
    this.#log = log;
  }

  /** Whether the read may be served: it is then owed. */
  async grant(owed: Owed, monthlyRows: number | null): Promise<boolean> {
    const { accountId, debit } = owed;
    const before = this.granted(accountId);
    if (before + debit > graceOf(monthlyRows)) return false;
    this.#granted.set(accountId, before + debit);
    try {
      await this.#journal.append(owed);
      return true;
    } catch (error) {
      this.#granted.set(accountId, this.granted(accountId) - debit);
      this.#log.error('a read cannot be journaled', { error: messageOf(error) });
      return false;
    }
  }

  granted(accountId: string): number {
    return this.#granted.get(accountId) ?? 0;
  }

  /** Everything that is owed; null: nothing. */
  async owed(): Promise<Taken<Owed> | null> {
    const taken = await this.#journal.take();
    const sums = new Map<string, number>();
    for (const { accountId, debit } of taken?.entries ?? []) sums.set(accountId, (sums.get(accountId) ?? 0) + debit);
    for (const [accountId, sum] of sums) this.#granted.set(accountId, Math.max(sum, this.granted(accountId)));
    return taken;
  }

  /** The ledger has it all: the next outage begins anew. */
  settled(): void {
    this.#granted.clear();
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}
