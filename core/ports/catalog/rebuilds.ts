// How far a projector is with an order to rebuild a log, for the command that waits for it. Only news of the moment: nothing is stored, one that is
// lost is replaced by the next, and no work depends on them.
import type { Micros } from '../../units.ts';

/** `key`: that of the order. `read`: how many of the `all` records behind the order are folded. `took`: how long that took. */
export type RebuildProgress = { key: string; read: number; all: number; took: Micros };

export interface RebuildsCatalog {
  tellProgress(progress: RebuildProgress): Promise<void>;
  /** Calls back for each progress that any projector tells. Returns a function that stops watching. */
  watchProgress(onProgress: (progress: RebuildProgress) => void): Promise<() => Promise<void>>;
}
