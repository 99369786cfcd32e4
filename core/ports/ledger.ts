// The ledger: decides and debits what a read costs in one call, before its first byte (docs/metering.md#the-ledger). Months follow the
// ledger's clock, never a caller's. The database function `charge` (schemas/catalog/0007_metering.sql) has the rules of costs and quotas.
import type { Micros } from '../units.ts';

/** A read and the account that pays for it. `chargeId` (a UUID) makes repeated calls harmless: the same charge is never paid twice. */
export type Charge = {
  chargeId: string;
  accountId: string;
  keyId: string;
  read: ChargedRead;
  /**
   * Set if the read was already served, from the grace of an outage: it is charged regardless of the quota, to the month in which it was
   * served. Null: that month is unknown, so the present one pays. If the month is no longer kept, the oldest kept one pays.
   */
  served?: { month: string | null };
};

export type ChargedRead =
  /**
   * The first `rows` rows of a live segment: those above the account's mark of this month are charged. `firstSeq` is the first seq of the
   * current log: after a rebuild, rows paid for the game before count towards the new log (docs/metering.md#live-segment-charge).
   */
  | { kind: 'live'; gameUuid: string; gameId: string; firstSeq: number; seq: number; rows: number }
  /**
   * A whole file, charged on each read: an artifact, a board (rows already weighted), a file of a revision. `subject` names it in the
   * account's items.
   */
  | {
      kind: 'file' | 'board' | 'msf';
      gameUuid: string | null;
      gameId: string;
      dataset: string;
      subject: string;
      rows: number;
    };

export type Month = {
  /** `YYYY-MM`, UTC. */
  month: string;
  /** The date on which the quota resets: the first of the next month, `YYYY-MM-DD`. */
  resets: string;
  /** How long until the month ends, for callers that cache it. */
  endsIn: Micros;
};

export type LedgerAnswer =
  | ({ kind: 'charged'; debited: number; usedRows: number; monthlyRows: number | null } & Month)
  /** The read would exceed the quota: nothing is debited (docs/metering.md#hard-quota). */
  | ({ kind: 'exhausted'; usedRows: number; monthlyRows: number } & Month);

export type Usage = Month & { usedRows: number; monthlyRows: number | null };

/** One line of an account's month; the lines' rows add up to `usedRows`. `reads` counts those that were charged. */
export type UsageItem = { kind: ChargedRead['kind']; gameId: string; dataset: string; reads: number; rows: number };

/** @throws CatalogUnavailable when the ledger is unreachable: the debit may or may not have happened. */
export interface Ledger {
  /** Decides and debits the charges in order, in one round trip; one answer per charge. */
  charge(charges: readonly Charge[]): Promise<readonly LedgerAnswer[]>;
  /**
   * Takes back charges of whole files whose reads were refused, when it is unknown whether they were debited: a debit is refunded, and a
   * charge that arrives later debits nothing. Repeated calls are harmless. Debits of segments stay: their rows are paid for, and free when
   * read again.
   */
  refund(charges: readonly Charge[]): Promise<void>;
  /** The usage of the current month. An account that does not exist has used nothing. */
  usage(accountId: string): Promise<Usage>;
  /** The items of a month `YYYY-MM`; null: the current one. */
  items(
    accountId: string,
    month: string | null,
  ): Promise<{ month: string; usedRows: number; items: readonly UsageItem[] }>;
  /** Recomputes every total of the kept months from their charges; returns the accounts whose total differs. */
  reconcile(): Promise<readonly { accountId: string; month: string; total: number; sum: number }[]>;
  /** Deletes a bounded number of rows of months that ended more than two months ago; returns how many. */
  expire(): Promise<number>;
}
