// The feed `player_gamelogs`: the statistics of players, by player and game.
import { playersOfGamelogs } from '../states/statistics.ts';
import type { FeedDescriptor } from './feed.ts';
import { gamelogForm, gamelogStatistics, idsOfGamelogs } from './gamelogs.ts';

export const playerGamelogs: FeedDescriptor<'player_gamelogs'> = {
  name: 'player_gamelogs',
  form: gamelogForm('player'),
  playersIn: null,
  read: ({ league, element, text }) => ({
    playerStats: playersOfGamelogs(idsOfGamelogs(league, element), element, text),
  }),
  statistics: gamelogStatistics,
};
