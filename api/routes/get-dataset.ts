// The file of one dataset of a settled game. What memory says is served is taken; that there is nothing only the catalog itself may say.
import type { Artifact } from '../../core/ports/catalog/artifacts.ts';
import { datasets } from '../../schemas/datasets/registry.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import type { Edge } from '../edge.ts';
import type { GameIdentity } from '../game-directory.ts';
import { liveAddresses } from '../manifests.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { type PricedFile, route } from '../route.ts';

/** The datasets of which a settled game has one file each. */
const perGame = datasets.filter((dataset) => dataset.kind === 'per_game').map((dataset) => dataset.name);

export const getDataset = route({
  path: '/v1/games/:game_id/:dataset',
  id: 'getDataset',
  tag: 'Final files',
  summary: 'The file of one dataset of a settled game.',
  details:
    "The whole file, or a byte range of it; filtering is the client's. A range is debited like the whole file. While sportsbook lines are still served live, the answer is `not-final` with the addresses of the live routes.",
  key: 'required',
  game: 'identity',
  query: {},
  answers: { 200: 'parquet', 404: ['not-found', 'not-final'] },
  charge: 'file-rows',
  cache: 'live',
  datasets: perGame,
  async handle({ game, params: { dataset } }, { serving, edge }) {
    const remembered = serving.peek(game.uuid) ?? (await serving.current(game.uuid));
    const known = remembered.artifacts.get(dataset);
    if (known !== undefined) return priced(game, known, edge);
    const served = await serving.latest(game.uuid);
    const landed = served.artifacts.get(dataset);
    if (landed !== undefined) return priced(game, landed, edge);
    return dataset === sportsbookLines.name && served.live !== null ? stillLive(game) : noneOf(dataset);
  },
});

/** Each read debits the rows of the whole file, one of a range too (interface, "Metering" 2). */
function priced({ uuid, gameId }: GameIdentity, { dataset, file, rows }: Artifact, edge: Edge): PricedFile {
  return {
    file: edge.file(file, rows, 'live'),
    read: { kind: 'file', gameUuid: uuid, gameId, dataset, subject: dataset, rows },
  };
}

function stillLive({ gameId }: GameIdentity): Refusal {
  return refuse('not-final', { members: { game_id: gameId, live: liveAddresses(gameId) } });
}

function noneOf(dataset: string): Refusal {
  return refuse('not-found', {
    title: `No ${dataset.replaceAll('-', ' ')} for this game`,
    detail:
      'The dataset does not cover the league, or the file does not exist yet: files appear shortly after a game settles.',
  });
}
