import { datasets } from '../../schemas/datasets/registry.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import { liveAddresses } from '../manifests.ts';
import { refuse } from '../refusal.ts';
import { route } from '../route.ts';

/** The datasets of which a settled game has one file each. */
const perGame = datasets.filter((dataset) => dataset.kind === 'per_game').map((dataset) => dataset.name);

export const getDataset = route({
  path: '/v1/games/:game_id/:dataset',
  summary: 'The file of one dataset of a settled game.',
  key: 'required',
  game: 'identity',
  query: {},
  answers: { 200: 'parquet', 404: ['not-found', 'not-final'] },
  charge: 'file-rows',
  cache: 'live',
  datasets: perGame,
  async handle({ game, params: { dataset } }, { serving }) {
    if (dataset === sportsbookLines.name && (await serving.latest(game.uuid)) !== null) {
      return refuse('not-final', { members: { game_id: game.gameId, live: liveAddresses(game.gameId) } });
    }
    return refuse('not-found', {
      title: `No ${dataset.replaceAll('-', ' ')} for this game`,
      detail:
        'The dataset does not cover the league, or the file does not exist yet: files appear shortly after a game settles.',
    });
  },
});
