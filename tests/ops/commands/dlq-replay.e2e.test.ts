// `sds dlq replay` beside a running instance: nothing without --yes; killed between the log and its letters it goes on, and nothing is applied
// twice (docs/operations.md#replaying-dead-letters).
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { Program } from '../../support/campaigns/program.ts';
import { manifestOf, rowsOf } from '../../support/editions/published-game.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { type Ran, runSds } from '../../support/processes/sds.ts';
import { until } from '../../support/services/until.ts';

const dir = makeDataFolder('dlq-replay');
const environment = {
  SDS_EDITION: 'embedded',
  SDS_DATA_DIR: join(dir, 'data'),
  SDS_API_PORT: '0',
  SDS_INGEST_PORT: '0',
  SDS_READY_FILE: join(dir, 'ready.json'),
  SDS_DEMO: 'off',
  DATABASE_URL: '',
  LOG_LEVEL: 'error',
};
const game = 'NBA_BOS_CLE_20260109';
const teams = { home_team: 'Cleveland Cavaliers', away_team: 'Boston Celtics' };
const event = { league: 'NBA', event_id: 'e', ...teams, commence_time: '2026-01-10T00:00:00Z' };

const sds = (...args: string[]): Promise<Ran> => runSds(environment, args);

describe('replaying dead letters beside an instance', () => {
  const instance = new Program('instance', environment, { roles: ['all'] });
  const ready = () => JSON.parse(readFileSync(environment.SDS_READY_FILE, 'utf8')) as Record<string, string>;
  const api = () => ({ apiUrl: ready().api_url ?? '', apiKey: ready().api_key ?? '' });

  async function push(source: string, operator: string, of: object): Promise<number> {
    const quotes = [{ market: 'moneyline', selection: 'home', price: { american: -110 } }];
    const response = await fetch(`${ready().ingest_url}/v1/sources/${source}/quotes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ready().feed_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events: [{ kind: 'image', operator, game: of, quotes }] }),
    });
    await response.body?.cancel();
    return response.status;
  }

  const operators = async (): Promise<unknown[]> =>
    (await rowsOf(api(), await manifestOf(api(), game))).map(({ operator }) => operator).sort();

  beforeAll(async () => {
    instance.start();
    await instance.untilReady();
    assert.equal(await push('feed', 'X', { game_id: game }), 400);
    assert.equal(await push('other', 'Y', event), 202);
    await until('the game is served', async () => (await operators().catch(() => [])).length === 1);
  });
  afterAll(async () => {
    await instance.kill();
    rmSync(dir, { recursive: true, force: true });
  });

  it('shows what it would do, and goes on behind a kill', async () => {
    const plan = await sds('dlq', 'replay', '--source', 'feed');
    assert.equal(plan.code, 3);
    assert.match(plan.err, /1 open dead letters \(source feed\) go into the log again.*add --yes/);
    assert.match((await sds('dlq', 'replay', '--yes')).err, /say which/);

    const replay = ['dlq', 'replay', '--source', 'feed', '--yes', '--json'];
    const killed = await runSds({ ...environment, SDS_CRASH_AT: 'letters:appended' }, replay);
    assert.equal(killed.signal, 'SIGKILL', killed.err);
    await until('it is applied', async () => (await operators()).length === 2);
    const state = async () => {
      const { data } = JSON.parse((await sds('dlq', 'list', '--source', 'feed', '--json')).out);
      return (data as { state: string }[]).map((letter) => letter.state);
    };
    assert.deepEqual(await state(), ['open']);

    let ran: Ran | null = null;
    await until(
      'the lease of the killed one has run out',
      async () => {
        ran = await sds(...replay);
        return ran.code !== 3;
      },
      { everyMs: 500 },
    );
    assert.deepEqual(JSON.parse(ran!.out), { replayed: 1, left: [] }, ran!.err);
    assert.deepEqual(await state(), ['replayed']);
    assert.deepEqual(JSON.parse((await sds(...replay)).out), { replayed: 0, left: [] });
    // Behind it in the log: all that went before is folded.
    assert.equal(await push('other', 'W', event), 202);
    await until('the last push is applied', async () => (await operators()).includes('W'));
    assert.deepEqual(await operators(), ['W', 'X', 'Y']);
  });
});
