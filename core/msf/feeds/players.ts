// The feed `players`: the players of a league, which are reference data and no dataset's.
import type { FeedDescriptor } from './feed.ts';

export const players: FeedDescriptor<'players'> = {
  name: 'players',
  form: { kind: 'league', list: 'players', ofGames: null },
  playersIn: 'players',
  read: () => ({}),
  statistics: [],
};
