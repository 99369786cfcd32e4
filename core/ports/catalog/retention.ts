// What the catalog knows of the log's records that are still needed, whatever their age.
import type { Micros } from '../../units.ts';

export interface RetentionCatalog {
  /**
   * By partition, the offset that a projector's next owner would fold from: its newest snapshot's, the lowest of all projectors of the
   * topic. A partition that is absent has never been claimed.
   */
  foldedFrom(topic: string): Promise<ReadonlyMap<number, number>>;
  /** When the first of the games that start at or after `startingFrom` came to be, and not before `from`; null: there is none. */
  oldestGame(startingFrom: Micros, from: Micros): Promise<Micros | null>;
}
