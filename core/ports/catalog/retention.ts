// Which records of the log are still needed, whatever their age.
import type { Micros } from '../../units.ts';

export interface RetentionCatalog {
  /**
   * Per partition, the lowest offset from which a next owner may have to fold: that of the oldest kept snapshot, or 0 while there is only
   * one to start from; the lowest over all projectors of the topic. A partition that was never claimed is absent.
   */
  foldedFrom(topic: string): Promise<ReadonlyMap<number, number>>;
  /** The earliest founding time at or after `from` among the games that start at or after `startingFrom`; null if there is none. */
  oldestGame(startingFrom: Micros, from: Micros): Promise<Micros | null>;
}
