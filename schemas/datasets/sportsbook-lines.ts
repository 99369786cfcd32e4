import type { Dataset } from './column.ts';
import { bool, dec, int32, int64, oneOf, optional, type RowOf, required, ts, utf8 } from './column.ts';
import {
  gameId,
  league,
  line,
  market,
  operator,
  period,
  playerId,
  priceSourceFormat,
  selection,
  selectionId,
} from './common-columns.ts';

/** For segments and for the final artifact (docs/quotes.md#sportsbook-lines-columns). */
export const sportsbookLines = {
  name: 'sportsbook-lines',
  kind: 'per_game',
  description: 'Every change of every quote of every sportsbook in one game, in log order.',
  schemaVersion: 'v1',
  columns: [
    gameId,
    league,
    operator,
    required(
      'row_number',
      int64,
      "Position in the game's log, from 1; without gaps, unless rows were removed after an audit.",
    ),
    selectionId,
    market,
    period,
    selection,
    playerId,
    line,
    optional(
      'price_american',
      int32,
      'Price in American odds; null when the selection was never priced.',
      'American odds',
    ),
    optional(
      'price_decimal',
      dec(9, 4),
      'Price in decimal odds; null when the selection was never priced.',
      'decimal odds',
    ),
    priceSourceFormat,
    required('is_open', bool, 'Whether the selection can be bet on; false when suspended or withdrawn.'),
    required(
      'change',
      oneOf('opened', 'price', 'line', 'price_and_line', 'suspended', 'resumed', 'withdrawn'),
      'What this row changed. `opened`: the selection is quoted for the first time. `price`, `line`, `price_and_line`: an open quote moved. `suspended`: it cannot be bet on for now. `resumed`: after a suspension or a withdrawal it can be again, at the price and line of the row. `withdrawn`: it is not offered any more.',
    ),
    required('in_play', bool, 'Whether the game was being played.'),
    required('timestamp', ts, 'When the quote was observed.'),
    optional('source_timestamp', ts, "The sportsbook's own timestamp."),
    required('source', utf8, 'Who delivered the quote.'),
  ],
  primaryKey: ['game_id', 'row_number'],
  sortOrder: ['row_number'],
  live: true,
  metered: true,
} as const satisfies Dataset;

export type SportsbookLinesRow = RowOf<typeof sportsbookLines>;
