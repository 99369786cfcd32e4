// Bodies of the routes about datasets (docs/interface.md#dataset-entry).
import { z } from 'zod';
import { leagues } from '../reference/leagues.ts';
import { pageOf } from './page.ts';

export const dataset = z.strictObject({
  name: z.string(),
  kind: z.enum(['per_game', 'revisioned']).describe('One file per settled game, or a stream of revisions.'),
  description: z.string(),
  leagues: z.array(z.enum(leagues)).describe('Leagues that the dataset covers.'),
  schema_version: z.string(),
  schema_url: z.string().describe('Path of the schema on this host.'),
  media_type: z.string(),
  live: z.boolean().describe('Whether rows are served before the game has settled.'),
  metered: z.boolean().describe('Whether reads are charged to the quota.'),
});
export type DatasetEntry = z.infer<typeof dataset>;
export const datasetsPage = pageOf(dataset);

export const datasetSchema = z.strictObject({
  dataset: z.string(),
  schema_version: z.string(),
  columns: z.array(
    z.strictObject({
      name: z.string(),
      type: z.string().describe('How the value is stored.'),
      logical_type: z.string().nullable().describe('What the stored value means, if that differs.'),
      nullable: z.boolean(),
      description: z.string(),
      unit: z.string().nullable(),
    }),
  ),
  primary_key: z.array(z.string()),
  sort_order: z.array(z.string()).describe('Order of the rows in a file.'),
  row: z.record(z.string(), z.unknown()).describe('JSON Schema (2020-12) of one row.'),
});
export type DatasetSchema = z.infer<typeof datasetSchema>;
