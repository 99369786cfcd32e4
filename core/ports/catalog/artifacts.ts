// The catalog as it knows final artifacts: the files that a settled game has of each dataset, in versions
// (docs/interface.md#final-files; docs/settlement.md#versions-and-corrections), and what is served of a game because of them.
import type { Micros } from '../../units.ts';
import type { FileRef } from '../object-store.ts';
import type { ServedLog } from './live.ts';

export type Artifact = {
  gameUuid: string;
  dataset: string;
  /** From 1 for each game and dataset, without gaps. */
  version: number;
  file: FileRef;
  rows: number;
  landedAt: Micros;
  /** What made this version: in the words of core/settlement/reasons.ts. */
  reason: string;
};

export type LandedArtifact = Pick<Artifact, 'dataset' | 'version' | 'file' | 'rows' | 'reason'>;

/** The datasets of a landing, in the order of their names: those of which it landed a version, and those that had that version already. */
export type Landing = { landed: readonly string[]; left: readonly string[] };

/** What is served of a game at one instant: its newest log until its final sportsbook lines have landed, and the newest version of each dataset. */
export type ServedData = { log: ServedLog | null; artifacts: readonly Artifact[] };

export interface ArtifactsCatalog {
  /**
   * Lands files of a game, in one transaction. With its `sportsbook-lines` among them the game is final from the commit on, and its live
   * routes are gone (docs/settlement.md#when-a-game-closes); the serving notice of the game tells every instance. A version that is there
   * already is left as it is: landing the same again changes nothing, and of several landings of one version the first to commit counts.
   * @throws UnknownCommit when the answer to COMMIT was lost: landing the same again is how to know
   * @throws Error when an object is one that was given up for collection, or a version is not the one after the newest: nothing has landed
   */
  land(gameUuid: string, artifacts: readonly LandedArtifact[]): Promise<Landing>;
  /** One version of a dataset; `null`: the newest. */
  artifact(gameUuid: string, dataset: string, version: number | null): Promise<Artifact | null>;
  /** All versions of a dataset, newest first. */
  versions(gameUuid: string, dataset: string): Promise<readonly Artifact[]>;
  /** One statement, so one snapshot: there is no instant at which it shows neither the log nor what replaced it. */
  served(gameUuid: string): Promise<ServedData>;
}
