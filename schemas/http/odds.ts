// Bodies and parameters of the odds routes (docs/odds.md).
import { z } from 'zod';
import { timestamp } from './games.ts';

const line = z
  .string()
  .regex(/^-?[0-9]+\.[0-9]{3}$/)
  .nullable()
  .describe('Handicap or total; null where there is none.');
const share = z.string().regex(/^-?[0-9]+\.[0-9]{6}$/);

const priced = {
  operator: z.string().describe('Code of the sportsbook.'),
  line,
  price_american: z.int().nullable(),
  price_decimal: z
    .string()
    .regex(/^-?[0-9]+\.[0-9]{4}$/)
    .nullable(),
  price: z.string().nullable().optional().describe('The price in the format that the query names.'),
  implied_probability: share.nullable().describe('1 ÷ price_decimal.'),
};

export const bestPrice = z.strictObject(priced);
export type BestPrice = z.infer<typeof bestPrice>;

export const operatorOdds = z.strictObject({
  ...priced,
  hold: share.nullable().describe("The sportsbook's own hold on this bet; null where it cannot be computed."),
  is_open: z.boolean().describe('False while the sportsbook has suspended the selection.'),
  quote_state: z
    .enum(['live', 'stale_suspect'])
    .nullable()
    .describe('As on the board; null for an instant of the past and for a settled game: no file says it.'),
  age_seconds: z
    .int()
    .min(0)
    .nullable()
    .describe('Whole seconds from the last observation of the sportsbook to `as_of`; null where no file says it.'),
  last_changed_at: timestamp.describe("Time of the quote's newest row."),
});
export type OperatorOdds = z.infer<typeof operatorOdds>;

export const selectionOdds = z.strictObject({
  selection_id: z.string(),
  market: z.string(),
  period: z.string(),
  selection: z.string(),
  player: z.string().nullable().describe("The player's name, as the sportsbooks' sources give it."),
  line: line.describe('The line at which the best price is; null where there is none.'),
  best: bestPrice.nullable().describe('The highest price that can be had at this line; null: none.'),
  hold: share.nullable().describe('The hold of the best prices of all ways at this line; below 0: an arbitrage.'),
  operators: z
    .array(operatorOdds)
    .describe('By code of the sportsbook; with `best=true` that of the best price alone.'),
});
export type SelectionDocument = z.infer<typeof selectionOdds>;

export const gameOdds = z.strictObject({
  game_id: z.string(),
  provisional: z.boolean().describe('False when it is read from the final file.'),
  as_of: timestamp.nullable().describe('The instant of the odds; null of a settled game without any row.'),
  board_version: z
    .string()
    .nullable()
    .describe('The version of the boards, as in heads of event streams; null for an instant and for a settled game.'),
  selections: z.array(selectionOdds).describe('By `selection_id`.'),
});
export type OddsDocument = z.infer<typeof gameOdds>;

export const refusedOdds = z.strictObject({
  game_id: z.string(),
  refused: z
    .enum(['history-restricted', 'validation-error'])
    .describe(
      "The problem of the game's own odds route: the game lies outside the window of the key's tier, or has too many quotes for one answer.",
    ),
});
export type RefusedOdds = z.infer<typeof refusedOdds>;

export const oddsPage = z.strictObject({
  data: z.array(z.union([gameOdds, refusedOdds])),
  next_cursor: z.string().nullable().describe('Null when there are no more games.'),
});
