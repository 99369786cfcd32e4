import { type Dataset, date, dec, int32, listOfUtf8, oneOf, optional, type RowOf, required, ts } from './column.ts';
import { gameId, league, line, market, operator, period, playerId, selection, selectionId } from './common-columns.ts';

/** The last open quote before the game began, per sportsbook and selection (docs/settlement.md#closing-lines-columns). */
export const closingLines = {
  name: 'closing-lines',
  kind: 'per_game',
  description:
    'The last open quote before the actual start, per sportsbook and selection, together with the opening price.',
  schemaVersion: 'v1',
  columns: [
    gameId,
    league,
    required('game_date', date, 'Eastern-Time calendar date of the scheduled start, as it was at the end.'),
    operator,
    selectionId,
    market,
    period,
    selection,
    playerId,
    line,
    required('closing_price_american', int32, 'Closing price in American odds.', 'American odds'),
    required('closing_price_decimal', dec(9, 4), 'Closing price in decimal odds.', 'decimal odds'),
    optional('opening_line', dec(9, 3), 'Line of the first open quote; it may differ from the closing one.', 'points'),
    optional('opening_price_american', int32, 'Price of the first open quote in American odds.', 'American odds'),
    optional('opening_price_decimal', dec(9, 4), 'Price of the first open quote in decimal odds.', 'decimal odds'),
    optional('opened_at', ts, 'When the selection was first observed open.'),
    required('closed_at', ts, 'Timestamp of the closing row.'),
    required(
      'close_basis',
      oneOf('last_before_start', 'suspended_before_start', 'reconstructed'),
      'How the closing quote was found: the selection was open when play began, or suspended by then; reconstructed if the start of play is unknown.',
    ),
    required('scheduled_start', ts, 'The start as it was scheduled when play began.'),
    optional('actual_start', ts, 'When play began, by the first evidence of it; null if there is none.'),
    required(
      'home_player_ids',
      listOfUtf8,
      'Canonical UUIDs of the home starters, by their places in the line-up; empty when unknown.',
    ),
    required(
      'away_player_ids',
      listOfUtf8,
      'Canonical UUIDs of the away starters, by their places in the line-up; empty when unknown.',
    ),
  ],
  primaryKey: ['game_id', 'operator', 'selection_id', 'line'],
  sortOrder: ['operator', 'selection_id'],
  live: false,
  metered: true,
} as const satisfies Dataset;

export type ClosingLinesRow = RowOf<typeof closingLines>;
