// `sds dlq replay` and `dlq discard` beside a running instance: nothing without --yes; killed between the log and its letters a replay goes on, and
// nothing is applied twice; interrupted, both keep what they have done and continue; one of them runs at a time
// (docs/operations.md#replaying-dead-letters).
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { openLeasesCatalog } from '../../../platform/postgres/leases.ts';
import { databaseOf, interruptedAtLock } from '../../support/editions/command-at-lock.ts';
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

  const isHeld = async (): Promise<boolean> => {
    await using database = await databaseOf(tool);
    return openLeasesCatalog(database.sql).isHeld('dead-letters');
  };

  it('keeps what is replayed when it is interrupted, gives its lease up, and continues', async () => {
    const events = Array.from({ length: 450 }, (_, line) => {
      const quotes = [
        { market: 'total', selection: 'over', line: line + 0.5, alternate: true, price: { american: -110 } },
      ];
      return { kind: 'delta', operator: 'X', game: { game_id: 'NBA_MIA_ORL_20260109' }, quotes };
    });
    assert.equal((await tool.push('many', 'quotes', { events })).status, 400);
    const found = { ...event, event_id: 'm', home_team: 'Orlando Magic', away_team: 'Miami Heat' };
    assert.equal(await push('other', 'Y', found), 202);

    const replay = ['dlq', 'replay', '--source', 'many', '--yes', '--json'];
    const ran = await interruptedAtLock(tool, 'dead_letters in share mode', replay);
    assert.deepEqual([ran.code, ran.signal], [1, null], ran.err);
    assert.match(ran.err, /^sds: interrupted: run it again for the others$/m);
    const { replayed } = JSON.parse(ran.out) as { replayed: number };
    assert.ok(replayed > 0 && replayed < events.length, `${replayed} replayed`);
    assert.equal(await isHeld(), false);

    const rest = await tool.sds(...replay);
    assert.deepEqual(JSON.parse(rest.out), { replayed: events.length - replayed, left: [] }, rest.err);
  });

  it('keeps what is discarded when it is interrupted, gives the lease up, and continues', async () => {
    const letters = 12_000;
    {
      await using database = await databaseOf(tool);
      await database.sql.query(
        `insert into dead_letters (topic, code, detail, source, payload, payload_sha256, told)
         select 'sds.quotes.v1', 'bad-event', 'made by a test', 'unwanted', '{}'::bytea, repeat('0', 64), true from generate_series(1, $1)`,
        [letters],
      );
    }
    const discard = ['dlq', 'discard', '--source', 'unwanted', '--yes', '--json'];
    const ran = await interruptedAtLock(tool, 'dead_letters in share mode', discard);
    assert.deepEqual([ran.code, ran.signal], [1, null], ran.err);
    assert.match(ran.err, /^sds: interrupted: run it again for the others$/m);
    const { discarded, open } = JSON.parse(ran.out) as { discarded: number; open: number };
    assert.ok(discarded > 0 && open > 0, ran.out);
    assert.equal(discarded + open, letters);
    assert.equal(await isHeld(), false);
    assert.deepEqual(await tool.json(...discard.slice(0, -1)), { discarded: open, open: 0 });
  });

  it('is refused while another replay or discard runs, and writes no audit row', async () => {
    const audited = async () => ((await tool.json('audit', 'list', '--action', 'dlq')).data as unknown[]).length;
    assert.equal(await push('late', 'X', { game_id: 'NBA_NO_SUCH_20260109' }), 400);
    const before = await audited();
    await using database = await databaseOf(tool);
    const elsewhere = openLeasesCatalog(database.sql);
    assert.ok(await elsewhere.hold('dead-letters'));
    const renewing = setInterval(() => void elsewhere.hold('dead-letters').catch(() => {}), 500);
    try {
      const why = /^sds: another sds dlq replay or discard runs; nothing was done: run this one again later$/m;
      await tool.endWith(3, [
        [['dlq', 'replay', '--source', 'late', '--yes'], why],
        [['dlq', 'discard', '--source', 'late', '--yes'], why],
      ]);
    } finally {
      clearInterval(renewing);
    }
    assert.equal(await audited(), before);
    await elsewhere.release('dead-letters');
    assert.deepEqual(await tool.json('dlq', 'discard', '--source', 'late', '--yes'), { discarded: 1, open: 0 });
  });
});
