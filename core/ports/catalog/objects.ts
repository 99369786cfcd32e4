// Which objects of the store are referenced: how many current files each contains, and which the garbage collector may delete.
import type { Micros } from '../../units.ts';

/** How a commit changes the references to objects. */
export type ObjectMoves = {
  /** Newly referenced objects, with the number of current files in each. */
  objects: readonly { key: string; size: number; files: number }[];
  /** How many files per object are no longer current. */
  released: readonly { key: string; files: number }[];
};

export interface ObjectsCatalog {
  /** Deletes tail versions superseded before `before`. Returns at most `limit` objects that have had no current file since before then. */
  collectable(before: Micros, limit: number): Promise<readonly string[]>;
  /** Deletes the live boards of settled games, which no client can read any more, and releases their objects. Returns the number of games. */
  releaseSettledBoards(): Promise<number>;
  forgetObjects(keys: readonly string[]): Promise<void>;
  /** Which of the keys the catalog knows; the others are orphans. */
  knownObjects(keys: readonly string[]): Promise<ReadonlySet<string>>;
}
