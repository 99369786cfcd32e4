// Reads while the ledger is unreachable: served up to a limit per account, each journaled durably before its first byte, and debited once
// the ledger is back (docs/metering.md#ledger-outage). The journal also has what a killed process had granted.
import { graceOf } from '../../core/metering/grace.ts';
import type { Journal, TakenEntries } from '../../core/ports/journal.ts';
import type { Charge } from '../../core/ports/ledger.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { messageOf } from '../dependencies/deadlines.ts';

/**
 * The charge of a read that was served, with its assumed cost as `debit`; or, with `refund` and a `debit` of 0, of a read that was refused
 * after its charge was sent and may have been debited.
 */
export type Owed = Charge & { debit: number; refund?: true };

export class Grace {
  readonly #journal: Journal<Owed>;
  readonly #log: Log;
  /** Rows by account, since the outage began. */
  readonly #granted = new Map<string, number>();

  constructor(journal: Journal<Owed>, log: Log) {
    this.#journal = journal;
    this.#log = log;
  }

  /** Whether the read may be served; it is then journaled as owed. */
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

  /** Journals that the read was refused: the ledger will refund a debit. */
  async takeBack(charge: Charge): Promise<void> {
    try {
      await this.#journal.append({ ...charge, debit: 0, refund: true });
    } catch (error) {
      this.#log.error('a read that was refused may have been debited', {
        charge_id: charge.chargeId,
        error: messageOf(error),
      });
    }
  }

  granted(accountId: string): number {
    return this.#granted.get(accountId) ?? 0;
  }

  /** Everything that is owed; null: nothing. */
  async owed(): Promise<TakenEntries<Owed> | null> {
    const taken = await this.#journal.take();
    for (const [accountId, sum] of sumsOf(taken?.entries ?? []))
      this.#granted.set(accountId, Math.max(sum, this.granted(accountId)));
    return taken;
  }

  /** The ledger has debited these, so they no longer count against the grace. */
  paid(entries: readonly Owed[]): void {
    for (const [accountId, sum] of sumsOf(entries)) {
      const left = this.granted(accountId) - sum;
      if (left > 0) this.#granted.set(accountId, left);
      else this.#granted.delete(accountId);
    }
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}

function sumsOf(entries: readonly Owed[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { accountId, debit } of entries) sums.set(accountId, (sums.get(accountId) ?? 0) + debit);
  return sums;
}
