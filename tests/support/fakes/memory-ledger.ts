// The ledger in memory, by the rule of core/metering: what the API's tests charge, and what the contract compares
// PostgreSQL's ledger with. A test sets its clock and its accounts' quotas, and takes it down.

import { nextMonth, resetsOn } from '../../../core/metering/month.ts';
import { passesQuota } from '../../../core/metering/quota-in-outage.ts';
import { CatalogUnavailable } from '../../../core/ports/catalog/errors.ts';
import type { Charge, Ledger, LedgerAnswer, Month, Usage, UsageItem } from '../../../core/ports/ledger.ts';
import type { Micros } from '../../../core/units.ts';
import { debitOfLive } from '../../oracle/live-charge.ts';

type ReadGame = { gameId: string; logs: Map<number, number>; marks: Map<number, number>; reads: number };
type AccountMonth = { used: number; games: Map<string, ReadGame>; files: Charge[] };

export class MemoryLedger implements Ledger {
  now: Micros = Date.UTC(2026, 7, 5, 20) * 1000;
  readonly quotas = new Map<string, number | null>();
  /**
   * 'down': every call fails. 'lost': calls take effect but their answers are lost. A promise: each call waits for it
   * first.
   */
  state: 'up' | 'down' | 'lost' | Promise<void> = 'up';
  /** The number of charges in each call. */
  readonly calls: number[] = [];
  /** How often it was called at all. */
  asked = 0;
  readonly #months = new Map<string, AccountMonth>();
  readonly #paidFiles = new Set<string>();

  async #called<T>(work: () => T): Promise<T> {
    this.asked += 1;
    if (this.state === 'down') throw new CatalogUnavailable('the ledger is down');
    const { state } = this;
    if (state instanceof Promise) await state;
    const answer = work();
    if (state === 'lost') throw new CatalogUnavailable('the answer is lost');
    return answer;
  }

  charge(charges: readonly Charge[]): Promise<readonly LedgerAnswer[]> {
    this.calls.push(charges.length);
    return this.#called(() => charges.map((charge) => this.#charge(charge)));
  }

  refund(charges: readonly Charge[]): Promise<void> {
    return this.#called(() => {
      for (const { chargeId, accountId, read } of charges) {
        if (read.kind === 'live') continue;
        this.#paidFiles.add(chargeId);
        for (const [name, month] of this.#months) {
          const paid = month.files.filter((file) => file.chargeId === chargeId && name.startsWith(accountId));
          month.files = month.files.filter((file) => !paid.includes(file));
          for (const file of paid) month.used -= file.read.rows;
        }
      }
    });
  }

  #charge(charge: Charge): LedgerAnswer {
    const present = this.#present();
    const { served } = charge;
    const kept = [2, 1, 0].map((count) => monthsBefore(present.month, count));
    const asked = served?.month ?? present.month;
    const month = kept.find((each) => each >= asked) ?? present.month;
    const account = this.#account(charge.accountId, month);
    const monthlyRows = served === undefined ? this.#quota(charge.accountId) : null;
    const paid = this.#debitOf(account, charge);
    if (passesQuota(account.used, paid.debit, monthlyRows)) {
      return { kind: 'exhausted', ...present, usedRows: account.used, monthlyRows: monthlyRows ?? 0 };
    }
    paid.apply();
    account.used += paid.debit;
    return {
      kind: 'charged',
      ...present,
      debited: paid.debit,
      usedRows: account.used,
      monthlyRows: this.#quota(charge.accountId),
    };
  }

  #debitOf(account: AccountMonth, charge: Charge): { debit: number; apply(): void } {
    const { read } = charge;
    if (read.kind !== 'live') {
      if (this.#paidFiles.has(charge.chargeId)) return { debit: 0, apply() {} };
      const apply = () => {
        this.#paidFiles.add(charge.chargeId);
        account.files.push(charge);
      };
      return { debit: read.rows, apply };
    }
    const game: ReadGame = account.games.get(read.gameUuid) ?? {
      gameId: read.gameId,
      logs: new Map(),
      marks: new Map(),
      reads: 0,
    };
    const mark = game.marks.get(read.seq) ?? 0;
    if (read.rows <= mark) return { debit: 0, apply() {} };
    const paid = Math.max(0, ...game.logs.values());
    const { debit, log } = debitOfLive({ log: game.logs.get(read.firstSeq) ?? 0, paid }, mark, read.rows);
    const apply = () => {
      account.games.set(read.gameUuid, game);
      game.logs.set(read.firstSeq, log);
      game.marks.set(read.seq, read.rows);
      game.reads += 1;
    };
    return { debit, apply };
  }

  usage(accountId: string): Promise<Usage> {
    return this.#called(() => {
      const present = this.#present();
      const usedRows = this.#months.get(`${accountId} ${present.month}`)?.used ?? 0;
      return { ...present, usedRows, monthlyRows: this.#quota(accountId) };
    });
  }

  items(
    accountId: string,
    asked: string | null,
  ): Promise<{ month: string; usedRows: number; items: readonly UsageItem[] }> {
    return this.#called(() => {
      const month = asked ?? this.#present().month;
      const account = this.#months.get(`${accountId} ${month}`);
      const items: UsageItem[] = [];
      for (const { gameId, logs, reads } of account?.games.values() ?? []) {
        items.push({ kind: 'live', gameId, dataset: 'sportsbook-lines', reads, rows: Math.max(0, ...logs.values()) });
      }
      for (const { read } of account?.files ?? []) {
        if (read.kind === 'live') continue;
        const { kind, gameId, dataset, rows } = read;
        const item = items.find((each) => each.kind === kind && each.gameId === gameId && each.dataset === dataset);
        if (item === undefined) items.push({ kind, gameId, dataset, reads: 1, rows });
        else Object.assign(item, { reads: item.reads + 1, rows: item.rows + rows });
      }
      const order = ({ kind, gameId, dataset }: UsageItem) => `${kind} ${gameId} ${dataset}`;
      items.sort((a, b) => (order(a) < order(b) ? -1 : 1));
      return { month, usedRows: account?.used ?? 0, items };
    });
  }

  reconcile(): Promise<readonly { accountId: string; month: string; total: number; sum: number }[]> {
    return this.#called(() => []);
  }

  expire(): Promise<number> {
    return this.#called(() => 0);
  }

  #present(): Month {
    const month = new Date(this.now / 1000).toISOString().slice(0, 7);
    const end = Date.UTC(Number(nextMonth(month).slice(0, 4)), Number(nextMonth(month).slice(5)) - 1) * 1000;
    return { month, resets: resetsOn(month), endsIn: end - this.now };
  }

  #quota(accountId: string): number | null {
    return this.quotas.get(accountId) ?? null;
  }

  #account(accountId: string, month: string): AccountMonth {
    const key = `${accountId} ${month}`;
    const known = this.#months.get(key) ?? { used: 0, games: new Map<string, ReadGame>(), files: [] };
    this.#months.set(key, known);
    return known;
  }
}

function monthsBefore(month: string, count: number): string {
  const months = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 - count;
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`;
}
