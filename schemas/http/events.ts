// The data of the events of a stream (docs/interface.md#events).
import { z } from 'zod';

const gameId = z.string();
const dataset = z.string();

/** The newest position of one dataset of a game. */
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

/** The final sportsbook lines have landed, at the path `final`. */
export const finalEvent = z.strictObject({
  game_id: gameId,
  dataset: z.literal('sportsbook-lines'),
  final: z.string(),
});
export type FinalEvent = z.infer<typeof finalEvent>;

/** The log or the stream started over: earlier cursors are no longer valid. */
export const resetEvent = z.strictObject({ game_id: gameId, dataset });
export type ResetEvent = z.infer<typeof resetEvent>;
