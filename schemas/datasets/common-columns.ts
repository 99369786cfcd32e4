// Columns that mean the same in several datasets (docs/quotes.md#sportsbook-lines-columns).
import { dec, oneOf, optional, required, utf8 } from './column.ts';

export const gameId = required('game_id', utf8, 'Public game id in the record; the UUID while none is minted.');
export const league = required('league', utf8, 'League code.');
export const operator = required('operator', utf8, 'Code of the sportsbook, upper case.');
export const selectionId = required(
  'selection_id',
  utf8,
  'Canonical identity of the selection: market/period/selection, then the player and the line if they distinguish selections.',
);
export const market = required(
  'market',
  utf8,
  'Market, such as moneyline, spread, total, team_total or player_points.',
);
export const period = required(
  'period',
  utf8,
  'Part of the game that the market covers, such as full, first_half or q1.',
);
export const selection = required(
  'selection',
  utf8,
  "Side: home, away, draw, over, under, yes, no, else the source's words.",
);
export const playerId = optional('player_id', utf8, 'Canonical player UUID; null if no player is named or known.');
export const line = optional('line', dec(9, 3), 'Handicap or total; null for markets without one.', 'points');
export const priceSourceFormat = optional(
  'price_source_format',
  oneOf('american', 'decimal', 'fractional'),
  'Format in which the source gave the price; the other is derived exactly.',
);
