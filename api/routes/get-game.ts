import { game as gameBody } from '../../schemas/http/games.ts';
import { route } from '../pipeline/route.ts';
import { gameRecord } from '../serving/game-record.ts';

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
