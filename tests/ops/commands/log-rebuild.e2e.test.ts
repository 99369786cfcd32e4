// `sds log rebuild` beside a running instance: nothing without --yes, then a plan, progress and JSON; an instance killed during the rebuild
// carries it out once after its restart; and the command may be repeated. `sds replay` finds what differs, and swaps it. Interrupted, both end in
// good order
// (docs/operations.md#rebuilding-logs; docs/operations.md#replaying-the-log).
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { openCatalogs } from '../../../ops/service/catalogs.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';
import { databaseOf, interruptedAtLock, interruptedBefore } from '../../support/editions/command-at-lock.ts';
import { EmbeddedTool } from '../../support/editions/embedded-tool.ts';
import { type Manifest, manifestOf, rowsOf } from '../../support/editions/published-game.ts';
import { until } from '../../support/services/until.ts';

const tool = new EmbeddedTool('log-rebuild');
const game = 'NBA_BOS_CLE_20260109';
const rows = 60;

/** What a replay printed, without partitions, whose ends move, and boards. */
function segmentsIn(out: string): object {
  const { partitions: _, ...printed } = JSON.parse(out) as { partitions: unknown; differences: { at: string }[] };
  return { ...printed, differences: printed.differences.filter(({ at }) => at.startsWith('segment ')) };
}

describe('rebuilding a log beside an instance', () => {
  /** The manifest, as soon as it shows a log that begins with `firstSeq` and has all rows. */
  async function served(firstSeq: number): Promise<Manifest> {
    let manifest: Manifest | undefined;
    await until(`the log is served from ${firstSeq}`, async () => {
      manifest = await manifestOf(tool.api, game).catch(() => undefined);
      const listed = manifest?.segments.reduce((sum, each) => sum + each.rows, 0);
      return manifest?.segments[0]?.seq === firstSeq && listed === rows;
    });
    return manifest as Manifest;
  }

  beforeAll(async () => {
    await tool.start();
    const teams = { home_team: 'Cleveland Cavaliers', away_team: 'Boston Celtics' };
    for (let price = 0; price < rows / 20; price += 1) {
      const quotes = Array.from({ length: 20 }, (_, line) => {
        const said = { market: 'total', selection: 'over', line: 200.5 + line, alternate: true };
        return { ...said, price: { american: 101 + price } };
      });
      const event = { league: 'NBA', event_id: 'e', ...teams, commence_time: '2026-01-10T00:00:00Z' };
      const events = [{ kind: 'image', operator: 'draftkings', game: event, quotes }];
      assert.equal((await tool.push('feed', 'quotes', { events })).status, 202);
    }
    await served(1);
  });
  afterAll(() => tool.stop());

  it('shows what it would do and does nothing without --yes, nor what is not there', async () => {
    const plan = await tool.sds('log', 'rebuild', game);
    assert.equal(plan.code, 3);
    assert.match(
      plan.err,
      /the log of NBA_BOS_CLE_20260109, 60 rows, will be folded anew from \d+ records;.*add --yes/,
    );
    for (const [code, args] of [
      [1, ['NBA_NO_SUCH_20260101', '--yes']],
      [1, ['--partition', '77', '--yes']],
      [2, [game, '--league', 'NBA', '--yes']],
      [2, ['--yes']],
      [2, ['--league', 'CRICKET', '--yes']],
      [2, ['--partition', 'x', '--yes']],
      [3, ['--league', 'NFL', '--yes']],
    ] as const)
      assert.equal((await tool.sds('log', 'rebuild', ...args)).code, code, args.join(' '));
    await served(1);
  });

  it('is carried out once by the next owner when the instance is killed in the middle of it', async () => {
    const before = await rowsOf(tool.api, await served(1));
    await tool.kill();
    await tool.start('rebuild:half-way');
    const begun = Promise.withResolvers<ChildProcess>();
    const command = tool.sdsWith({}, ['log', 'rebuild', game, '--yes'], { begun: begun.resolve });
    await tool.instance.ended();
    (await begun.promise).kill('SIGKILL');
    assert.deepEqual([tool.instance.ends.at(-1)?.by, tool.instance.ends.at(-1)?.armed], ['point', 'rebuild:half-way']);
    assert.equal((await command).signal, 'SIGKILL');
    await tool.start();
    assert.deepEqual(await rowsOf(tool.api, await served(2)), before);
    const games = JSON.parse((await tool.sds('verify', game, '--json')).out) as { violations: unknown[] };
    assert.deepEqual(games.violations, []);
  });

  it('prints what became of each log, and says how far it is', async () => {
    const ran = await tool.sdsOnceFree(['log', 'rebuild', '--league', 'nba', '--yes', '--json']);
    assert.equal(ran.code, 0, ran.err);
    const result = JSON.parse(ran.out) as { games: Record<string, unknown>[]; left_out: unknown[] };
    assert.deepEqual(
      result.games.map(({ partition: _, ...facts }) => facts),
      [{ game_id: game, generation: 3, rows_before: rows, rows }],
    );
    assert.deepEqual(result.left_out, []);
    assert.match(
      ran.err,
      /^the log of (\S+), 60 rows, will be folded anew .*\n1 of 1 games, [\d.]+ rows\/s, 0 s left: \1, 60 rows\n$/,
    );
    await served(3);
  });

  it('is proven by a replay, which refuses what it cannot do and changes nothing', async () => {
    const ran = await tool.sds('replay', '--json');
    assert.equal(ran.code, 0, ran.err);
    const result = JSON.parse(ran.out) as Record<string, unknown>;
    assert.deepEqual([result.games, result.rows, result.differences, result.left_out], [1, rows, [], []]);
    assert.match((await tool.sds('replay', '--to', '2001-01-01T00:00:00Z')).out, /0 rows of 0 games compared\n$/);
    for (const [code, args] of [
      [2, ['--from', '7']],
      [2, ['--from', 'yesterday']],
      [2, ['--partition', 'x']],
      [1, ['--partition', '77']],
    ] as const)
      assert.equal((await tool.sds('replay', ...args)).code, code, args.join(' '));
    await served(3);
  });

  it('is what a replay does with logs that differ, with --swap and --yes', async () => {
    const segments = join(tool.environment.SDS_DATA_DIR, 'objects', 'flushes', 'live');
    rmSync(segments, { recursive: true });
    const found = await tool.sds('replay', '--json');
    assert.equal(found.code, 1);
    assert.match(found.err, /1 of 1 logs differ; --swap rebuilds them/);
    const { differences } = JSON.parse(found.out) as { differences: { game_id: string; served: string }[] };
    assert.ok(
      differences.every(({ game_id: id, served: said }) => id === game && /is absent/.test(said)),
      found.out,
    );
    const refused = await tool.sds('replay', '--swap', '--json');
    assert.match(refused.err, /nothing was done: add --yes/);
    assert.equal(refused.code, 3);
    // The board's difference ends when a tick makes its quotes stale, 15 s after the last push: the projector writes it anew.
    assert.deepEqual(segmentsIn(refused.out), { ...segmentsIn(found.out), rebuilt: [], not_rebuilt: [] });
    const swapped = await tool.sds('replay', '--swap', '--yes', '--json');
    assert.equal(swapped.code, 0, swapped.err);
    const { rebuilt, not_rebuilt: notRebuilt } = JSON.parse(swapped.out) as Record<string, object[]>;
    assert.deepEqual(
      (rebuilt as { game_id: string; generation: number; rows: number }[]).map((each) => [
        each.game_id,
        each.generation,
        each.rows,
      ]),
      [[game, 4, rows]],
    );
    assert.deepEqual(notRebuilt, []);
    await served(4);
    const { data } = await tool.json('audit', 'list', '--action', 'log rebuild', '--subject', game, '--limit', '1');
    assert.deepEqual((data as { detail: object }[])[0]?.detail, { generation: 4, rows });
    assert.equal((await tool.sds('replay')).code, 0);
  });

  it('says how far its game is; interrupted, it leaves one order behind, gives its lease up, and may be repeated', async () => {
    const rebuild = ['log', 'rebuild', game, '--yes'];
    await using database = await databaseOf(tool);
    const { games, leases, rebuilds } = openCatalogs(database.sql);
    const key = (await games.find(game))?.uuid ?? '';
    const isOrdered = async (sql: Sql) => {
      const { rows } = await sql.query(`select 1 from audit where action = 'log rebuild' and at >= now()`);
      return rows.length > 0;
    };
    const hasSaid = async (sql: Sql, said: string) => {
      if (!(await isOrdered(sql))) return false;
      // As a projector that is in the middle of it, and one of another game.
      await rebuilds.tellProgress({ key: '11111111-2222-5333-8444-555555555555', read: 1, all: 9, took: 4_000_000 });
      await rebuilds.tellProgress({ key, read: 1_000, all: 5_000, took: 4_000_000 });
      return said.includes('records/s');
    };
    // No projector can commit meanwhile.
    const ran = await interruptedBefore(tool, 'stream_state in share mode', rebuild, hasSaid);
    assert.deepEqual([ran.code, ran.signal], [1, null], ran.err);
    assert.ok(ran.err.includes(`${game}: 1000 of 5000 records, 250 records/s, 16 s left\n`), ran.err);
    assert.doesNotMatch(ran.err, / 1 of 9 records/, 'nothing of another game');
    assert.match(ran.err, /^sds: interrupted; 0 of 1 logs rebuilt: run it again for the others$/m);
    assert.equal(await leases.isHeld('log-rebuild'), false);
    await served(5);
    const again = await tool.sds(...rebuild);
    assert.equal(again.code, 0, again.err);
    await served(6);
  });

  it('changes nothing when a replay is interrupted, which may be repeated', async () => {
    const before = await manifestOf(tool.api, game);
    const ran = await interruptedAtLock(tool, 'live_logs in access exclusive mode', ['replay']);
    assert.deepEqual([ran.code, ran.signal, ran.out], [1, null, '']);
    assert.equal(ran.err, 'sds: interrupted; nothing was changed\n');
    const again = await tool.sds('replay');
    assert.deepEqual([again.code, again.out], [0, `${rows} rows of 1 games compared\n`], again.err);
    assert.deepEqual((await manifestOf(tool.api, game)).segments, before.segments);
  });
});
