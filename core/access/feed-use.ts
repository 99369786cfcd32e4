// What the feed keys of one gateway use on a UTC day, on its way to the sums of all gateways: counted here at once, written in batches, read back
// with each. What a push would leave behind is held while it is worked on, and counted when it is kept. Only keys that exist are in it, so that
// their number bounds it. A day is the one on which a request began.
import type { UseCount, UseKind } from '../ports/catalog/feed-use.ts';
import type { QuotaName } from './feed-quotas.ts';

/** The quotas that a gateway counts; games are counted by the transaction that founds them. */
export type CountedQuota = Exclude<QuotaName, 'games'>;
const countedQuotas = ['bytes', 'letters'] as const satisfies readonly CountedQuota[];

type Amounts = Record<CountedQuota, number>;

/** `sums`: of all gateways as they were read last, null before that; `ahead`: counted here and not in the sums; `held`: by what is under way. */
type KeyDay = { day: string; sums: Amounts | null; ahead: Amounts; held: Amounts };

export class FeedUseTable {
  readonly #days = new Map<string, KeyDay>();
  #unwritten = new Map<string, UseCount>();

  /** Whether the sums of the key's day have been read. Of a day that is over nothing more is asked: what is left of it is counted alone. */
  isKnown(keyId: string, day: string): boolean {
    return this.#of(keyId, day).sums !== null || this.#days.get(keyId)?.day !== day;
  }

  /** What all gateways have written down, as far as is known, and this one has counted or holds. */
  used(keyId: string, day: string, quota: CountedQuota): number {
    const { sums, ahead, held } = this.#of(keyId, day);
    return (sums?.[quota] ?? 0) + ahead[quota] + held[quota];
  }

  count(keyId: string, day: string, kind: UseKind, name: string, amount: number): void {
    if (amount === 0) return;
    this.#add({ keyId, day, kind, name, amount });
    // The key's day begins with whatever is counted first: the sums that come back with it are kept.
    const { ahead } = this.#of(keyId, day);
    const quota = kind === 'used' ? countedQuotas.find((each) => each === name) : undefined;
    if (quota !== undefined) ahead[quota] += amount;
  }

  /** Holds an amount, or gives it up again where it is negative. */
  hold(keyId: string, day: string, quota: CountedQuota, amount: number): void {
    const known = this.#days.get(keyId);
    if (known?.day === day) known.held[quota] += amount;
  }

  get isWritten(): boolean {
    return this.#unwritten.size === 0;
  }

  /** What is to be written, with what is to be read: the sums of each key that has counts. */
  take(): UseCount[] {
    for (const { keyId, day } of [...this.#unwritten.values()])
      for (const name of countedQuotas) this.#add({ keyId, day, kind: 'used', name, amount: 0 });
    const counts = [...this.#unwritten.values()];
    this.#unwritten = new Map();
    return counts;
  }

  /** The counts that were taken are in the sums. */
  written(counts: readonly UseCount[], sums: readonly UseCount[]): void {
    for (const [quota, keyDay, { amount }] of this.#quotasIn(counts)) keyDay.ahead[quota] -= amount;
    for (const [quota, keyDay, { amount }] of this.#quotasIn(sums)) {
      keyDay.sums ??= { bytes: 0, letters: 0 };
      keyDay.sums[quota] = amount;
    }
  }

  /** The counts that were taken are to be written later. */
  notWritten(counts: readonly UseCount[]): void {
    for (const count of counts) this.#add(count);
  }

  #add({ keyId, day, kind, name, amount }: UseCount): void {
    const place = `${keyId} ${day} ${kind} ${name}`;
    const held = this.#unwritten.get(place);
    this.#unwritten.set(place, { keyId, day, kind, name, amount: amount + (held?.amount ?? 0) });
  }

  /** The key's day; the one before is over. */
  #of(keyId: string, day: string): KeyDay {
    const known = this.#days.get(keyId);
    if (known !== undefined && known.day === day) return known;
    const begun: KeyDay = { day, sums: null, ahead: { bytes: 0, letters: 0 }, held: { bytes: 0, letters: 0 } };
    // A request of the day before may come to its end behind midnight.
    if (known === undefined || known.day < day) this.#days.set(keyId, begun);
    return begun;
  }

  *#quotasIn(counts: readonly UseCount[]): Generator<[CountedQuota, KeyDay, UseCount]> {
    for (const count of counts) {
      const quota = count.kind === 'used' ? countedQuotas.find((each) => each === count.name) : undefined;
      const keyDay = this.#days.get(count.keyId);
      if (quota !== undefined && keyDay !== undefined && keyDay.day === count.day) yield [quota, keyDay, count];
    }
  }
}
