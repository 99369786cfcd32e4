// `sds dlq replay` beside a running instance: nothing without --yes; killed between the log and its letters it goes on, and nothing is applied
// twice (docs/operations.md#replaying-dead-letters).
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { EmbeddedTool } from '../../support/editions/embedded-tool.ts';
import { manifestOf, rowsOf } from '../../support/editions/published-game.ts';
import { until } from '../../support/services/until.ts';

const tool = new EmbeddedTool('dlq-replay');
const game = 'NBA_BOS_CLE_20260109';
const teams = { home_team: 'Cleveland Cavaliers', away_team: 'Boston Celtics' };
const event = { league: 'NBA', event_id: 'e', ...teams, commence_time: '2026-01-10T00:00:00Z' };

describe('replaying dead letters beside an instance', () => {
  async function push(source: string, operator: string, of: object): Promise<number> {
    const quotes = [{ market: 'moneyline', selection: 'home', price: { american: -110 } }];
    return (await tool.push(source, 'quotes', { events: [{ kind: 'image', operator, game: of, quotes }] })).status;
  }

  const operators = async (): Promise<unknown[]> =>
    (await rowsOf(tool.api, await manifestOf(tool.api, game))).map(({ operator }) => operator).sort();

  beforeAll(async () => {
    await tool.start();
    assert.equal(await push('feed', 'X', { game_id: game }), 400);
    assert.equal(await push('other', 'Y', event), 202);
    await until('the game is served', async () => (await operators().catch(() => [])).length === 1);
  });
  afterAll(() => tool.stop());

  it('shows what it would do, and goes on behind a kill', async () => {
    const plan = await tool.sds('dlq', 'replay', '--source', 'feed');
    assert.equal(plan.code, 3);
    assert.match(plan.err, /1 open dead letters \(source feed\) go into the log again.*add --yes/);
    assert.match((await tool.sds('dlq', 'replay', '--yes')).err, /say which/);

    const replay = ['dlq', 'replay', '--source', 'feed', '--yes', '--json'];
    const killed = await tool.sdsWith({ SDS_CRASH_AT: 'letters:appended' }, replay);
    assert.equal(killed.signal, 'SIGKILL', killed.err);
    await until('it is applied', async () => (await operators()).length === 2);
    const state = async () => {
      const { data } = JSON.parse((await tool.sds('dlq', 'list', '--source', 'feed', '--json')).out);
      return (data as { state: string }[]).map((letter) => letter.state);
    };
    assert.deepEqual(await state(), ['open']);

    const ran = await tool.sdsOnceFree(replay);
    assert.deepEqual(JSON.parse(ran.out), { replayed: 1, left: [] }, ran.err);
    assert.deepEqual(await state(), ['replayed']);
    assert.deepEqual(JSON.parse((await tool.sds(...replay)).out), { replayed: 0, left: [] });
    // A later record in the log: once it is folded, everything before it is.
    assert.equal(await push('other', 'W', event), 202);
    await until('the last push is applied', async () => (await operators()).includes('W'));
    assert.deepEqual(await operators(), ['W', 'X', 'Y']);
  });
});
