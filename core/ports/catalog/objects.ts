// The catalog as it knows the objects of the store that are in use: how many current files each has, and which may be collected.
import type { Micros } from '../../units.ts';

/** What a commit does to the use of objects. */
export type ObjectMoves = {
  /** Objects it begins to use, with the number of files in each that are current. */
  objects: readonly { key: string; size: number; files: number }[];
  /** Files that are current no longer, per object. */
  released: readonly { key: string; files: number }[];
};

export interface ObjectsCatalog {
  /** Releases tail versions superseded before `before`; returns objects without current files released before it, at most `limit`. */
  collectable(before: Micros, limit: number): Promise<readonly string[]>;
  /** Ends the use of the boards of settled games: no reader gets to them any more. Answers of how many games. */
  releaseSettledBoards(): Promise<number>;
  forgetObjects(keys: readonly string[]): Promise<void>;
  /** Which of the keys the catalog knows: the others are orphans. */
  knownObjects(keys: readonly string[]): Promise<ReadonlySet<string>>;
}
