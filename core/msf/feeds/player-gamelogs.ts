// The feed `player_gamelogs`: the statistics of players, by player and game.
import { microsPerMinute } from '../../units.ts';
import { playersOfGamelogs } from '../states/statistics.ts';
import type { FeedDescriptor } from './feed.ts';
import { gamelogForm, gamelogStatistics, idsOfGamelogs, paceOfGamelogs } from './gamelogs.ts';

export const playerGamelogs: FeedDescriptor<'player_gamelogs'> = {
  name: 'player_gamelogs',
  form: gamelogForm('player'),
  playersIn: null,
  read: ({ league, element, text }) => ({
    playerStats: playersOfGamelogs(idsOfGamelogs(league, element), element, text),
  }),
  statistics: gamelogStatistics,
  polling: {
    called: /playergamelog/,
    isOfSeason: true,
    secondsAway: { season: 30, day: 5 },
    firstAfter: microsPerMinute,
    ofDay: paceOfGamelogs,
  },
};
