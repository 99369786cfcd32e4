// The metrics of a process that has one role: what an alert rule or a panel of the dashboard asks for is answered by the processes of the
// roles that it is about, where each role runs alone too. A new query fails here until it is known which roles answer it.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { runningInstances } from '../../../ops/service/instance-file.ts';
import { type Role, roles } from '../../../ops/service/roles.ts';
import { type Sample, samplesIn, selectorsOf, selects } from '../../support/builders/metric-samples.ts';
import { Program } from '../../support/campaigns/program.ts';
import { pushMoneyline } from '../../support/editions/push-moneyline.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { processEnvironment } from '../../support/processes/process-environment.ts';
import { runSds } from '../../support/processes/sds.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** What the rules and the panels ask for: the names of series with what they ask of their labels. */
const selectors = selectorsOf(
  [...read('ops/alerts/sds.rules.yaml').matchAll(/^ +expr: (.+)$/gm)].map(([, expr = '']) => expr).join('\n') +
    [...read('ops/dashboards/sds.json').matchAll(/"expr": "(.+)"/g)]
      .map(([, expr]) => JSON.parse(`"${expr}"`))
      .join('\n'),
);

const withLog = ['ingest', 'projectors', 'ticker'] as const;

/** The roles that answer each of them alone. Null: none has to without a fault, or before a day is over (faults.e2e). */
const answeredBy: Readonly<Record<string, readonly Role[] | null>> = {
  sds_build_info: roles,
  'sds_build_info{roles=~".*projectors.*"}': ['projectors'],
  'sds_build_info{roles=~".*api.*"}': ['api'],
  'sds_build_info{roles=~".*ingest.*"}': ['ingest'],
  process_resident_memory_bytes: roles,
  'nodejs_eventloop_delay_seconds{quantile="0.99"}': roles,
  db_client_connection_count: roles,
  db_client_connection_pending_requests: roles,
  sds_degraded: null,
  sds_tick_age_seconds: roles,
  sds_clock_skew_seconds: roles,
  sds_halted_partitions: roles,
  sds_lag_records: withLog,
  sds_lag_seconds: withLog,
  sds_outbox_records: withLog,
  sds_outbox_age_seconds: withLog,
  sds_owner_epoch: roles,
  sds_fences_total: null,
  sds_halts_total: null,
  sds_freshness_seconds_bucket: ['projectors'],
  'sds_freshness_seconds_bucket{projector="live",le=~"5(\\\\.0)?"}': ['projectors'],
  'sds_freshness_seconds_count{projector="live"}': ['projectors'],
  sds_flush_duration_seconds_bucket: ['projectors'],
  sds_flush_bytes_sum: ['projectors'],
  sds_archived_records_total: null,
  sds_archive_failures_total: null,
  sds_dead_letters_dropped_total: roles,
  sds_dead_letters_total: ['ingest'],
  sds_push_elements_total: ['ingest'],
  'http_server_request_body_size_bytes_bucket{listener="gateway"}': ['ingest'],
  http_server_request_duration_seconds_count: ['api', 'ingest'],
  'http_server_request_duration_seconds_count{http_route!~"/health.*"}': ['api', 'ingest'],
  'http_server_request_duration_seconds_count{http_route!~"/health.*",http_response_status_code=~"5.."}': null,
  'http_server_request_duration_seconds_bucket{listener="api"}': ['api'],
  sds_charged_rows_total: ['api'],
  sds_charges_total: ['api'],
  sds_cache_requests_total: ['api'],
  'sds_cache_requests_total{result="hit"}': ['api'],
  sds_held_requests: ['api'],
};

const postgres = await services.postgres();
const folder = makeDataFolder('metrics-of-roles');

it('each query of the rules and the dashboard is known', () => {
  assert.deepEqual(selectors.toSorted(), Object.keys(answeredBy).toSorted());
});

describe('a process of one role', skipFor(postgres.skip), () => {
  let drop = async () => {};
  let programs: Readonly<Record<Role, Program>>;
  const scraped = new Map<Role, readonly Sample[]>();
  const instanceOf = (role: Role) => runningInstances(folder).find(({ pid }) => pid === programs[role].pid);

  beforeAll(async () => {
    const database = await postgres.createDatabase();
    drop = () => database.drop();
    const environment = processEnvironment(database.url, folder);
    const programOf = (role: Role) => new Program(role, environment, { roles: [role] });
    programs = {
      projectors: programOf('projectors'),
      ingest: programOf('ingest'),
      ticker: programOf('ticker'),
      api: programOf('api'),
    };
    // One after the other, because the first makes the schema.
    for (const program of Object.values(programs)) {
      program.start();
      await program.untilReady();
    }
    const sds = async (...args: string[]) => {
      const ran = await runSds(environment, [...args, '--json']);
      assert.equal(ran.code, 0, ran.err);
      return JSON.parse(ran.out) as Record<string, string>;
    };
    const { account_id: account = '' } = await sds('accounts', 'create', '--name', 'Ann', '--tier', 'PRO');
    const { key: apiKey } = await sds('keys', 'mint', '--account', account);
    const { feed_key: key = '' } = await sds('feed-keys', 'mint', '--source', 'feed');
    const gateway = instanceOf('ingest')?.ingest_url ?? '';
    await pushMoneyline({ gateway, key }, 110);
    const refused = await fetch(`${gateway}/v1/sources/feed/quotes`, {
      method: 'POST',
      body: '{"events":[{}]}',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    assert.equal(refused.status, 400);
    const get = (path: string) =>
      fetch(`${instanceOf('api')?.api_url}${path}`, { headers: { authorization: `Bearer ${apiKey}` } });
    const game = '/v1/games/MLB_BOS_NYY_20400805/sportsbook-lines';
    await until('the game is served', async () => (await get(`${game}/segments`)).status === 200);
    const { segments } = (await (await get(`${game}/segments`)).json()) as { segments: { url: string }[] };
    for (let count = 0; count < 2; count += 1) assert.equal((await get(segments[0]?.url ?? '')).status, 200);
    for (const role of roles)
      await until(`${role} knows the checkpoints`, async () => {
        const samples = samplesIn(await (await fetch(`${instanceOf(role)?.internal_url}/metrics`)).text());
        scraped.set(role, samples);
        return samples.some(({ name }) => name === 'sds_tick_age_seconds') && knowsStreams(role, samples);
      });
  });
  afterAll(async () => {
    for (const program of Object.values(programs)) await program.kill();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const asked = Object.entries(answeredBy).flatMap(([selector, by]) => (by === null ? [] : [[selector, by] as const]));
  it.each(asked)('answers %s if the query is about it, and only then', (selector, by) => {
    const answering = roles.filter((role) => scraped.get(role)?.some((sample) => selects(selector, sample)));
    assert.deepEqual(
      answering,
      roles.filter((role) => by.includes(role)),
    );
  });

  it.each(roles)('says that it is one of %s alone', (role) => {
    const builds = scraped.get(role)?.filter(({ name }) => name === 'sds_build_info') ?? [];
    assert.deepEqual(
      builds.map(({ labels }) => labels.roles),
      [role],
    );
  });
});

/** Whether it has looked at the log since the streams are known; an API does not see the log. */
function knowsStreams(role: Role, samples: readonly Sample[]): boolean {
  return samples.some(({ name }) => name === (role === 'api' ? 'sds_halted_partitions' : 'sds_lag_records'));
}
