// Values that the documents show as examples. Their types are those of the answers, and a test holds them to the schemas.
import type { KeyRecord } from '../../schemas/http/account.ts';
import type { Game } from '../../schemas/http/games.ts';
import type { BoardManifest, LiveManifest } from '../../schemas/http/live.ts';
import type { Health } from '../../schemas/http/service.ts';

const gameId = 'MLB_STL_NYY_20260805';
const lines = `/v1/games/${gameId}/sportsbook-lines`;

/** Values of parameters, by name. */
export const sampleParameters: Readonly<Record<string, unknown>> = {
  game_id: gameId,
  dataset: 'closing-lines',
  name: 'sportsbook-lines',
  seq: 2,
  operator: 'DRAFTKINGS',
  suffix: 'live-cursor-reset',
  league: 'MLB',
  date_from: '2026-08-01',
  date_to: '2026-08-31',
};

const game: Game = {
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

const key: KeyRecord = {
  key_id: 'k_9f2c',
  tier: 'STARTER',
  rate_limit_per_minute: 300,
  quota: { monthly_rows: 50_000_000, used_rows: 1_204_511, resets: '2026-09-01' },
};

const health: Health = { status: 'ok', degraded: [] };

const samples: Readonly<Record<string, unknown>> = {
  Game: game,
  GamesPage: { data: [game], next_cursor: null },
  LiveManifest: manifest,
  BoardManifest: { ...head, board } satisfies BoardManifest,
  KeyRecord: key,
  Health: health,
};

/** An example of the body of this name, where there is one. */
export function sampleOf(body: string): unknown {
  return samples[body];
}

/** The names of the bodies that have an example. */
export const sampled: readonly string[] = Object.keys(samples);
