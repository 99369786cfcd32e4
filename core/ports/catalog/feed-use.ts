// What feed keys use and what was refused of it: sums per key and UTC day, over all gateways.

/** `used`: counts towards its share and quotas. `refused`: by the code or the limit that refused it. */
export type UseKind = 'used' | 'refused';

export const usedNames = ['requests', 'elements', 'bytes', 'letters', 'games'] as const;
export type UsedName = (typeof usedNames)[number];

/** `day`: `YYYY-MM-DD`, UTC. */
export type UseCount = { keyId: string; day: string; kind: UseKind; name: string; amount: number };

export interface FeedUseCatalog {
  /**
   * Adds the counts, each with a different name, to their sums; resolves to the sums, in any order. A call whose answer is lost may have
   * counted.
   */
  add(counts: readonly UseCount[]): Promise<readonly UseCount[]>;
  /** The sums of this UTC day, by the database's clock; by key, kind and name. */
  today(): Promise<readonly UseCount[]>;
  /** Deletes days older than 35, including those of the folds' dead letters. */
  expire(): Promise<void>;
}
