import { type Dataset, oneOf, required, ts } from './column.ts';
import { sportsbookLines } from './sportsbook-lines.ts';

/** The name of the board's schema document. */
export const boardName = 'board';

/** The file of one sportsbook's current quotes (docs/quotes.md#the-board): the segment columns and three more; not a dataset of its own. */
export const board = {
  ...sportsbookLines,
  description:
    'The selections that one sportsbook is currently believed to be quoting in one game, each as its newest row.',
  columns: [
    ...sportsbookLines.columns,
    required('last_changed_at', ts, "Timestamp of the selection's newest row."),
    required(
      'operator_observed_through',
      ts,
      "The sportsbook's watermark when one of its rows or states last changed; the manifest has the current one.",
    ),
    required(
      'quote_state',
      oneOf('live', 'stale_suspect'),
      'Whether the quote can still be trusted: stale_suspect when the source left it out or the sportsbook has been silent for too long.',
    ),
  ],
  primaryKey: ['game_id', 'operator', 'selection_id'],
  sortOrder: ['selection_id'],
} as const satisfies Dataset;
