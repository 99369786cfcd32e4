// Members that problem types add to a problem document (docs/interface.md#errors; docs/interface.md#problem-types). Those present in every
// document of the type are required.
import { z } from 'zod';
import type { ProblemCode } from './problems.ts';

const gameId = z.string().describe('Public game id.');
const snapshot = z.string().describe('Path of the snapshot to continue from.');
const archives = z.string().describe('Path of the list of archives.');
const upgradeUrl = z.string().describe('Where to subscribe or upgrade.');

export const problemMembers = {
  'subscription-required': z.object({ upgrade_url: upgradeUrl }),
  'not-found': z.object({
    reason: z
      .enum(['final_available', 'no_live_artifact', 'revision_not_retained'])
      .optional()
      .describe('Live routes: the game has settled, or it is not tracked. MSF routes: the revision is no longer kept.'),
    snapshot: snapshot.optional(),
    archives: archives.optional(),
    final: z.string().optional().describe('With `final_available`: the path of the final file.'),
    first_seq: z
      .int()
      .optional()
      .describe(
        'With `final_available`: the first `seq` of the log of the final rows. A lower one is of an older log.',
      ),
  }),
  'not-yet-available': z.object({
    poll_after: z.int().min(1).describe('Seconds after which polling again is worthwhile.'),
  }),
  'not-final': z.object({
    game_id: gameId,
    live: z
      .object({ segments: z.string(), board: z.string() })
      .describe('Paths of the listings under which the game is served now.'),
  }),
  'live-segment-behind': z.object({
    game_id: gameId,
    seq: z.int(),
    rows: z.int().nullable().describe('The row count that was asked for.'),
  }),
  'live-cursor-reset': z.object({ game_id: gameId }),
  'stream-reset': z.object({ stream_epoch: z.string().describe('The epoch that is current now.'), snapshot, archives }),
  'cursor-expired': z.object({ stream_epoch: z.string().describe('The epoch of the stream.'), snapshot, archives }),
  'internal-error': z.object({
    reason: z
      .enum(['archive_corrupt', 'archive_unreadable'])
      .optional()
      .describe('MSF routes: committed data are damaged or missing.'),
  }),
  'quota-exhausted': z.object({
    reset: z.string().describe('Date (UTC) on which the quota resets.'),
    upgrade_url: upgradeUrl,
  }),
} as const satisfies Partial<Record<ProblemCode, z.ZodObject>>;
