import { boardManifest as boardManifestBody } from '../../schemas/http/live.ts';
import { route } from '../pipeline/route.ts';
import type { AnswerCache } from '../serving/answer-cache.ts';
import { judgeServed } from '../serving/live-answers.ts';
import { boardManifest } from '../serving/live-manifests.ts';
import type { ServedGames } from '../serving/served-games.ts';

export const getBoard = route({
  path: '/v1/games/:game_id/sportsbook-lines/board',
  id: 'getBoard',
  tag: 'Live lines',
  summary: 'The board files of a game, one per operator.',
  details: 'The route to poll for what is quoted now; segments are for building the history.',
  key: 'required',
  game: 'identity',
  query: {},
  answers: { 200: boardManifestBody, 404: ['not-found'] },
  charge: 'free',
  cache: 'live',
  handle({ game }, { servedGames, answers }: { servedGames: ServedGames; answers: AnswerCache }) {
    return judgeServed(servedGames, game, ({ key, log }) =>
      answers.document(`${key} board ${game.gameId}`, () => boardManifest(game.gameId, log)),
    );
  },
  watch: ({ game }, { servedGames }, moved) => servedGames.watch(game.uuid, moved),
});
