// The feed `games`: the schedule of a day or of a season, an entry for each game with its score.

import { courseOfScore, readGame } from '../states/game-state-columns.ts';
import { valueAt } from '../values.ts';
import type { FeedDescriptor } from './feed.ts';

export const games: FeedDescriptor<'games'> = {
  name: 'games',
  form: { kind: 'entries', list: 'games', game: 'schedule', gameForm: 'whole' },
  playersIn: null,
  read({ league, element }) {
    const entry = valueAt(element, 'games', 0);
    const game = readGame(league, valueAt(entry, 'schedule'));
    return game === null ? {} : { game: { ...game.columns, ...courseOfScore(game.ids, valueAt(entry, 'score')) } };
  },
  statistics: [],
};
