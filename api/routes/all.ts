// Every route of the API, in the order of the interface.
import type { Services } from '../compose/services.ts';
import type { MsfReads } from '../msf/reads.ts';
import type { Route, ServedRoute } from '../pipeline/route.ts';
import type { RouteFacts } from '../pipeline/route-facts.ts';
import { explainProblem } from './explain-problem.ts';
import { archiveRoutes } from './get-archive.ts';
import { archiveFileRoutes } from './get-archive-file.ts';
import { getBoard } from './get-board.ts';
import { getDataset } from './get-dataset.ts';
import { getDatasetPage } from './get-dataset-page.ts';
import { getGame } from './get-game.ts';
import { getGuide } from './get-guide.ts';
import { getLivePage } from './get-live-page.ts';
import { getMe } from './get-me.ts';
import { getOdds } from './get-odds.ts';
import { getOpenApi } from './get-openapi.ts';
import { getOperatorBoard } from './get-operator-board.ts';
import { getPageModule } from './get-page-module.ts';
import { getReference } from './get-reference.ts';
import { revisionFileRoutes } from './get-revision-file.ts';
import { revisionRowsRoutes } from './get-revision-rows.ts';
import { getSchema } from './get-schema.ts';
import { getSegment } from './get-segment.ts';
import { snapshotRoutes } from './get-snapshot.ts';
import { health } from './health.ts';
import { listArchives } from './list-archives.ts';
import { changesRoutes } from './list-changes.ts';
import { listDatasets } from './list-datasets.ts';
import { listGames } from './list-games.ts';
import { listLeagues } from './list-leagues.ts';
import { listOdds } from './list-odds.ts';
import { listPlayers } from './list-players.ts';
import { listProblems } from './list-problems.ts';
import { listRows } from './list-rows.ts';
import { listSegments } from './list-segments.ts';
import { listTeams } from './list-teams.ts';
import { listVersions } from './list-versions.ts';
import { ready } from './ready.ts';
import { streamEvents } from './stream-events.ts';

/** Routes of games, of datasets, and of the files of both. */
const gameRoutes: readonly Route<Services>[] = [
  listGames,
  getGame,
  listLeagues,
  listTeams,
  listPlayers,
  listDatasets,
  getSchema,
  getDataset,
  listVersions,
  listSegments,
  getSegment,
  listRows,
  getBoard,
  getOperatorBoard,
  getOdds,
  listOdds,
  streamEvents,
];

/** Routes of the MSF datasets. */
const msfRoutes: readonly Route<Services & { msf: MsfReads }>[] = [
  ...snapshotRoutes,
  ...changesRoutes,
  listArchives,
  ...archiveRoutes,
  ...archiveFileRoutes,
  ...revisionFileRoutes,
  ...revisionRowsRoutes,
];

/** Routes of the account, and of the service itself. */
const serviceRoutes: readonly Route<Services>[] = [
  getMe,
  getLivePage,
  getPageModule,
  getReference,
  getDatasetPage,
  getOpenApi,
  getGuide,
  health,
  ready,
  listProblems,
  explainProblem,
];

export const routes: readonly RouteFacts[] = [...gameRoutes, ...msfRoutes, ...serviceRoutes];

/** The served routes: those of MSF only while MSF serving is on. */
export function servedRoutes({ msf }: { msf: boolean }): readonly RouteFacts[] {
  return msf ? routes : [...gameRoutes, ...serviceRoutes];
}

/** The same routes, each given what it needs. */
export function serveRoutes(services: Services): readonly ServedRoute[] {
  const { msf } = services;
  return [
    ...gameRoutes.map((route) => route.serve(services)),
    ...(msf === null ? [] : msfRoutes.map((route) => route.serve({ ...services, msf }))),
    ...serviceRoutes.map((route) => route.serve(services)),
  ];
}
