// The catalog as it knows what feed keys use, and what is refused of them: sums of a key and UTC day, over all gateways.

/** `used`: of its share and its quotas. `refused`: what of it was refused, by the code or the limit. */
export type UseKind = 'used' | 'refused';

export const usedNames = ['requests', 'elements', 'bytes', 'letters', 'games'] as const;
export type UsedName = (typeof usedNames)[number];

/** `day`: `YYYY-MM-DD`, UTC. */
export type UseCount = { keyId: string; day: string; kind: UseKind; name: string; amount: number };

export interface FeedUseCatalog {
  /**
   * Adds the counts, each of another name, to their sums; resolves to the sums, in any order. A call whose answer is lost may have counted.
   */
  add(counts: readonly UseCount[]): Promise<readonly UseCount[]>;
  /** The sums of this UTC day, by the database's clock; by key, kind and name. */
  today(): Promise<readonly UseCount[]>;
  /** Forgets days that are older than 35, those of letters of the folds too. */
  expire(): Promise<void>;
}
