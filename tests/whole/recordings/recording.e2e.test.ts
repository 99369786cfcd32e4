// An evening of odds through the whole service, the real one where it is there: `sds feed replay` pushes it, the TypeScript client
// follows every game meanwhile. What both must come to is known; any speed, batch and number of partitions gives the same rows, cut at
// the same rows.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { it } from 'vitest';
import { distributedEdition, distributedSkip } from '../../support/editions/distributed.ts';
import { startEdition } from '../../support/editions/edition.ts';
import { manifestOf } from '../../support/editions/published-game.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { oddsEvenings } from '../../support/recordings/odds-evenings.ts';
import { leashProcess } from '../../support/services/leash.ts';
import { until } from '../../support/services/until.ts';
import { leftOut, outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const evening = oddsEvenings.find(({ absent }) => absent === false) ?? assert.fail('the seeded one is always there');
const run = promisify(execFile);

type Serving = { api_url: string; api_key: string; ingest_url: string };
type Followed = {
  rows: number;
  changes: Record<string, number>;
  games: Record<string, number>;
};

it(
  'gives a reader all rows while it is replayed, and none when it is replayed again: embedded',
  skipFor(outOfTurn()),
  async () => {
    const folder = makeDataFolder('recording');
    // If tests run as root, the database's own user has to reach it.
    const ready = join(folder, 'ready');
    const settings = {
      SDS_DATA_DIR: join(folder, 'data'),
      SDS_READY_FILE: ready,
      SDS_API_PORT: '0',
      SDS_INGEST_PORT: '0',
      SDS_DEMO: 'off',
      LOG_LEVEL: 'error',
    };
    const environment = {
      ...settings,
      SDS_RATE_LIMITS: 'PRO:1000000,address:1000000',
      SDS_FEED_LIMITS: 'requests:1000000,bytes:100000000000,elements:1000000000',
    };
    const service = spawn(process.execPath, ['ops/cli.ts', 'start'], {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: 'ignore',
    });
    const unleash = leashProcess(service.pid ?? 0, 'KILL');
    try {
      await until('the service is ready', () => existsSync(ready));
      const speed = process.env.SDS_CAMPAIGN === undefined ? '3000' : '600';
      await playAndFollow(JSON.parse(readFileSync(ready, 'utf8')) as Serving, environment, speed);
    } finally {
      service.kill('SIGTERM');
      await new Promise((done) => service.once('exit', done));
      unleash();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

const counts = ['1', '5'] as const;
for (const partitions of counts) {
  it(
    `gives the same rows, cut at the same rows, over ${partitions} partitions of Kafka`,
    skipFor(distributedSkip || outOfTurn() || leftOut(partitions, counts)),
    async () => {
      const own = await distributedEdition(Number(partitions));
      const edition = await startEdition({ ...own, flushEveryMs: 100 });
      const folder = makeDataFolder('recording');
      try {
        const serving = { api_url: edition.apiUrl, api_key: edition.apiKey, ingest_url: edition.ingestUrl };
        await playAndFollow(serving, { ...own.environment, SDS_DATA_DIR: folder }, 'max');
      } finally {
        await edition.stop();
        await own.drop();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
}

async function playAndFollow(serving: Serving, environment: Record<string, string>, speed: string): Promise<void> {
  const reader = run(
    process.execPath,
    ['tests/support/clients/follow-all.ts', serving.api_url, serving.api_key, String(evening.rows)],
    {
      cwd: root,
    },
  );
  const replay = async (pace: string): Promise<Record<string, number>> => {
    const options = [
      '--format',
      'the-odds-api-v4',
      '--source',
      'recorded',
      '--league',
      'MLB',
      '--speed',
      pace,
      '--url',
      serving.ingest_url,
      '--json',
    ];
    const played = await run(process.execPath, ['ops/cli.ts', 'feed', 'replay', evening.file, ...options], {
      cwd: root,
      env: { ...process.env, ...environment },
    });
    return JSON.parse(played.stdout) as Record<string, number>;
  };
  assert.deepEqual(await replay(speed), {
    pushes: evening.polls,
    accepted: evening.elements,
    applied: evening.elements,
    duplicates: 0,
    refused: 0,
    rejected: 0,
  });
  const seen = JSON.parse((await reader).stdout) as Followed;
  assert.deepEqual(seen.changes, evening.changes);
  assert.equal(Object.keys(seen.games).length, evening.games);
  const { id, rows, segments, boards, open } = evening.watched;
  assert.equal(seen.games[id], rows);
  assert.equal((await replay('max')).duplicates, evening.elements);
  const api = { apiUrl: serving.api_url, apiKey: serving.api_key };
  const { board, segments: listed } = await manifestOf(api, id);
  assert.deepEqual(
    listed.map((segment) => segment.rows),
    segments,
  );
  assert.deepEqual([board.rows, board.files.filter((file) => file.rows > 0).length], [open, boards]);
}
