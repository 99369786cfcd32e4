// The internal listener (docs/operations.md#internal-listener): of each process, in every role and from its first moment; health and
// readiness, and nothing else.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, it } from 'vitest';
import { runningInstances } from '../../../ops/service/instance-file.ts';
import { openPool } from '../../../platform/postgres/sql.ts';
import { counters, gauges, histograms } from '../../../schemas/metrics/metrics.ts';
import { Program } from '../../support/campaigns/program.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { processEnvironment } from '../../support/processes/process-environment.ts';
import { runSds } from '../../support/processes/sds.ts';
import { freePort } from '../../support/services/ports.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const postgres = await services.postgres();
const dir = makeDataFolder('internal');
afterAll(() => rmSync(dir, { recursive: true, force: true }));

type HealthBody = {
  status: string;
  degraded: string[];
  roles: string[];
  reasons: { reason: string; seen_by: string[] }[];
};

const environmentOf = (name: string, database: string) => processEnvironment(database, join(dir, name));

const internalUrl = (name: string): string => runningInstances(join(dir, name))[0]?.internal_url ?? '';
/** What the health check of the image says of the processes of the data directory: its exit code and its line. */
function healthCheck(name: string): [number | null, string] {
  const script = fileURLToPath(new URL('../../../scripts/health.mjs', import.meta.url));
  const env = { ...process.env, SDS_DATA_DIR: join(dir, name) };
  const { status, stderr } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' });
  return [status, stderr.trim()];
}

const healthOf = async (url: string): Promise<HealthBody> =>
  (await (await fetch(`${url}/health`)).json()) as HealthBody;

describe('the internal listener', skipFor(postgres.skip), () => {
  it('is in every role, two on one host, and tells what is degraded for all of them', async () => {
    const database = await postgres.createDatabase();
    const start = (name: string) => new Program(name, environmentOf(name, database.url), { roles: [name] });
    const programs = ['ticker', 'api', 'ingest'].map(start);
    const [ticker, ...others] = programs as [Program, ...Program[]];
    try {
      ticker.start();
      await ticker.untilReady();
      for (const program of others) program.start();
      for (const program of others) await program.untilReady();
      for (const name of ['api', 'ingest', 'ticker']) {
        await until(`${name} is well`, async () => (await healthOf(internalUrl(name))).status === 'ok');
        assert.deepEqual((await healthOf(internalUrl(name))).roles, [name]);
      }
      const url = internalUrl('ticker');
      assert.deepEqual(await (await fetch(`${url}/health/ready`)).json(), { status: 'ready' });
      const head = await fetch(`${url}/health`, { method: 'HEAD' });
      assert.deepEqual([head.status, await head.text()], [200, '']);
      assert.equal((await fetch(`${url}/v1/games`)).status, 404);
      assert.equal((await fetch(`${url}/health`, { method: 'POST' })).status, 404);

      const degradedIn = async (name: string) =>
        (await (await fetch(`${internalUrl(name)}/metrics`)).text()).match(/^sds_degraded\{.*$/gm) ?? [];
      for (const name of ['api', 'ingest']) assert.deepEqual(await degradedIn(name), []);
      const status = () => runSds(environmentOf('status', database.url), ['status', '--check']);
      assert.equal((await status()).code, 0);
      await ticker.kill();
      for (const name of ['api', 'ingest']) {
        await until(`${name} tells of the ticks`, async () =>
          (await healthOf(internalUrl(name))).degraded.includes('ticks'),
        );
        assert.deepEqual(await degradedIn(name), ['sds_degraded{reason="ticks"} 1']);
      }
      const ran = await status();
      assert.equal(ran.code, 1, ran.out);
      assert.match(ran.err, /^sds: the service is degraded: ticks\n$/);
      assert.match(ran.out, /^degraded: ticks since 20.*Z \(.*ingest.*\): the newest is [0-9.]+ s old$/m);
      ticker.start();
      for (const name of ['api', 'ingest'])
        await until(`${name} tells of them no more`, async () => (await degradedIn(name)).length === 0);
    } finally {
      for (const program of programs) await program.kill();
      await database.drop();
    }
  });

  it('has the metrics of all threads, and no game, key, account or address in a label', async () => {
    const database = await postgres.createDatabase();
    const readyFile = join(dir, 'ready.json');
    const environment = { ...environmentOf('all', database.url), SDS_READY_FILE: readyFile };
    const program = new Program('all', environment, { roles: ['all'] });
    try {
      program.start();
      await program.untilReady();
      const ready = JSON.parse(readFileSync(readyFile, 'utf8')) as Record<string, string>;
      const { api_url: api, ingest_url: gateway, api_key: apiKey, feed_key: feedKey } = ready;
      const pushed = await fetch(`${gateway}/v1/sources/myfeed/quotes`, {
        method: 'POST',
        body: JSON.stringify({ events: [image, {}] }),
        headers: { authorization: `Bearer ${feedKey}`, 'content-type': 'application/json' },
      });
      assert.equal(pushed.status, 202);
      const read = (path: string) => fetch(`${api}${path}`, { headers: { authorization: `Bearer ${apiKey}` } });
      const game = '/v1/games/MLB_BOS_NYY_20400805';
      const board = `${game}/sportsbook-lines/board`;
      await until('the board is served', async () => (await read(board)).status === 200);
      for (const path of [board, `${game}/sportsbook-lines/segments`, `${game}-${apiKey}`, '/v1/nonsense/NYY'])
        await (await read(path)).arrayBuffer();
      const { segments } = (await (await read(`${game}/sportsbook-lines/segments`)).json()) as {
        segments: { url: string }[];
      };
      assert.equal((await read(segments[0]?.url ?? '')).status, 200);
      const metrics = async () => (await fetch(`${internalUrl('all')}/metrics`)).text();
      await until('the checkpoints and a tick are known', async () => {
        const told = await metrics();
        return told.includes('\nsds_lag_records{') && told.includes('\nsds_tick_age_seconds ');
      });
      const response = await fetch(`${internalUrl('all')}/metrics`);
      assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
      const text = await response.text();
      const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      const measured = new Set(series.map((line) => line.split(/[{ ]/)[0]?.replace(/_(bucket|sum|count)$/, '')));
      // These have no value without a fault, or before a day is over.
      const ofArchive = ['sds_archived_records_total', 'sds_archive_failures_total'];
      const silent = new Set(['sds_fences_total', 'sds_halts_total', 'sds_degraded', ...ofArchive]);
      const missing = Object.keys({ ...counters, ...histograms, ...gauges }).filter(
        (name) => !measured.has(name.replace(/_(bucket|sum|count)$/, '')) && !silent.has(name),
      );
      assert.deepEqual(missing, [], text);
      for (const line of [
        /^sds_push_elements_total\{result="accepted"\} 1$/m,
        /^sds_dead_letters_total\{origin="gateway",code="bad-event"\} 1$/m,
        /^sds_push_elements_total\{result="refused"\} 1$/m,
        /^http_server_request_body_size_bytes_count\{listener="gateway",http_route="\/v1\/sources\/:source\/quotes"\} 1$/m,
        /^sds_flush_duration_seconds_count\{projector="live"\} [1-9]/m,
        /^sds_flush_bytes_sum\{projector="live"\} [1-9]/m,
        /^sds_cache_requests_total\{cache="answers",result="hit"\} [1-9]/m,
        /^sds_cache_requests_total\{cache="files",result="miss"\} 1$/m,
        /^sds_tick_age_seconds [0-9]/m,
        /^sds_outbox_records [0-9]/m,
        /^sds_lag_records\{projector="live",partition="0"\} [0-9]/m,
        /^sds_held_requests\{kind="stream"\} 0$/m,
        /^db_client_connection_count\{thread="api",state="idle"\} [0-9]/m,
        /^db_client_connection_pending_requests\{thread="main"\} 0$/m,
        /^sds_build_info\{version="[^"]+",roles="api\+ingest\+projectors\+ticker"\} 1$/m,
        /^sds_charges_total\{kind="live",result="charged"\} 1$/m,
        /^sds_charged_rows_total\{kind="live"\} 1$/m,
        /^sds_freshness_seconds_count\{projector="live",source="myfeed"\} [1-9]/m,
        /^http_server_request_duration_seconds_count\{listener="api",http_route="\/v1\/games\/:game_id\/sportsbook-lines\/board",class="free",.*,http_response_status_code="200"\} [1-9]/m,
        /^http_server_request_duration_seconds_count\{listener="api",http_route="none",.*"404"\} [1-9]/m,
        /^nodejs_eventloop_delay_seconds\{thread="api",quantile="0.99"\} /m,
        /^nodejs_eventloop_delay_seconds\{thread="main",quantile="0.99"\} /m,
      ])
        assert.match(text, line);
      const streams = async () => /^sds_held_requests\{kind="stream"\} (\d+)$/m.exec(await metrics())?.[1];
      const stream = await read(`/v1/events?games=${game.split('/').at(-1)}`);
      assert.deepEqual([stream.status, await streams()], [200, '1']);
      await stream.body?.cancel();
      await until('the stream has ended', async () => (await streams()) === '0');
      const hidden = /MLB_|NYY|127\.0\.0\.1|svc_(live|feed)_|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}|e1"/;
      assert.deepEqual(
        series.filter((line) => hidden.test(line)),
        [],
      );
    } finally {
      await program.kill();
      await database.drop();
    }
  });

  it('tells of a process that waits for its database, which is healthy and not ready meanwhile', async () => {
    const port = await freePort();
    const waits = new Program(
      'waits',
      {
        ...environmentOf('waits', 'postgres://sds@127.0.0.1:1/none'),
        SDS_INTERNAL_PORT: String(port),
      },
      { roles: ['projectors'] },
    );
    const url = `http://127.0.0.1:${port}`;
    try {
      waits.start();
      await until('it answers', async () => (await healthOf(url)).degraded.join() === 'starting');
      const told = (await (await fetch(`${url}/metrics`)).text()).match(/^sds_degraded\{.*$/gm);
      assert.deepEqual(told, ['sds_degraded{reason="starting"} 1']);
      const ready = await fetch(`${url}/health/ready`);
      assert.deepEqual([ready.status, ready.headers.get('content-type')], [503, 'application/problem+json']);
      const taken = await runSds({ ...environmentOf('taken', ''), SDS_INTERNAL_PORT: String(port) }, [
        'start',
        'ticker',
      ]);
      assert.equal(taken.code, 2);
      assert.deepEqual(healthCheck('taken'), [1, 'not healthy: nothing runs here']);
      assert.match(taken.err, new RegExp(`^sds: SDS_INTERNAL_PORT is ${port}, and that port is taken; for example`));
      const [instance, ...others] = runningInstances(join(dir, 'waits'));
      const { state, api_url: api, ingest_url: gateway, internal_url: internal } = instance ?? {};
      assert.deepEqual([state, api, gateway, internal, others], ['starting', null, null, url, []]);
      assert.deepEqual(healthCheck('waits'), [0, '']);
      waits.terminate();
      await waits.ended();
      assert.deepEqual(readdirSync(join(dir, 'waits', 'instances')), []);
      assert.deepEqual(healthCheck('waits'), [1, 'not healthy: nothing runs here']);
    } finally {
      await waits.kill();
    }
  });

  it('may be off: then a process that lives is healthy, and one whose start is refused leaves nothing behind', async () => {
    const environment = (name: string, database: string) => ({
      ...environmentOf(name, database),
      SDS_INTERNAL_PORT: 'off',
    });
    const waits = new Program('off', environment('off', 'postgres://sds@127.0.0.1:1/none'), { roles: ['ticker'] });
    const database = await postgres.createDatabase();
    try {
      waits.start();
      await until('it is healthy', () => healthCheck('off')[0] === 0);
      await sql(database.url, 'create table schema_migrations (number integer, name text, checksum text)');
      await sql(database.url, "insert into schema_migrations values (9999, 'later', 'x')");
      const refused = await runSds(environment('refused', database.url), ['start', 'ticker']);
      assert.equal(refused.code, 3, refused.err);
      assert.deepEqual(readdirSync(join(dir, 'refused', 'instances')), []);
    } finally {
      await waits.kill();
      await database.drop();
    }
  });
});

async function sql(url: string, statement: string): Promise<void> {
  const pool = openPool({ connection: url, maxConnections: 1 });
  await pool.query(statement).finally(() => pool.close());
}

const image = {
  kind: 'image',
  operator: 'book',
  game: {
    league: 'MLB',
    event_id: 'e1',
    home_team: 'NYY',
    away_team: 'BOS',
    commence_time: '2040-08-05T23:00:00Z',
  },
  quotes: [{ market: 'moneyline', selection: 'home', price: { american: 110 } }],
};
