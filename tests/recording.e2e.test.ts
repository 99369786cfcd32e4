// The recorded evening of real odds, through the whole service: `sds feed replay` pushes it, a reader outside this code base follows every
// game's cursor meanwhile. What both must come to is known (issue and data README); any speed gives the same rows, cut at the same rows.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { until } from './support/services/until.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const recording = join(root, '../shared/data/odds-mlb-2026/snapshots_20260805T2000Z_20260806T0500Z.ndjson.gz');
const absent = existsSync(recording) ? false : '../shared/data/odds-mlb-2026 is absent';
const run = promisify(execFile);

type Ready = { pid: number; api_url: string; api_key: string };
type Followed = {
  rows: number;
  changes: Record<string, number>;
  games: Record<string, { rows: number; segments: number[] }>;
};

describe('the recorded evening', { skip: absent }, () => {
  it('gives its 24,262 rows to a reader that follows cursors while it is replayed, and none when it is replayed again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sds-recording-'));
    const environment = {
      ...process.env,
      SDS_DATA_DIR: join(folder, 'data'),
      SDS_READY_FILE: join(folder, 'ready'),
      SDS_API_PORT: '0',
      SDS_INGEST_PORT: '0',
      SDS_DEMO: 'off',
      LOG_LEVEL: 'error',
      SDS_RATE_LIMITS: 'PRO:1000000,address:1000000',
    };
    const service = spawn(process.execPath, ['ops/cli.ts', 'start'], { cwd: root, env: environment, stdio: 'ignore' });
    try {
      await until('the service is ready', () => existsSync(environment.SDS_READY_FILE), { timeoutMs: 60_000 });
      const ready = JSON.parse(readFileSync(environment.SDS_READY_FILE, 'utf8')) as Ready;
      const reader = run(process.execPath, ['tests/reader/follow.mjs', ready.api_url, ready.api_key, '24262'], {
        cwd: root,
      });
      const replay = async (speed: string): Promise<Record<string, number>> => {
        const command = [
          'ops/cli.ts',
          'feed',
          'replay',
          recording,
          '--format',
          'the-odds-api-v4',
          '--source',
          'recorded',
          '--league',
          'MLB',
          '--speed',
          speed,
          '--json',
        ];
        return JSON.parse((await run(process.execPath, command, { cwd: root, env: environment })).stdout) as Record<
          string,
          number
        >;
      };
      const first = await replay(process.env.SDS_CAMPAIGN === undefined ? '3000' : '600');
      assert.deepEqual(first, { pushes: 108, accepted: 2_138, applied: 2_138, duplicates: 0, refused: 0, rejected: 0 });
      const seen = JSON.parse((await reader).stdout) as Followed;
      assert.deepEqual(seen.changes, {
        opened: 1_530,
        price: 16_908,
        line: 191,
        price_and_line: 4_829,
        withdrawn: 636,
        resumed: 168,
      });
      assert.equal(Object.keys(seen.games).length, 26);
      assert.deepEqual(seen.games.MLB_STL_NYY_20260805, { rows: 2_143, segments: [512, 512, 512, 512, 95] });
      assert.equal((await replay('max')).duplicates, 2_138);
      assert.equal((await board(ready, 'MLB_STL_NYY_20260805')).rows, 36);
    } finally {
      service.kill('SIGTERM');
      await new Promise((done) => service.once('exit', done));
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

async function board(ready: Ready, game: string): Promise<{ rows: number }> {
  const response = await fetch(`${ready.api_url}/v1/games/${game}/sportsbook-lines/board`, {
    headers: { authorization: `Bearer ${ready.api_key}` },
  });
  return ((await response.json()) as { board: { rows: number } }).board;
}
