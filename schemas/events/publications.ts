// TypeScript form of publications.avsc (subject sds.publications.v1-value), the same names and shapes.

/**
 * One value of `sds.publications.v1`: a version of a game's live log, a final file, or a revision has become visible
 * (docs/operations.md#topics).
 */
export type PublicationRecord = {
  game_uuid: string;
  kind: string;
  generation: number;
  version: number;
  seq: number | null;
  rows: number;
  dataset: string | null;
  epoch: string | null;
  revision: number | null;
};
