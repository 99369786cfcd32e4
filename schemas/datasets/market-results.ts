import { type Dataset, dec, int32, oneOf, optional, type RowOf, required, ts, utf8 } from './column.ts';
import { gameId, league, line, market, period, playerId, selection, selectionId } from './common-columns.ts';

/** Why a selection is void or ungraded: the first of these that applies (docs/settlement.md#result-reasons). */
export const resultReasons = [
  'cancelled',
  'unknown_market',
  'no_such_period',
  'unknown_selection',
  'line_missing',
  'line_unexpected',
  'shortened',
  'no_period_scores',
  'draw_quoted',
  'no_player_statistics',
  'unknown_player',
  'did_not_play',
  'participation_unknown',
  'unknown_statistic',
  'value_between',
] as const;

export type ResultReason = (typeof resultReasons)[number];

/** How each selection was graded (docs/settlement.md#market-results-columns). */
export const marketResults = {
  name: 'market-results',
  kind: 'per_game',
  description: 'The grade of every selection and line of a settled game; ungraded if the evidence does not decide.',
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
    optional(
      'result_value',
      dec(12, 3),
      'The number on which the selection was graded; null if it is void or ungraded.',
    ),
    optional('result_reason', oneOf(...resultReasons), 'Why the selection is void or ungraded; null if it was graded.'),
    required('settled_at', ts, 'When the source reported the evidence for the grade.'),
    required('settlement_source', utf8, 'The evidence for the grade: a revision, a manual score or a cancellation.'),
    required('correction', int32, '0 for the first grade, then 1, 2 … each time a grade was corrected.'),
  ],
  primaryKey: ['game_id', 'selection_id', 'line'],
  sortOrder: ['selection_id', 'line'],
  live: false,
  metered: true,
} as const satisfies Dataset;

export type MarketResultsRow = RowOf<typeof marketResults>;
