// Final artifacts in the catalog: the files of a settled game, per dataset, in versions (docs/interface.md#final-files;
// docs/settlement.md#versions-and-corrections), and what the API serves of the game because of them.
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
  /** Why this version was made, in the words of core/settlement/version-reasons.ts. */
  reason: string;
};

export type LandedArtifact = Pick<Artifact, 'dataset' | 'version' | 'file' | 'rows' | 'reason'>;

/** The datasets of a landing, ordered by name: those that landed a version, and those that already had it. */
export type Landing = { landed: readonly string[]; left: readonly string[] };

/**
 * What is served of a game at one instant: its newest log until its final sportsbook lines land, and the newest version of each dataset.
 */
export type ServedData = {
  log: ServedLog | null;
  /** The first `seq` of the closed log that the final rows were read from. Null: no log was closed, or it is unknown. */
  closedFrom: number | null;
  artifacts: readonly Artifact[];
};

export interface ArtifactsCatalog {
  /**
   * Lands files of a game, in one transaction. If `sportsbook-lines` is among them, the game is final from this commit on and its live
   * routes are gone (docs/settlement.md#when-a-game-closes); the game's serving notice informs every instance. A version that exists is
   * left alone: landing it again changes nothing, and if several processes land the same version, the first commit wins.
   * @throws UnknownCommit when the answer to COMMIT was lost: land the same again to find out
   * @throws Error when an object was already given up for collection, or a version does not follow the newest: nothing has landed
   */
  land(gameUuid: string, artifacts: readonly LandedArtifact[]): Promise<Landing>;
  /** One version of a dataset; `null`: the newest. */
  artifact(gameUuid: string, dataset: string, version: number | null): Promise<Artifact | null>;
  /** All versions of a dataset, newest first. */
  versions(gameUuid: string, dataset: string): Promise<readonly Artifact[]>;
  /** One statement, so one snapshot: at every instant it shows either the log or what replaced it. */
  served(gameUuid: string): Promise<ServedData>;
}
