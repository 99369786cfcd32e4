// A release with one more column in the live log: the list, what the fold puts there, and what it finds there in states that were saved.
import type { Patch } from './releases.ts';

/** The column, and what each of its new rows holds there. */
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
