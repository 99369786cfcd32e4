// The ledger as those who serve see it: what a read costs is decided and debited in one call, before its first byte (interface,
// "Metering"; docs/metering.md#the-ledger). Months and their ends are the ledger's own clock's, never a caller's.
import type { Micros } from '../units.ts';

/** What is read, by the account that pays. `chargeId` (a UUID) makes a repeated call harmless: what it paid once it does not pay again. */
export type Charge = {
  chargeId: string;
  accountId: string;
  keyId: string;
  read: ChargedRead;
  /**
   * Served already, from the grace of an outage: charged whatever the quota, in the month in which it was served. Null: nobody knew, and
   * the present one pays. A month that is kept no more is not opened again: the oldest that is kept pays.
   */
  served?: { month: string | null };
};

export type ChargedRead =
  /**
   * The first `rows` rows of a live segment: what lies above the account's mark of this month is charged. `firstSeq` is the first seq of the
   * log that is served: after a rebuild the rows paid for the game before count towards the new log (docs/metering.md#live-segment-charge).
   */
  | { kind: 'live'; gameUuid: string; gameId: string; firstSeq: number; seq: number; rows: number }
  /** A whole file, each time: an artifact, a board (rows already weighted), a file of a revision. `subject` names it in the account's items. */
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
  /** How long the month still lasts, for what a caller keeps in memory. */
  endsIn: Micros;
};

export type Charged =
  | ({ kind: 'charged'; debited: number; usedRows: number; monthlyRows: number | null } & Month)
  /** The read would pass the quota: nothing is debited (docs/metering.md#hard-quota). */
  | ({ kind: 'exhausted'; usedRows: number; monthlyRows: number } & Month);

export type Usage = Month & { usedRows: number; monthlyRows: number | null };

/** One line of an account's month: its rows add up to `usedRows`. `reads` are those that were charged. */
export type UsageItem = { kind: ChargedRead['kind']; gameId: string; dataset: string; reads: number; rows: number };

/** @throws CatalogUnavailable where the ledger cannot be reached: whether anything was debited is then not known. */
export interface Ledger {
  /** Decides and debits each charge in order, in one round trip; an answer for each. */
  charge(charges: readonly Charge[]): Promise<readonly Charged[]>;
  /**
   * Takes back charges of whole files of which nobody knows whether they were debited, and whose reads were refused: what they debited is
   * given back, and one that arrives later debits nothing. Repeated calls are harmless. What was debited of a segment stays: its rows are paid,
   * and free when they are read again.
   */
  refund(charges: readonly Charge[]): Promise<void>;
  /** Of the present month. An account that does not exist has used nothing. */
  usage(accountId: string): Promise<Usage>;
  /** Of a month `YYYY-MM`; null: the present one. */
  items(
    accountId: string,
    month: string | null,
  ): Promise<{ month: string; usedRows: number; items: readonly UsageItem[] }>;
  /** Recomputes every total of the months still kept from what was charged: the accounts whose total differs. */
  reconcile(): Promise<readonly { accountId: string; month: string; total: number; sum: number }[]>;
  /** Drops accounts' months that ended more than two months ago, a bounded number of them; how many it dropped. */
  expire(): Promise<number>;
}
