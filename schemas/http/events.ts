// The data of the events of a stream (docs/interface.md#events).
import { z } from 'zod';

const gameId = z.string();
const dataset = z.string();

/** How far one dataset of a game has come. */
export const headEvent = z.union([
  z.strictObject({
    game_id: gameId,
    dataset: z.literal('sportsbook-lines'),
    cursor: z.string(),
    rows: z.int(),
    board_version: z.string(),
    final: z.literal(false),
  }),
  z.strictObject({
    game_id: gameId,
    dataset,
    cursor: z.string(),
    stream_epoch: z.string(),
    revision: z.int(),
    final: z.boolean(),
  }),
]);
export type HeadEvent = z.infer<typeof headEvent>;

/** The final sportsbook lines are there, at the path `final`. */
export const finalEvent = z.strictObject({
  game_id: gameId,
  dataset: z.literal('sportsbook-lines'),
  final: z.string(),
});
export type FinalEvent = z.infer<typeof finalEvent>;

/** The log or the stream began anew: earlier cursors are of no use. */
export const resetEvent = z.strictObject({ game_id: gameId, dataset });
export type ResetEvent = z.infer<typeof resetEvent>;
