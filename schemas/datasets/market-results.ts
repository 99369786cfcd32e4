import { type Dataset, dec, int32, oneOf, optional, type RowOf, required, ts, utf8 } from './column.ts';
import { gameId, league, line, market, period, playerId, selection, selectionId } from './common-columns.ts';

/** How each selection was graded (columns.md, market-results). */
export const marketResults = {
  name: 'market-results',
  kind: 'per_game',
  description: 'The grade of every selection and line of a settled game; ungraded where the evidence does not decide.',
  schemaVersion: 'v1',
  columns: [
    gameId,
    league,
    selectionId,
    market,
    period,
    selection,
    playerId,
    line,
    required(
      'result',
      oneOf('win', 'loss', 'push', 'void', 'half_win', 'half_loss', 'ungraded'),
      'Grade of the selection; never guessed.',
    ),
    optional('result_value', dec(12, 3), 'The number that the selection was graded on.'),
    required('settled_at', ts, 'When the grade was made.'),
    required('settlement_source', utf8, 'Whose evidence the grade rests on.'),
    required('correction', int32, '0 for the first grade, then 1, 2 … each time it was corrected.'),
  ],
  primaryKey: ['game_id', 'selection_id', 'line'],
  sortOrder: ['game_id', 'selection_id', 'line'],
  live: false,
  metered: true,
} as const satisfies Dataset;

export type MarketResultsRow = RowOf<typeof marketResults>;
