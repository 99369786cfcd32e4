// The feed `players`: the players of a league. They are reference data and belong to no dataset of streams.
import { microsPerHour, microsPerMinute } from '../../units.ts';
import type { FeedDescriptor } from './feed.ts';

export const players: FeedDescriptor<'players'> = {
  name: 'players',
  form: { kind: 'league', list: 'players', ofGames: null },
  playersIn: 'players',
  read: () => ({}),
  statistics: [],
  polling: {
    called: /^players$/,
    isOfSeason: false,
    secondsAway: { season: 5, day: 5 },
    firstAfter: 2 * microsPerMinute,
    whole: () => ({ every: 24 * microsPerHour }),
  },
};
