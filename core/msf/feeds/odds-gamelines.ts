// The feed `odds_gamelines`: the lines of sportsbooks. They are quotes and belong to no dataset of streams
// (docs/quotes.md#game-lines-of-mysportsfeeds).
import { microsPerMinute } from '../../units.ts';
import { hasGameIn } from '../polling/paces.ts';
import type { FeedDescriptor } from './feed.ts';

export const oddsGamelines: FeedDescriptor<'odds_gamelines'> = {
  name: 'odds_gamelines',
  form: { kind: 'game-lines', list: 'gameLines' },
  playersIn: null,
  read: () => ({}),
  statistics: [],
  polling: {
    called: /gamelines/,
    isOfSeason: true,
    secondsAway: { season: 30, day: 15 },
    firstAfter: microsPerMinute,
    ofDay: (phases) => (hasGameIn(['live', 'near', 'today'], phases) ? { every: 15 * microsPerMinute } : null),
  },
};
