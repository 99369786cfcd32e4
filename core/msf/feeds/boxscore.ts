// The feed `boxscore`: the score of one game, and the statistics of its players and of its teams.
import { memberOf } from '../../json/value.ts';
import { paceOfProgress } from '../polling/paces.ts';
import { BodyIds } from '../states/body-ids.ts';
import { progressOfScore, readGame } from '../states/game-state-columns.ts';
import { playersOfBoxscore, teamsOfBoxscore } from '../states/statistics.ts';
import type { FeedDescriptor } from './feed.ts';

const awayPlayers = ['stats', 'away', 'players'];
const homePlayers = ['stats', 'home', 'players'];

export const boxscore: FeedDescriptor<'boxscore'> = {
  name: 'boxscore',
  form: { kind: 'game', lists: () => [awayPlayers, homePlayers] },
  playersIn: null,
  read({ league, element, text }) {
    const game = readGame(league, memberOf(element, 'game'));
    const ids = game?.ids ?? new BodyIds(league, null);
    return {
      game: game === null ? null : { ...game.columns, ...progressOfScore(ids, memberOf(element, 'scoring')) },
      playerStats: playersOfBoxscore(ids, element, text),
      teamStats: teamsOfBoxscore(ids, element),
    };
  },
  statistics: [
    { list: awayPlayers, member: 'playerStats' },
    { at: ['stats', 'away', 'teamStats'] },
    { list: homePlayers, member: 'playerStats' },
    { at: ['stats', 'home', 'teamStats'] },
  ],
  polling: {
    called: /boxscore/,
    isOfSeason: true,
    secondsAway: { season: 0, day: 0 },
    firstAfter: 0,
    ofGame: paceOfProgress,
  },
};
