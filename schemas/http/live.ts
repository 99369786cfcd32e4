// Bodies of the live sportsbook-lines listings (docs/interface.md#live-manifest; docs/interface.md#board-manifest).
import { z } from 'zod';
import { timestamp } from './games.ts';

export const operatorEntry = z.strictObject({
  last_row_at: timestamp.describe("Time of the sportsbook's newest row."),
  observed_through: timestamp.nullable().describe("The sportsbook's watermark."),
});

export const segmentEntry = z.strictObject({
  seq: z.int(),
  rows: z.int(),
  closed: z.boolean(),
  min_timestamp: timestamp,
  max_timestamp: timestamp,
  url: z.string().describe('To be fetched verbatim.'),
  from_row: z.int().optional().describe('Rows of this segment that the cursor has consumed: read [from_row, rows).'),
});

export const boardFiles = z.strictObject({
  rows: z.int(),
  files_omitted: z
    .int()
    .optional()
    .describe(
      'For a game with very many sportsbooks: how many files are not listed; each is still served at the URL of its sportsbook.',
    ),
  files: z.array(z.strictObject({ operator: z.string(), rows: z.int(), url: z.string() })),
});

export const liveManifest = z.strictObject({
  game_id: z.string(),
  dataset: z.literal('sportsbook-lines'),
  schema_version: z.string(),
  provisional: z.boolean(),
  updated_at: timestamp,
  applied_through: timestamp.nullable().describe('Newest time of an applied record.'),
  operators: z.record(z.string(), operatorEntry),
  segments: z.array(segmentEntry),
  segments_omitted: z
    .int()
    .optional()
    .describe(
      'For a log with very many segments: how many more follow those listed. List again with the cursor of this answer.',
    ),
  board: boardFiles,
  cursor: z.string().regex(/^[0-9]+:[0-9]+$/),
});
export type LiveManifest = z.infer<typeof liveManifest>;

/** A row in its JSON form. The documents show it with the columns of its dataset. */
export const sportsbookLinesRow = z.record(z.string(), z.union([z.string(), z.int(), z.boolean(), z.null()]));

export const liveRows = z.strictObject({
  rows: z.array(sportsbookLinesRow).describe('In log order; none where nothing follows the cursor.'),
  cursor: z
    .string()
    .regex(/^[0-9]+:[0-9]+$/)
    .describe('The position after these rows, for the next request.'),
});
export type LiveRows = z.infer<typeof liveRows>;

export const boardManifest = z.strictObject({
  game_id: z.string(),
  dataset: z.literal('sportsbook-lines'),
  schema_version: z.string(),
  provisional: z.boolean(),
  updated_at: timestamp,
  board: boardFiles,
});
export type BoardManifest = z.infer<typeof boardManifest>;
