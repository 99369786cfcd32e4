// What a build of final files reads again: new evidence of a result needs no row of the log, which may have a million of them; and nothing is
// graded as long as no result is told.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import type { Artifact } from '../core/ports/catalog/artifacts.ts';
import type { PublishedRevision, ServedStream } from '../core/ports/catalog/msf.ts';
import type { SettlementInputs } from '../core/ports/catalog/settlement.ts';
import { newCourse } from '../core/settlement/course.ts';
import { parquetWriter } from '../platform/parquet/writer.ts';
import { buildFinals } from '../projectors/settlement/build-finals.ts';
import { gameState } from '../schemas/datasets/game-state.ts';

const nothing = Object.fromEntries(
  gameState.columns.filter(({ nullable }) => nullable).map(({ name }) => [name, null]),
);
const state = (playedStatus: string, away: number, home: number) => ({
  ...nothing,
  game_id: 'G',
  league: 'NBA',
  msf_game_id: 1,
  start_time: 0,
  schedule_status: 'NORMAL',
  played_status: playedStatus,
  home_team_id: '00000000-0000-5000-8000-00000000000a',
  away_team_id: '00000000-0000-5000-8000-00000000000b',
  home_score: home,
  away_score: away,
  home_period_scores: [],
  away_period_scores: [],
});
const graded = {
  game_id: 'G',
  league: 'NBA',
  selection_id: 'moneyline/full/home',
  market: 'moneyline',
  period: 'full',
  selection: 'home',
  player_id: null,
  line: null,
  result: 'win',
  result_value: 1_000,
  result_reason: null,
  settled_at: 5,
  settlement_source: 'game-state/E/1',
  correction: 0,
};

/** Builds a game whose game-state is now at revision 2; `landed`: the datasets that have a version already. The log cannot be read. */
function build(row: ReturnType<typeof state>, landed: readonly string[]) {
  const files = new Map<string, Uint8Array>();
  const refOf = (key: string, bytes: Uint8Array) => {
    files.set(key, bytes);
    return { key, offset: 0, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  };
  const file = refOf('state', parquetWriter.encode('game-state', [row], new Map()));
  const changed = [{ rows: 1, file }];
  const sourceObservation = { source_updated_at: 9 };
  const head = { revision: 2, kind: 'replace', sourceObservation, changeFiles: changed, snapshotFiles: changed };
  const revisions = [{ ...head, revision: 1 }, head] as unknown as PublishedRevision[];
  const stream = { scopeUuid: 'g', dataset: 'game-state', epoch: 'E', head: revisions[1] } as ServedStream;
  const results = refOf('results', parquetWriter.encode('market-results', [graded], new Map()));
  const artifacts = landed.map((dataset): Artifact => {
    return { gameUuid: 'g', dataset, version: 1, rows: 1, file: results, landedAt: 0, reason: 'settled' };
  });
  const inputs: SettlementInputs = {
    closed: { gameUuid: 'g', gameId: 'G', league: 'NBA', generation: 1, rows: 1, logTime: null, course: newCourse() },
    gameId: 'G',
    league: 'NBA',
    homeTeamId: null,
    awayTeamId: null,
    manual: null,
    removed: [],
    lineups: { home: [], away: [] },
    standing: { orders: 'again/0', evidence: 'game-state/E/2' },
    built: { orders: 'again/0', evidence: 'game-state/E/1' },
  };
  return buildFinals(
    {
      settlements: { players: async () => [] },
      artifacts: { served: async () => ({ log: null, artifacts }) },
      live: { servedLog: async () => assert.fail('the log was read') },
      msf: {
        stream: async ({ dataset }) => (dataset === 'game-state' ? stream : null),
        revisions: async () => revisions,
      },
      history: { archives: async () => [] },
      objects: { put: async () => {}, get: async (key) => files.get(key) ?? null },
      parquet: parquetWriter,
    },
    inputs,
    async () => {},
  );
}

it('grades a corrected score from the selections of the version before', async () => {
  const finals = await build(state('COMPLETED', 4, 3), ['sportsbook-lines', 'closing-lines', 'market-results']);
  const results = finals.find(({ dataset }) => dataset === 'market-results');
  assert.deepEqual([results?.version, results?.reason], [2, 'game-state/E/2']);
  const [row] = parquetWriter.decodeOwnColumns(results?.bytes ?? new Uint8Array()).rows;
  assert.deepEqual([row?.selection_id, row?.result, row?.correction], ['moneyline/full/home', 'loss', 1]);
});

it('does not read the log for results while none is told', async () => {
  const finals = await build(state('LIVE', 4, 3), ['sportsbook-lines', 'closing-lines']);
  assert.deepEqual(
    finals.map(({ dataset }) => dataset),
    ['game-state-timeline'],
  );
});
