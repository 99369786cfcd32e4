// The catalog as it knows final artifacts: the one file a settled game has of each dataset (interface, "Per-game dataset file"), and
// what is served of a game because of them.
import type { Micros } from '../../units.ts';
import type { FileRef } from '../object-store.ts';
import type { ServedLog } from './live.ts';

export type Artifact = { gameUuid: string; dataset: string; file: FileRef; rows: number; landedAt: Micros };

export type LandedArtifact = Pick<Artifact, 'dataset' | 'file' | 'rows'>;

/** What is served of a game at one instant: its newest log until its final sportsbook lines have landed, and all that has landed. */
export type ServedData = { log: ServedLog | null; artifacts: readonly Artifact[] };

export interface ArtifactsCatalog {
  /**
   * Lands files of a game, in one transaction. With its `sportsbook-lines` among them the game is final from the commit on, and its live
   * routes are gone (decisions.md 37); the serving notice of the game tells every instance. A dataset that has a file already is left as
   * it is, so that landing the same again changes nothing.
   * @throws UnknownCommit when the answer to COMMIT was lost: landing the same again is how to know
   * @throws Error when an object is one that was given up for collection
   */
  land(gameUuid: string, artifacts: readonly LandedArtifact[]): Promise<void>;
  artifact(gameUuid: string, dataset: string): Promise<Artifact | null>;
  /** One statement, so one snapshot: there is no instant at which it shows neither the log nor what replaced it. */
  served(gameUuid: string): Promise<ServedData>;
}
