// Body of the list of a final file's versions (docs/interface.md#versions-of-files).
import { z } from 'zod';
import { timestamp } from './games.ts';

export const artifactVersion = z.strictObject({
  version: z.int().min(1).describe('From 1 for each game and dataset.'),
  etag: z.string().describe('The ETag of the file, as `If-None-Match` takes it.'),
  row_count: z.int().describe('Rows of the file; each read is charged this number.'),
  bytes: z.int().describe('Size of the file.'),
  landed_at: timestamp.describe('When this version began to be served.'),
  reason: z
    .string()
    .describe(
      'Why the version was made: `settled`, a revision such as `player-stats/<epoch>/<revision>`, `line-up`, `rows removed`, …',
    ),
  url: z.string().describe('Path of this version on this host.'),
});
export type ArtifactVersion = z.infer<typeof artifactVersion>;

export const artifactVersions = z.strictObject({
  data: z.array(artifactVersion).describe('Newest first.'),
});
