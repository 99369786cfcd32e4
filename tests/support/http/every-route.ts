// An API in which every route has something to serve, and for each a path that is answered 200, for claims about all
// routes. A route without an example fails here.
import type { RouteFacts } from '../../../api/pipeline/route-facts.ts';
import { routes } from '../../../api/routes/all.ts';
import { isLeague } from '../../../core/league-code.ts';
import { formatCursor } from '../../../core/msf/published/cursor.ts';
import type { MsfDataset } from '../../../core/msf/types.ts';
import { landFinals } from '../builders/final-files.ts';
import { parquetRows } from '../builders/parquet-log.ts';
import { uuidOf } from '../fakes/api-fakes.ts';
import { epochNamed, gameScope, leagueScope } from '../fakes/fake-msf.ts';
import { startApi, type TestApi, type TestOptions } from './api-http.ts';

export const liveGame = 'MLB_STL_NYY_20260805';
export const finalGame = { uuid: uuidOf('settled'), gameId: 'NFL_DET_PHI_20260805', league: 'NFL' };

export type RouteExample = { route: RouteFacts; path: string };

const lines = `/v1/games/${liveGame}/sportsbook-lines`;

const paths: Readonly<Record<string, string>> = {
  '/v1/games/:game_id': `/v1/games/${liveGame}`,
  '/v1/events': `/v1/events?games=${liveGame}`,
  '/v1/games/:game_id/:dataset': `/v1/games/${finalGame.gameId}/closing-lines`,
  '/v1/games/:game_id/:dataset/versions': `/v1/games/${finalGame.gameId}/closing-lines/versions`,
  '/v1/games/:game_id/sportsbook-lines/segments': `${lines}/segments`,
  '/v1/games/:game_id/sportsbook-lines/segments/:seq': `${lines}/segments/1`,
  '/v1/games/:game_id/sportsbook-lines/rows': `${lines}/rows`,
  '/v1/games/:game_id/sportsbook-lines/board': `${lines}/board`,
  '/v1/games/:game_id/sportsbook-lines/board/:operator': `${lines}/board/DRAFTKINGS`,
  '/v1/games/:game_id/odds': `/v1/games/${liveGame}/odds`,
  ...msfPaths('/v1/games/:game_id', `/v1/games/${liveGame}`, liveGame, 'plays'),
  ...msfPaths('/v1/leagues/:league', '/v1/leagues/MLB', 'MLB', 'injuries'),
  '/v1/leagues/:league/:dataset/archives': '/v1/leagues/MLB/plays/archives',
  '/v1/datasets/:name/schema': '/v1/datasets/closing-lines/schema',
  '/docs/datasets/:dataset': '/docs/datasets/market-results',
  '/page/:module': '/page/main.mjs',
  '/problems/:suffix': '/problems/not-found',
};

/** Examples of the MSF routes below `prefix`. The stream of `of` has two revisions and an archive of both. */
function msfPaths(prefix: string, below: string, of: string, dataset: MsfDataset): Record<string, string> {
  const { uuid } = isLeague(of) ? leagueScope(of) : gameScope(of);
  const epoch = epochNamed('A');
  const cursor = formatCursor({ dataset, scopeUuid: uuid, epoch, revision: 1 });
  const path = `${below}/${dataset}`;
  return {
    [`${prefix}/:dataset/snapshot`]: `${path}/snapshot`,
    [`${prefix}/:dataset/changes`]: `${path}/changes?cursor=${cursor}`,
    [`${prefix}/:dataset/archives/:archive_id`]: `${path}/archives/${epoch}-1-2`,
    [`${prefix}/:dataset/archives/:archive_id/changes/:revision/:index`]: `${path}/archives/${epoch}-1-2/changes/2/0`,
    [`${prefix}/:dataset/revisions/:epoch/:revision/:kind/rows`]: `${path}/revisions/${epoch}/2/snapshot/rows`,
    [`${prefix}/:dataset/revisions/:epoch/:revision/:kind/:index`]: `${path}/revisions/${epoch}/2/snapshot/0`,
  };
}

/** An example of every route; a route without parameters is its own. */
export const routeExamples: readonly RouteExample[] = routes.map((route) => {
  const path = paths[route.path] ?? (route.path.includes(':') ? undefined : route.path);
  if (path === undefined) throw new Error(`there is no example of ${route.path} in every-route.ts`);
  return { route, path };
});

/**
 * An API with a live game of 7 rows in two segments, a settled game, a stream of a game and one of a league, a team and
 * a player.
 */
export async function startFullApi(options: TestOptions = {}): Promise<TestApi> {
  // Streams end at once, so that they can be requested like other routes.
  const limits = { heartbeatMs: 300, eventStreamLifeMs: { least: 20, most: 40 }, ...options.limits };
  const api = await startApi({ ...options, limits });
  await api.log(liveGame, 5, parquetRows).append(7);
  api.catalog.addGame(finalGame);
  for (const stream of [api.stream(liveGame, 'plays'), api.stream('MLB', 'injuries')]) {
    await stream.publish(['a=1', 'b=1']);
    await stream.publish(['c=1']);
    stream.archive(1, 2);
  }
  await landFinals({ objects: api.objects, artifacts: api.catalog }, finalGame);
  const home = api.catalog.games.find(({ gameId }) => gameId === liveGame)?.home;
  if (home != null) api.catalog.teamsOfLeagues.push(home);
  api.catalog.playersOfLeagues.push({
    id: uuidOf('player'),
    league: 'MLB',
    first_name: 'A',
    last_name: 'Player',
    position: null,
    jersey_number: null,
    current_team_id: null,
    is_active: true,
  });
  return api;
}
