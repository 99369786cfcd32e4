// What the feed keys of one gateway use on a UTC day. Uses are counted here at once and written in batches to the sums of all gateways;
// each write also reads those sums back. What a push may leave behind is held while the push is processed and counted once it is kept.
// Holds only keys that exist, so their number bounds it. A request belongs to the day on which it began.
import type { UseCount, UseKind } from '../ports/catalog/feed-use.ts';
import type { QuotaName } from './feed-quotas.ts';

/** The quotas that a gateway counts; games are counted by the transaction that founds them. */
export type CountedQuota = Exclude<QuotaName, 'games'>;
const countedQuotas = ['bytes', 'letters'] as const satisfies readonly CountedQuota[];

type Amounts = Record<CountedQuota, number>;

/**
 * `sums`: those of all gateways, as last read, or null before the first read; `ahead`: counted here, not yet in the sums; `held`: by pushes
 * in progress.
 */
type KeyDay = { day: string; sums: Amounts | null; ahead: Amounts; held: Amounts };

export class FeedUseTable {
  readonly #days = new Map<string, KeyDay>();
  #unwritten = new Map<string, UseCount>();

  /** Whether the sums of the key's day have been read. Sums of a past day are not read any more; its remaining uses are only counted. */
  isKnown(keyId: string, day: string): boolean {
    return this.#of(keyId, day).sums !== null || this.#days.get(keyId)?.day !== day;
  }

  /** The sums of all gateways as last read, plus what this gateway has counted since or holds. */
  used(keyId: string, day: string, quota: CountedQuota): number {
    const { sums, ahead, held } = this.#of(keyId, day);
    return (sums?.[quota] ?? 0) + ahead[quota] + held[quota];
  }

  count(keyId: string, day: string, kind: UseKind, name: string, amount: number): void {
    if (amount === 0) return;
    this.#add({ keyId, day, kind, name, amount });
    // The first count of the day creates the entry, so that the sums read with it are kept.
    const { ahead } = this.#of(keyId, day);
    const quota = kind === 'used' ? countedQuotas.find((each) => each === name) : undefined;
    if (quota !== undefined) ahead[quota] += amount;
  }

  /** Holds an amount; a negative amount releases it. */
  hold(keyId: string, day: string, quota: CountedQuota, amount: number): void {
    const known = this.#days.get(keyId);
    if (known?.day === day) known.held[quota] += amount;
  }

  get isWritten(): boolean {
    return this.#unwritten.size === 0;
  }

  /** The counts to write. Each key with counts is also a key whose sums are to be read. */
  take(): UseCount[] {
    for (const { keyId, day } of [...this.#unwritten.values()])
      for (const name of countedQuotas) this.#add({ keyId, day, kind: 'used', name, amount: 0 });
    const counts = [...this.#unwritten.values()];
    this.#unwritten = new Map();
    return counts;
  }

  /** The counts that were taken are now in the sums. */
  written(counts: readonly UseCount[], sums: readonly UseCount[]): void {
    for (const [quota, keyDay, { amount }] of this.#quotasIn(counts)) keyDay.ahead[quota] -= amount;
    for (const [quota, keyDay, { amount }] of this.#quotasIn(sums)) {
      keyDay.sums ??= { bytes: 0, letters: 0 };
      keyDay.sums[quota] = amount;
    }
  }

  /** The counts that were taken could not be written; a later write includes them. */
  notWritten(counts: readonly UseCount[]): void {
    for (const count of counts) this.#add(count);
  }

  #add({ keyId, day, kind, name, amount }: UseCount): void {
    const place = `${keyId} ${day} ${kind} ${name}`;
    const held = this.#unwritten.get(place);
    this.#unwritten.set(place, { keyId, day, kind, name, amount: amount + (held?.amount ?? 0) });
  }

  /** The entry of the key's day; a new day replaces the previous one. */
  #of(keyId: string, day: string): KeyDay {
    const known = this.#days.get(keyId);
    if (known !== undefined && known.day === day) return known;
    const begun: KeyDay = { day, sums: null, ahead: { bytes: 0, letters: 0 }, held: { bytes: 0, letters: 0 } };
    // A request that began the day before may end after midnight.
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
