// Every route of the API, in the order of the interface.
import type { Route } from '../pipeline/route.ts';
import { explainProblem } from './explain-problem.ts';
import { archiveRoutes } from './get-archive.ts';
import { archiveFileRoutes } from './get-archive-file.ts';
import { getBoard } from './get-board.ts';
import { getDataset } from './get-dataset.ts';
import { getDatasetPage } from './get-dataset-page.ts';
import { getGame } from './get-game.ts';
import { getGuide } from './get-guide.ts';
import { getMe } from './get-me.ts';
import { getOpenApi } from './get-openapi.ts';
import { getOperatorBoard } from './get-operator-board.ts';
import { getReference } from './get-reference.ts';
import { revisionFileRoutes } from './get-revision-file.ts';
import { getSchema } from './get-schema.ts';
import { getSegment } from './get-segment.ts';
import { snapshotRoutes } from './get-snapshot.ts';
import { health } from './health.ts';
import { listArchives } from './list-archives.ts';
import { changesRoutes } from './list-changes.ts';
import { listDatasets } from './list-datasets.ts';
import { listGames } from './list-games.ts';
import { listLeagues } from './list-leagues.ts';
import { listPlayers } from './list-players.ts';
import { listSegments } from './list-segments.ts';
import { listTeams } from './list-teams.ts';
import { listVersions } from './list-versions.ts';
import { ready } from './ready.ts';

/** Those of the MSF datasets. */
const msfRoutes: readonly Route[] = [
  ...snapshotRoutes,
  ...changesRoutes,
  listArchives,
  ...archiveRoutes,
  ...archiveFileRoutes,
  ...revisionFileRoutes,
];

export const routes: readonly Route[] = [
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
  getBoard,
  getOperatorBoard,
  ...msfRoutes,
  getMe,
  getReference,
  getDatasetPage,
  getOpenApi,
  getGuide,
  health,
  ready,
  explainProblem,
];

/** The routes that are served, as the service is composed: those of MSF where there is something to serve them from. */
export function servedRoutes({ msf }: { msf: boolean }): readonly Route[] {
  return msf ? routes : routes.filter((route) => !msfRoutes.includes(route));
}
