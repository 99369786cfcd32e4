// Values that the documents show as examples. They have the types of the answers, and a test checks them against the schemas.
import type { KeyRecord } from '../../schemas/http/account.ts';
import type { ArtifactVersion } from '../../schemas/http/artifacts.ts';
import type { GameDocument } from '../../schemas/http/games.ts';
import type { BoardManifest, LiveManifest, LiveRows } from '../../schemas/http/live.ts';
import type { ChangeListing, RevisionDocument, SnapshotManifest } from '../../schemas/http/msf.ts';
import type { Health } from '../../schemas/http/service.ts';
import { oddsOf } from './odds-sample.ts';

const gameId = 'MLB_STL_NYY_20260805';
const lines = `/v1/games/${gameId}/sportsbook-lines`;

const epoch = '01K1ZJ2M5Q8W3N7T4R6Y9B0C1D';
const msfScope = { kind: 'game', game_id: gameId } as const;
const plays = `/v1/games/${gameId}/plays`;
const playsCursor = `plays:6d0c8d6e-5c3f-5b0e-9c53-2a9d27b8f1a4:${epoch}:41`;

/** Values of parameters, by name; several if they differ from route to route. */
const parameters: Readonly<Record<string, readonly unknown[]>> = {
  game_id: [gameId],
  dataset: ['closing-lines', 'plays'],
  epoch: [epoch],
  revision: ['41'],
  kind: ['change'],
  index: ['0'],
  archive_id: [`${epoch}-1-64`],
  name: ['sportsbook-lines'],
  seq: [2],
  version: [1],
  from_row: [1_290],
  operator: ['DRAFTKINGS'],
  operators: ['DRAFTKINGS,FANDUEL'],
  market: ['moneyline'],
  period: ['full'],
  at: ['2026-08-05T23:41:00Z'],
  module: ['main.mjs'],
  suffix: ['live-cursor-reset'],
  league: ['MLB'],
  date_from: ['2026-08-01'],
  date_to: ['2026-08-31'],
};

/** An example of a parameter; one of `values` if only those are allowed. */
export function sampleOfParameter(name: string, values?: readonly unknown[]): unknown {
  return parameters[name]?.find((sample) => values === undefined || values.includes(sample));
}

const game: GameDocument = {
  id: gameId,
  league: 'MLB',
  game_date: '2026-08-05',
  scheduled_start: '2026-08-05T23:05:00.000000Z',
  status: 'STARTED',
  in_progress: true,
  home_team: 'New York Yankees',
  home_team_abbreviation: 'NYY',
  home_team_id: '5b1e9c52-6b1c-5a0c-8d6e-0d4f0a1c9e11',
  away_team: 'St. Louis Cardinals',
  away_team_abbreviation: 'STL',
  away_team_id: 'c0a7c8f4-3c33-5d52-9a2e-4a8f3f3b2d72',
};

const results = `/v1/games/${gameId}/market-results`;

const versions: readonly ArtifactVersion[] = [
  {
    version: 2,
    etag: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
    row_count: 2_418,
    bytes: 61_204,
    landed_at: '2026-08-06T06:40:12.250000Z',
    reason: `player-stats/${epoch}/57`,
    url: `${results}?version=2`,
  },
  {
    version: 1,
    etag: '"60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752"',
    row_count: 2_418,
    bytes: 61_187,
    landed_at: '2026-08-06T02:21:40.010000Z',
    reason: 'settled',
    url: `${results}?version=1`,
  },
];

const board: LiveManifest['board'] = {
  rows: 214,
  files: [
    { operator: 'DRAFTKINGS', rows: 118, url: `${lines}/board/DRAFTKINGS` },
    { operator: 'FANDUEL', rows: 96, url: `${lines}/board/FANDUEL` },
  ],
};

const head: Omit<BoardManifest, 'board'> = {
  game_id: gameId,
  dataset: 'sportsbook-lines',
  schema_version: 'v1',
  provisional: true,
  updated_at: '2026-08-05T23:41:07.250000Z',
};

const manifest: LiveManifest = {
  ...head,
  applied_through: '2026-08-05T23:41:06.900000Z',
  operators: {
    DRAFTKINGS: { last_row_at: '2026-08-05T23:41:06.900000Z', observed_through: '2026-08-05T23:41:06.900000Z' },
    FANDUEL: { last_row_at: '2026-08-05T23:40:58.120000Z', observed_through: '2026-08-05T23:41:05.400000Z' },
  },
  segments: [
    {
      seq: 2,
      rows: 1_312,
      closed: false,
      min_timestamp: '2026-08-05T23:12:44.010000Z',
      max_timestamp: '2026-08-05T23:41:06.900000Z',
      url: `${lines}/segments/2?rows=1312`,
      from_row: 1_290,
    },
  ],
  board,
  cursor: '2:1312',
};

const rows: LiveRows = {
  rows: [
    {
      game_id: gameId,
      league: 'MLB',
      operator: 'DRAFTKINGS',
      row_number: 9_504,
      selection_id: 'total/full/over/8.5',
      market: 'total',
      period: 'full',
      selection: 'over',
      player_id: null,
      line: '8.500',
      price_american: -115,
      price_decimal: '1.8696',
      price_source_format: 'american',
      is_open: true,
      change: 'price',
      in_play: true,
      timestamp: '2026-08-05T23:41:06.900000Z',
      source_timestamp: '2026-08-05T23:41:06.100000Z',
      source: 'the-odds-api',
    },
  ],
  cursor: '2:1312',
};

const revision: RevisionDocument = {
  dataset: 'plays',
  scope: msfScope,
  schema_version: 'v1',
  stream_epoch: epoch,
  revision: 41,
  revision_kind: 'append',
  is_baseline: false,
  history_origin: 'captured',
  source_observation: {
    source_revision: 'sha256:5f6c8b6fb9f4f3b7f0c2a1de4c6f7c0b3d6a2c1e9d8b7a6f5e4d3c2b1a090807',
    source_updated_at: '2026-08-05T23:41:02.000000Z',
    request_started_at: '2026-08-05T23:41:05.120000Z',
    timestamp_basis: 'source',
    source_played_status: 'LIVE',
    source_schedule_status: 'NORMAL',
  },
  materialized_at: '2026-08-05T23:41:05.480000Z',
  status: 'provisional',
  coverage: {
    state: 'complete',
    coverage_start: '2026-08-05T23:05:10.000000Z',
    coverage_end: '2026-08-05T23:41:02.000000Z',
    gaps: [],
  },
  pending_source_revision: null,
  files: [
    {
      rows: 3,
      sha256: '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0',
      url: `${plays}/revisions/${epoch}/41/change/0`,
    },
  ],
  row_count: 3,
  cursor: playsCursor,
  snapshot_digest: '8a7b6c5d4e3f20118a7b6c5d4e3f20118a7b6c5d4e3f20118a7b6c5d4e3f2011',
  snapshot_row_count: 118,
};

const freshness: SnapshotManifest['freshness'] = {
  newest_applied_source_updated_at: '2026-08-05T23:41:02.000000Z',
  last_changed_at: '2026-08-05T23:41:05.480000Z',
  latest_request_started_at: '2026-08-05T23:41:05.120000Z',
  last_pull_success_observed_at: '2026-08-05T23:41:05.310000Z',
  last_normalized_at: '2026-08-05T23:41:05.480000Z',
  health_observed_at: '2026-08-05T23:41:05.480000Z',
};

const snapshot: SnapshotManifest = {
  ...revision,
  files: [
    {
      ...(revision.files[0] as RevisionDocument['files'][number]),
      rows: 118,
      url: `${plays}/revisions/${epoch}/41/snapshot/0`,
    },
  ],
  row_count: 118,
  live_capture_started_at: '2026-08-05T23:05:11.200000Z',
  poll_after: 5,
  published_at: '2026-08-05T23:41:05.610000Z',
  freshness,
};

const changes: ChangeListing = {
  dataset: 'plays',
  scope: msfScope,
  schema_version: 'v1',
  stream_epoch: epoch,
  high_water_revision: 41,
  revisions: [revision],
  cursor: playsCursor,
  poll_after: 5,
  freshness,
};

const key: KeyRecord = {
  key_id: 'k_9f2c',
  tier: 'STARTER',
  rate_limit_per_minute: 300,
  quota: { monthly_rows: 50_000_000, used_rows: 1_204_511, resets: '2026-09-01' },
};

const health: Health = { status: 'ok', degraded: [] };

/** Examples of bodies, by the body's name. */
export const samples: Readonly<Record<string, unknown>> = {
  Game: game,
  GamesPage: { data: [game], next_cursor: null },
  ArtifactVersions: { data: versions },
  LiveManifest: manifest,
  LiveRows: rows,
  BoardManifest: { ...head, board } satisfies BoardManifest,
  GameOdds: oddsOf(gameId),
  OddsPage: { data: [oddsOf(gameId)], next_cursor: null },
  RevisionRecord: revision,
  SnapshotManifest: snapshot,
  ChangeListing: changes,
  KeyRecord: key,
  Health: health,
};
