// The feed `games`: the schedule of a day or a season, one entry per game with its score.
import { microsPerHour, microsPerMinute } from '../../units.ts';
import { hasGameIn } from '../polling/paces.ts';
import { progressOfScore, readGame } from '../states/game-state-columns.ts';
import { valueAt } from '../values.ts';
import type { FeedDescriptor } from './feed.ts';

export const games: FeedDescriptor<'games'> = {
  name: 'games',
  form: { kind: 'entries', list: 'games', game: 'schedule', gameForm: 'whole' },
  playersIn: null,
  read({ league, element }) {
    const entry = valueAt(element, 'games', 0);
    const game = readGame(league, valueAt(entry, 'schedule'));
    return game === null ? {} : { game: { ...game.columns, ...progressOfScore(game.ids, valueAt(entry, 'score')) } };
  },
  statistics: [],
  polling: {
    called: /^(seasonal|daily|weekly)?games$/,
    isOfSeason: true,
    secondsAway: { season: 0, day: 0 },
    firstAfter: 0,
    // The whole feed has every game of the season; the feed of a game's own day shows a move of the game sooner.
    whole: () => ({ every: 6 * microsPerHour, everyMoved: microsPerHour }),
    ofDay: (phases) => ({ every: hasGameIn(['live', 'near'], phases) ? microsPerMinute : 5 * microsPerMinute }),
  },
};
