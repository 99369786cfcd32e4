// The feed `odds_gamelines`: the lines of sportsbooks, which are quotes and no dataset's (docs/quotes.md#game-lines-of-mysportsfeeds).
import type { FeedDescriptor } from './feed.ts';

export const oddsGamelines: FeedDescriptor<'odds_gamelines'> = {
  name: 'odds_gamelines',
  form: { kind: 'game-lines', list: 'gameLines' },
  playersIn: null,
  read: () => ({}),
  statistics: [],
};
