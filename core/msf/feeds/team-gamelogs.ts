// The feed `team_gamelogs`: the statistics of teams, by team and game.
import { microsPerMinute } from '../../units.ts';
import { teamsOfGamelogs } from '../states/statistics.ts';
import type { FeedDescriptor } from './feed.ts';
import { gamelogForm, gamelogStatistics, idsOfGamelogs, paceOfGamelogs } from './gamelogs.ts';

export const teamGamelogs: FeedDescriptor<'team_gamelogs'> = {
  name: 'team_gamelogs',
  form: gamelogForm('team'),
  playersIn: null,
  read: ({ league, element }) => ({ teamStats: teamsOfGamelogs(idsOfGamelogs(league, element), element) }),
  statistics: gamelogStatistics,
  polling: {
    called: /teamgamelog/,
    isOfSeason: true,
    secondsAway: { season: 5, day: 5 },
    firstAfter: microsPerMinute,
    ofDay: paceOfGamelogs,
  },
};
