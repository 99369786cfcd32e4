// Charges reads to the ledger: remembers what is paid, sends many charges in one call, and grants a limited grace while the ledger is
// unreachable (docs/metering.md#the-ledger). A refused read costs nothing, or its debit is refunded; rows of a segment that were paid
// without an answer are free when they are read again (I22–I24).
import { LRUCache } from 'lru-cache';
import { weighBoard } from '../../core/metering/board-weight.ts';
import { resetsOn } from '../../core/metering/month.ts';
import { passesQuota } from '../../core/metering/quota-in-outage.ts';
import type { ApiKey } from '../../core/ports/catalog/keys.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Journal } from '../../core/ports/journal.ts';
import type { Charge, ChargedRead, Ledger, LedgerAnswer, Usage } from '../../core/ports/ledger.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import type { Site } from '../../http/problem-document.ts';
import { isRefusal, type Refusal, refuse, unavailable } from '../../http/refusal.ts';
import { type Deadlines, messageOf, Unavailable } from '../dependencies/deadlines.ts';
import { type ChargeQueue, openChargeQueue } from './charge-queue.ts';
import { Grace, type Owed } from './grace.ts';
import { LedgerTime } from './ledger-time.ts';
import type { ChargeOutcome, Metering } from './metering.ts';
import { PaidMarks } from './paid-marks.ts';

export type MeteringLimits = {
  /** How many segments' paid marks, and accounts' uses, are remembered. */
  rememberedMarks: number;
  rememberedAccounts: number;
  /** Concurrent calls to the ledger, and charges per call. */
  ledgerCalls: number;
  chargesPerCall: number;
  /** How often an unreachable ledger is retried, and how often old months are dropped and totals compared. */
  ledgerPauseMs: Millis;
  booksEveryMs: Millis;
};

type MeteringOptions = {
  ledger: Ledger;
  journal: Journal<Owed>;
  boardWeightMillionths: number;
  /** UUIDs that no other process makes. */
  newChargeId(): string;
  site: Site;
  deadlines: Deadlines;
  clock: Clock;
  log: Log;
  limits: MeteringLimits;
};

export function openMetering(options: MeteringOptions): Metering {
  return new LedgerMetering(options);
}

const free: ChargeOutcome = { debited: 0 };
const outOfGrace: Refusal = unavailable('What the read costs cannot be debited at the moment.');

class LedgerMetering implements Metering {
  readonly #options: MeteringOptions;
  readonly #time: LedgerTime;
  readonly #paid: PaidMarks;
  /** The ledger's last answer about each account. */
  readonly #used: LRUCache<string, { month: string; usedRows: number }>;
  readonly #queue: ChargeQueue;
  readonly #grace: Grace;
  readonly #closing = new AbortController();
  /** Whether the ledger did not answer last time. */
  #down = false;
  /** Whether something may be owed. */
  #owing = true;
  #recovering: Promise<void> | null = null;
  readonly #keeping: Promise<void>;

  constructor(options: MeteringOptions) {
    const { ledger, deadlines, clock, limits } = options;
    this.#options = options;
    this.#time = new LedgerTime(clock);
    this.#paid = new PaidMarks(limits.rememberedMarks);
    this.#used = new LRUCache({ max: limits.rememberedAccounts });
    this.#grace = new Grace(options.journal, options.log);
    this.#queue = openChargeQueue({
      send: (charges) => deadlines.catalog(() => ledger.charge(charges)),
      callsAtOnce: limits.ledgerCalls,
      chargesPerCall: limits.chargesPerCall,
    });
    this.#recover();
    this.#keeping = this.#keepBooks();
  }

  charge(key: ApiKey, read: ChargedRead): ChargeOutcome | Promise<ChargeOutcome> {
    const weighed = this.#weighed(read);
    if (weighed.rows === 0 || this.#isPaid(key.accountId, weighed)) return free;
    return this.#chargeNow(key, weighed);
  }

  #weighed(read: ChargedRead): ChargedRead {
    return read.kind === 'board' ? { ...read, rows: weighBoard(read.rows, this.#options.boardWeightMillionths) } : read;
  }

  #isPaid(accountId: string, read: ChargedRead): boolean {
    return read.kind === 'live' && this.#paid.paid(this.#time.month(), accountId, read) >= read.rows;
  }

  async #chargeNow({ id, accountId, monthlyRows }: ApiKey, read: ChargedRead): Promise<ChargeOutcome> {
    const charge: Charge = { chargeId: this.#options.newChargeId(), accountId, keyId: id, read };
    if (this.#down) return this.#serveOnGrace(charge, monthlyRows);
    const askedAt = this.#time.instant();
    try {
      const answer = await this.#queue.charge(charge);
      this.#time.learn(answer, askedAt);
      return this.#learnFrom(charge, answer);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      this.#unanswered();
      this.#recover();
      // The charge may have been debited or not. It is journaled as owed, and the ledger does not debit it twice.
      const served = await this.#serveOnGrace(charge, monthlyRows);
      if (isRefusal(served)) await this.#takeBack(charge);
      return served;
    }
  }

  #unanswered(): void {
    if (!this.#down) this.#options.log.warn('the ledger cannot be asked; reads are journaled', {});
    this.#down = true;
  }

  #answered(): void {
    if (this.#down) this.#options.log.info('the ledger is back', {});
    this.#down = false;
  }

  /** Refunds the debit of a read that is refused after all. Rows of a segment stay paid and are free when read. */
  async #takeBack(charge: Charge): Promise<void> {
    if (charge.read.kind === 'live') return;
    await this.#grace.takeBack(charge);
    this.#owing = true;
    this.#recover();
  }

  #learnFrom({ accountId, read }: Charge, answer: LedgerAnswer): ChargeOutcome {
    this.#used.set(accountId, { month: answer.month, usedRows: answer.usedRows });
    if (answer.kind === 'exhausted') return this.#exhausted(answer.monthlyRows, answer.resets);
    if (read.kind === 'live') this.#paid.note(answer.month, accountId, read);
    return { debited: answer.debited };
  }

  #exhausted(monthlyRows: number, reset: string): Refusal {
    return refuse('quota-exhausted', {
      detail: `The read would pass the quota of ${monthlyRows} rows a month; it resets on ${reset}.`,
      members: { reset, upgrade_url: `${this.#options.site.baseUrl}/docs#tiers` },
    });
  }

  async #serveOnGrace(charge: Charge, monthlyRows: number | null): Promise<ChargeOutcome> {
    const { accountId, read } = charge;
    const month = this.#time.month();
    const debit = read.kind === 'live' ? Math.max(0, read.rows - this.#paid.paid(month, accountId, read)) : read.rows;
    if (debit === 0) return free;
    const known = this.#used.get(accountId);
    const used = known !== undefined && known.month === month ? known.usedRows + this.#grace.granted(accountId) : 0;
    if (month !== null && monthlyRows !== null && passesQuota(used, debit, monthlyRows))
      return this.#exhausted(monthlyRows, resetsOn(month));
    if (!(await this.#grace.grant({ ...charge, served: { month }, debit }, monthlyRows))) return outOfGrace;
    if (read.kind === 'live') this.#paid.note(month, accountId, read);
    this.#owing = true;
    this.#recover();
    return { debited: debit };
  }

  async usage({ accountId }: ApiKey): Promise<Usage | null> {
    const { deadlines, ledger } = this.#options;
    if (this.#down) return null;
    const askedAt = this.#time.instant();
    try {
      const usage = await deadlines.catalog(() => ledger.usage(accountId));
      this.#time.learn(usage, askedAt);
      return usage;
    } catch (error) {
      if (error instanceof Unavailable) return null;
      throw error;
    }
  }

  /** Retries until the ledger answers and has every charge that is owed. */
  #recover(): void {
    this.#recovering ??= this.#untilPaid().finally(() => {
      this.#recovering = null;
    });
  }

  async #untilPaid(): Promise<void> {
    const { clock, log, limits } = this.#options;
    const { signal } = this.#closing;
    while ((this.#down || this.#owing) && !signal.aborted) {
      let answers = false;
      try {
        // Before the journal is read: all reads of an outage may be in it.
        if (this.#down) await this.#ask();
        answers = true;
        await this.#replay();
        this.#answered();
      } catch (error) {
        this.#owing = true;
        if (error instanceof Unavailable) this.#unanswered();
        else {
          log.error('what is owed cannot be paid', { error: messageOf(error) });
          // A journal that cannot be read or deleted is no reason to refuse reads that the ledger can charge.
          if (answers) this.#answered();
        }
        await clock.sleep(limits.ledgerPauseMs, signal);
      }
    }
  }

  async #ask(): Promise<void> {
    const { ledger, deadlines } = this.#options;
    const askedAt = this.#time.instant();
    this.#time.learn(await deadlines.catalog(() => ledger.usage(noAccount)), askedAt);
  }

  async #replay(): Promise<void> {
    const { limits, log } = this.#options;
    this.#owing = false;
    const taken = await this.#grace.owed();
    if (taken === null) return;
    const askedAt = this.#time.instant();
    for (let from = 0; from < taken.entries.length; from += limits.chargesPerCall) {
      const owed = taken.entries.slice(from, from + limits.chargesPerCall);
      for (const answer of await this.#payOwed(owed)) this.#time.learn(answer, askedAt);
    }
    await taken.acknowledge();
    this.#grace.paid(taken.entries);
    log.info('reads of an outage are paid', { reads: taken.entries.length });
  }

  /** A charge that the ledger refuses permanently is dropped, so that it does not block the others. */
  async #payOwed(owed: readonly Owed[]): Promise<readonly LedgerAnswer[]> {
    try {
      const refunds = owed.filter(({ refund }) => refund);
      if (refunds.length > 0) await this.#options.deadlines.catalog(() => this.#options.ledger.refund(refunds));
      return await this.#debit(owed.filter(({ refund }) => !refund));
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      if (owed.length > 1) return (await Promise.all(owed.map((each) => this.#payOwed([each])))).flat();
      const facts = { owed: JSON.stringify(owed[0]), error: messageOf(error) };
      this.#options.log.error('a read of an outage cannot be paid', facts);
      return [];
    }
  }

  async #debit(owed: readonly Owed[]): Promise<readonly LedgerAnswer[]> {
    if (owed.length === 0) return [];
    const answers = await this.#options.deadlines.catalog(() => this.#options.ledger.charge(owed));
    for (const [at, { accountId, served }] of owed.entries()) {
      const { month, usedRows } = answers[at] as LedgerAnswer;
      // A read of last month is debited in that month, and the answer has that month's use under the present one.
      if (served === undefined || served.month === null || served.month === month)
        this.#used.set(accountId, { month, usedRows });
    }
    return answers;
  }

  /** Compares the totals with the charges, and drops old months. */
  async #keepBooks(): Promise<void> {
    const { ledger, clock, log, limits } = this.#options;
    const { signal } = this.#closing;
    const closing = new Promise<[]>((resolve) => void signal.addEventListener('abort', () => resolve([])));
    while (!signal.aborted) {
      await clock.sleep(limits.booksEveryMs, signal);
      if (signal.aborted) return;
      try {
        // A stop does not wait for it: it takes minutes where the tables are large.
        const differing = await Promise.race([ledger.reconcile(), closing]);
        for (const { accountId, month, total, sum } of differing)
          log.error("an account's total is not what was charged", { account_id: accountId, month, total, sum });
      } catch (error) {
        log.warn('the books could not be compared', { error: messageOf(error) });
      }
      await this.#dropOldMonths();
    }
  }

  async #dropOldMonths(): Promise<void> {
    const { ledger, log } = this.#options;
    try {
      let dropped = 1;
      while (dropped > 0 && !this.#closing.signal.aborted) dropped = await ledger.expire();
    } catch (error) {
      log.warn('old months could not be dropped', { error: messageOf(error) });
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#recovering;
    await this.#keeping;
    await this.#grace.close();
  }
}

/** An account that does not exist; the ledger's answer for it has only the month. */
const noAccount = '00000000-0000-0000-0000-000000000000';
