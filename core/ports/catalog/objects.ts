// Which objects of the store are in use: how many current files each contains, and which may be collected.
import type { Micros } from '../../units.ts';

/** How a commit changes the use of objects. */
export type ObjectMoves = {
  /** Newly used objects, with the number of current files in each. */
  objects: readonly { key: string; size: number; files: number }[];
  /** How many files per object are no longer current. */
  released: readonly { key: string; files: number }[];
};

export interface ObjectsCatalog {
  /**
   * Releases tail versions superseded before `before`; returns objects that have had no current file since before then, at most `limit`.
   */
  collectable(before: Micros, limit: number): Promise<readonly string[]>;
  /** Releases the boards of settled games, which no reader can reach any more. Returns the number of games. */
  releaseSettledBoards(): Promise<number>;
  forgetObjects(keys: readonly string[]): Promise<void>;
  /** Which of the keys the catalog knows; the others are orphans. */
  knownObjects(keys: readonly string[]): Promise<ReadonlySet<string>>;
}
