// The catalog as it knows final artifacts: the one file a settled game has of each dataset (interface, "Per-game dataset file").
import type { Micros } from '../../units.ts';
import type { FileRef } from '../object-store.ts';

export type Artifact = { gameUuid: string; dataset: string; file: FileRef; rows: number; landedAt: Micros };

export type LandedArtifact = Pick<Artifact, 'dataset' | 'file' | 'rows'>;

export interface ArtifactsCatalog {
  /**
   * Lands files of a game, in one transaction. From its commit on the game's `sportsbook-lines` are final, and its live routes are gone
   * (decisions.md 37); the serving notice of the game tells it to every instance. A dataset that has a file already is left as it is.
   */
  land(gameUuid: string, artifacts: readonly LandedArtifact[]): Promise<void>;
  artifact(gameUuid: string, dataset: string): Promise<Artifact | null>;
}
