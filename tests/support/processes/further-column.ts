// A release with one more column in the live log: the list of columns, the value the fold writes, and the value for
// rows of states saved before.
import type { Patch } from './releases.ts';

/** The column, and its value in each new row. */
export const furtherValue = { wager_limit: 500 } as const;

export const furtherColumn: readonly Patch[] = [
  {
    file: 'schemas/datasets/sportsbook-lines.ts',
    from: `    required('source', utf8, 'Who delivered the quote.'),\n`,
    to: `    required('source', utf8, 'Who delivered the quote.'),\n    optional('wager_limit', int32, 'The most that is taken.'),\n`,
  },
  {
    file: 'core/live/offer.ts',
    from: '    source_timestamp: quote.source_timestamp,\n    source: context.source,\n',
    to: '    source_timestamp: quote.source_timestamp,\n    source: context.source,\n    wager_limit: 500,\n',
  },
  {
    file: 'core/live/saved-game.ts',
    from: '    source: word(source),\n  };\n',
    to: '    source: word(source),\n    wager_limit: 500,\n  };\n',
  },
];
