import { game as gameBody } from '../../schemas/http/games.ts';
import { gameRecord } from '../game-record.ts';
import { route } from '../route.ts';

export const getGame = route({
  path: '/v1/games/:game_id',
  id: 'getGame',
  tag: 'Discovery',
  summary: 'One game.',
  key: 'required',
  game: 'record',
  query: {},
  answers: { 200: gameBody, 404: ['not-found'] },
  charge: 'free',
  cache: 'revalidated',
  handle({ game }) {
    return { document: gameRecord(game) };
  },
});
