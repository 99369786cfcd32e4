// Names of response schemas in the OpenAPI document: whole bodies, and parts worth naming.
import type { z } from 'zod';
import { keyRecord } from '../../schemas/http/account.ts';
import { artifactVersion, artifactVersions } from '../../schemas/http/artifacts.ts';
import { dataset, datasetSchema, datasetsPage } from '../../schemas/http/datasets.ts';
import { game, gamesPage } from '../../schemas/http/games.ts';
import {
  boardFiles,
  boardManifest,
  liveManifest,
  liveRows,
  operatorEntry,
  segmentEntry,
  sportsbookLinesRow,
} from '../../schemas/http/live.ts';
import {
  archive,
  archiveBaseline,
  archiveDescriptor,
  archivesPage,
  changeListing,
  coverage,
  freshness,
  revisionFile,
  revisionRecord,
  revisionRow,
  revisionRows,
  revisionScope,
  snapshotManifest,
  sourceObservation,
} from '../../schemas/http/msf.ts';
import { bestPrice, gameOdds, oddsPage, operatorOdds, refusedOdds, selectionOdds } from '../../schemas/http/odds.ts';
import { league, leaguesPage, player, playersPage, team, teamsPage } from '../../schemas/http/reference.ts';
import { apiDescription, health, problemPage, problemTypesPage, ready } from '../../schemas/http/service.ts';

export const bodies: Readonly<Record<string, z.ZodType>> = {
  Game: game,
  GamesPage: gamesPage,
  League: league,
  LeaguesPage: leaguesPage,
  Team: team,
  TeamsPage: teamsPage,
  Player: player,
  PlayersPage: playersPage,
  Dataset: dataset,
  DatasetsPage: datasetsPage,
  DatasetSchema: datasetSchema,
  ArtifactVersion: artifactVersion,
  ArtifactVersions: artifactVersions,
  LiveManifest: liveManifest,
  OperatorEntry: operatorEntry,
  SegmentEntry: segmentEntry,
  LiveRows: liveRows,
  SportsbookLinesRow: sportsbookLinesRow,
  BoardFiles: boardFiles,
  BoardManifest: boardManifest,
  GameOdds: gameOdds,
  SelectionOdds: selectionOdds,
  OperatorOdds: operatorOdds,
  BestPrice: bestPrice,
  OddsPage: oddsPage,
  RefusedOdds: refusedOdds,
  RevisionScope: revisionScope,
  SourceObservation: sourceObservation,
  Coverage: coverage,
  RevisionFile: revisionFile,
  Freshness: freshness,
  RevisionRecord: revisionRecord,
  RevisionRows: revisionRows,
  RevisionRow: revisionRow,
  SnapshotManifest: snapshotManifest,
  ChangeListing: changeListing,
  ArchiveBaseline: archiveBaseline,
  Archive: archive,
  ArchiveDescriptor: archiveDescriptor,
  ArchivesPage: archivesPage,
  KeyRecord: keyRecord,
  Health: health,
  Ready: ready,
  ApiDescription: apiDescription,
  ProblemPage: problemPage,
  ProblemTypesPage: problemTypesPage,
};

/** The name of a route's response schema. @throws when it is not listed here */
export function bodyName(schema: z.ZodType, path: string): string {
  for (const [name, body] of Object.entries(bodies)) if (body === schema) return name;
  throw new Error(`the response schema of ${path} is not listed in bodies.ts`);
}
