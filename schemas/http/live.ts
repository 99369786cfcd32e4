// Bodies of the live sportsbook-lines listings (docs/interface.md#live-manifest; docs/interface.md#board-manifest).
import { z } from 'zod';
import { timestamp } from './games.ts';

const game = z.string().describe('Public id of the game.');
const dataset = z.literal('sportsbook-lines').describe('The dataset of these files.');
const schemaVersion = z.string().describe('Version of the columns of the files.');
const provisional = z.boolean().describe('True until the game is final; then the final file replaces all of this.');
const updatedAt = timestamp.describe('When this version was committed.');
const rowsOfFile = z.int().describe('Rows of the file at `url`.');
const verbatim = z.string().describe('To be fetched verbatim.');
const position = z.string().regex(/^[0-9]+:[0-9]+$/);

export const operatorEntry = z.strictObject({
  last_row_at: timestamp.describe("Time of the sportsbook's newest row."),
  observed_through: timestamp.nullable().describe("The sportsbook's watermark."),
});

export const segmentEntry = z.strictObject({
  seq: z.int().describe('Number of the segment; never used twice for a game.'),
  rows: rowsOfFile,
  closed: z.boolean().describe('Whether the segment is complete: its rows and bytes never change again.'),
  min_timestamp: timestamp.describe('Time of its earliest row.'),
  max_timestamp: timestamp.describe('Time of its latest row.'),
  url: verbatim,
  from_row: z.int().optional().describe('Rows of this segment that the cursor has consumed: read [from_row, rows).'),
});

const boardFile = z.strictObject({
  operator: z.string().describe('Code of the sportsbook.'),
  rows: rowsOfFile,
  url: verbatim,
});

export const boardFiles = z
  .strictObject({
    rows: z.int().describe('Rows of all files of the board.'),
    files_omitted: z
      .int()
      .optional()
      .describe(
        'For a game with very many sportsbooks: how many files are not listed; each is still served at the URL of its sportsbook.',
      ),
    files: z.array(boardFile).describe('One file for each sportsbook, with its current quotes.'),
  })
  .describe('The current quotes, of the same version as the segments.');

export const liveManifest = z.strictObject({
  game_id: game,
  dataset,
  schema_version: schemaVersion,
  provisional,
  updated_at: updatedAt,
  applied_through: timestamp.nullable().describe('Newest time of an applied record.'),
  operators: z.record(z.string(), operatorEntry).describe('By code, each sportsbook with a row in this log.'),
  segments: z.array(segmentEntry).describe('In the order of the log; with a cursor, only those with rows behind it.'),
  segments_omitted: z
    .int()
    .optional()
    .describe(
      'For a log with very many segments: how many more follow those listed. List again with the cursor of this answer.',
    ),
  board: boardFiles,
  cursor: position.describe('The position after the listed rows, `seq:rows`, for the next request.'),
});
export type LiveManifest = z.infer<typeof liveManifest>;

/** A row in its JSON form. The documents show it with the columns of its dataset. */
export const sportsbookLinesRow = z.record(z.string(), z.union([z.string(), z.int(), z.boolean(), z.null()]));

export const liveRows = z.strictObject({
  rows: z.array(sportsbookLinesRow).describe('In log order; none where nothing follows the cursor.'),
  cursor: position.describe('The position after these rows, `seq:rows`, for the next request.'),
});
export type LiveRows = z.infer<typeof liveRows>;

export const boardManifest = z.strictObject({
  game_id: game,
  dataset,
  schema_version: schemaVersion,
  provisional,
  updated_at: updatedAt,
  board: boardFiles,
});
export type BoardManifest = z.infer<typeof boardManifest>;
