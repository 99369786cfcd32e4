// `sds games settle`, `diff` and `remove-rows` beside a running embedded instance: their output, their exit codes, their audit rows and
// what the API then serves (docs/operations.md#the-sds-tool; docs/settlement.md#versions-and-corrections).
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { openLeasesCatalog } from '../../../platform/postgres/leases.ts';
import { databaseOf, interruptedAtLock } from '../../support/editions/command-at-lock.ts';
import { finalOf, versionsOf } from '../../support/editions/final-of-api.ts';
import { SettledTool } from '../../support/editions/settled-tool.ts';
import { scoreOf } from '../../support/editions/staged-bodies.ts';
import { type StagedGame, StagedGames } from '../../support/editions/staged-game.ts';
import { until } from '../../support/services/until.ts';

const start = '2026-01-10T19:00:00.000000Z';
const quoted = '2026-01-10T18:00:00.000000Z';

const games = new StagedGames();
const tool = new SettledTool();

const priceOf = (selection: string, american: number) => ({ market: 'moneyline', selection, price: { american } });
const artifactsOf = (settled: Record<string, unknown>) =>
  (settled.artifacts as { dataset: string; version: number; row_count: number }[])
    .map(({ dataset, version, row_count: rows }) => `${dataset} ${version} ${rows}`)
    .sort();

/** A game of four rows: home and away, each at two prices. */
async function quotedGame(): Promise<StagedGame> {
  const game = games.next('NFL', start);
  await tool.quote(game, quoted, [priceOf('home', -110), priceOf('away', 100)]);
  await tool.quote(game, '2026-01-10T18:10:00.000000Z', [priceOf('home', -120), priceOf('away', 105)]);
  return game;
}

describe('settlement by the tool', () => {
  beforeAll(() => tool.start());
  afterAll(() => tool.stop());

  it('settles nothing without a clear request and a confirmation', async () => {
    const game = await quotedGame();
    await tool.endWith(2, [
      [['games', 'settle', '--yes'], /name a game, or a span with --again/],
      [['games', 'settle', game.id, '--score', '17', '--yes'], /--score "17" is no score: give AWAY-HOME/],
      [['games', 'settle', game.id, '--score', '1-2', '--periods', '1-', '--yes'], /--periods: period 1, "1-"/],
      [['games', 'settle', game.id, '--score', '7-3', '--periods', '7-0', '--yes'], /--periods come to 7-0 .*says 7-3/],
      [['games', 'settle', game.id, '--periods', '1-2', '--yes'], /--periods goes with --score/],
      [['games', 'settle', game.id, '--no-score', '--periods', '1-2', '--yes'], /--periods goes with --score/],
      [['games', 'settle', '--again', '--league', 'NFL', '--score', '1-2', '--yes'], /name a game/],
      [['games', 'settle', game.id, '--again', '--league', 'NFL', '--yes'], /a game or a span of games, not both/],
      [['games', 'settle', '--again', '--from', '2026-13-01', '--yes'], /--from is 2026-13-01/],
      [['games', 'settle', '--again', '--league', 'XFL', '--yes'], /no league XFL/],
      [['games', 'remove-rows', game.id, '--rows', '1', '--yes'], /required option '--reason/],
      [['games', 'remove-rows', game.id, '--rows', '1', '--reason', ' ', '--yes'], /--reason is empty/],
      [
        ['games', 'remove-rows', game.id, '--rows', '3-2', '--reason', 'r', '--yes'],
        /--rows: "3-2" is not a row number/,
      ],
      [['games', 'diff', game.id, '--dataset', 'board'], /Allowed choices/],
    ]);
    await tool.endWith(1, [
      [['games', 'settle', 'none', '--yes'], /no game none/],
      [['games', 'diff', 'none'], /no game none/],
      [['games', 'diff', game.id], /has no final file/],
      [['games', 'remove-rows', 'none', '--rows', '1', '--reason', 'r', '--yes'], /no game none/],
    ]);
    await tool.endWith(3, [
      [['games', 'settle', game.id], /closes with status .*: its live log ends; nothing was done: add --yes/],
      [['games', 'settle', '--again'], /the final files of 0 settled games .*nothing was done: add --yes/],
      [['games', 'remove-rows', game.id, '--rows', '1', '--reason', 'r', '--yes'], /no final sportsbook lines/],
    ]);
    assert.deepEqual(await tool.audited(game), []);
    assert.equal(await finalOf(tool.api, game.id, 'sportsbook-lines'), null);
  });

  it('closes a game with a score by hand, corrects it, and takes it back', async () => {
    const game = await quotedGame();
    const settle = (...options: string[]) => tool.json('games', 'settle', game.id, ...options, '--yes');
    const first = await settle('--score', '17-24', '--periods', '7-0,3-14,0-3,7-7');
    assert.equal(first.game_id, game.id);
    assert.deepEqual(artifactsOf(first), ['closing-lines 1 2', 'market-results 1 2', 'sportsbook-lines 1 4']);
    assert.deepEqual(await tool.quote(game, '2026-01-10T18:20:00.000000Z', [priceOf('home', -130)]), ['game-settled']);

    const second = await settle('--score', '24-17');
    assert.deepEqual(artifactsOf(second), ['closing-lines 1 2', 'market-results 2 2', 'sportsbook-lines 1 4']);
    // Without a score nothing determines the result any more: what has landed stays.
    assert.deepEqual(artifactsOf(await settle('--no-score')), artifactsOf(second));
    // The same rules make the same files.
    assert.deepEqual(artifactsOf(await settle('--again')), artifactsOf(second));
    const versions = await versionsOf(tool.api, game.id, 'market-results');
    const results = versions.map(({ rows }) => rows.map((row) => [row.selection, row.result, row.correction]));
    assert.deepEqual(results, [
      [
        ['away', 'loss', 0],
        ['home', 'win', 0],
      ],
      [
        ['away', 'win', 1],
        ['home', 'loss', 1],
      ],
    ]);

    const { data } = await tool.json('games', 'diff', game.id);
    const shown = data as { dataset: string; from: number | null; to: number; added: []; removed: []; changed: [] }[];
    assert.deepEqual(
      shown.map(({ dataset, from, to, added, removed, changed }) => [
        dataset,
        from,
        to,
        added.length,
        removed.length,
        changed.length,
      ]),
      [
        ['closing-lines', null, 1, 2, 0, 0],
        ['market-results', 1, 2, 0, 0, 2],
        ['sportsbook-lines', null, 1, 0, 0, 0],
      ],
    );
    const back = ['games', 'diff', game.id, '--dataset', 'market-results', '--from', '2', '--to', '1'];
    const changed = ((await tool.json(...back)).data as { changed: { before: object; after: object }[] }[])[0]?.changed;
    assert.deepEqual(
      changed?.map((each) => [each.before, each.after].map((row) => (row as { result: string }).result)),
      [
        ['win', 'loss'],
        ['loss', 'win'],
      ],
    );
    const words = (await tool.sds(...back)).out;
    assert.match(words, /^market-results, version 2 → version 1: 0 added, 0 removed, 2 changed$/m);
    assert.match(words, /^ {2}moneyline\/full\/home: .*result "loss" → "win"/m);
    const both = ['games', 'diff', game.id, '--from', '1', '--to', '2'];
    const compared = await tool.json(...both);
    assert.deepEqual(
      (compared.data as { dataset: string }[]).map(({ dataset }) => dataset),
      ['market-results'],
    );
    assert.deepEqual(compared.left_out, [
      { dataset: 'closing-lines', reason: `${game.id} has no version 2 of closing-lines, only version 1` },
      { dataset: 'sportsbook-lines', reason: `${game.id} has no version 2 of sportsbook-lines, only version 1` },
    ]);
    assert.match((await tool.sds(...both)).out, /^left out: .* has no version 2 of closing-lines, only version 1$/m);
    await tool.endWith(1, [
      [
        ['games', 'diff', game.id, '--to', '9'],
        / 9 of closing-lines, only version 1; .* 9 of market-results, only versions 1, 2; /,
      ],
      [
        ['games', 'diff', game.id, '--dataset', 'market-results', '--from', '4', '--to', '3'],
        /has no version 4 or 3 of market-results, only versions 1, 2$/,
      ],
    ]);

    const orders = ['no_score', 'again', 'status', 'home'] as const;
    const actions = (await tool.audited(game)).map(({ action, detail }) => [
      action,
      detail.dataset ?? orders.find((name) => name in detail),
    ]);
    assert.deepEqual(actions, [
      ['games settle', 'home'],
      ['games settle', 'status'],
      ['artifact landed', 'closing-lines'],
      ['artifact landed', 'market-results'],
      ['artifact landed', 'sportsbook-lines'],
      ['games settle', 'home'],
      ['artifact landed', 'market-results'],
      ['games settle', 'no_score'],
      ['games settle', 'again'],
    ]);
  });

  it('is the only way in which a postponed game closes, with quotes or without', async () => {
    const [game, silent] = [await quotedGame(), games.next('NFL', start)];
    for (const each of [game, silent])
      await tool.pushBoxscore(each, quoted, { playedStatus: 'UNPLAYED', scheduleStatus: 'POSTPONED' });
    const later = '2026-01-13T18:00:00.000000Z';
    assert.deepEqual(await tool.quote(game, later, [priceOf('home', -150)]), []);
    assert.equal(await finalOf(tool.api, game.id, 'sportsbook-lines'), null);
    const settled = await tool.json('games', 'settle', game.id, '--yes');
    assert.deepEqual(artifactsOf(settled), ['closing-lines 1 2', 'game-state-timeline 1 1', 'sportsbook-lines 1 5']);
    assert.deepEqual(artifactsOf(await tool.json('games', 'settle', silent.id, '--yes')), ['game-state-timeline 1 1']);
  });

  it('lands a version within a minute of evidence that comes after the close', async () => {
    const game = await quotedGame();
    const first = await tool.json('games', 'settle', game.id, '--yes');
    assert.deepEqual(artifactsOf(first), ['closing-lines 1 2', 'sportsbook-lines 1 4']);
    const evidence: [string, number][] = [
      ['2026-01-10T22:00:00.000000Z', 13],
      ['2026-01-10T23:00:00.000000Z', 6],
    ];
    for (const [at, home] of evidence) {
      const score = scoreOf(game, { away: 10, home }, { away: [], home: [] });
      await tool.pushBoxscore(game, at, { playedStatus: 'COMPLETED' }, score);
      const landed = async () => {
        const newest = await finalOf(tool.api, game.id, 'market-results');
        return newest?.rows.find(({ selection }) => selection === 'home')?.result === (home > 10 ? 'win' : 'loss');
      };
      await until(`the result of ${at}`, landed, { withinMs: 60_000, everyMs: 200 });
    }
    const [graded, corrected] = await versionsOf(tool.api, game.id, 'market-results');
    assert.match(graded?.reason ?? '', /\bgame-state\/[0-9A-Z]{26}\/1\b/, 'it landed after the other files');
    assert.match(corrected?.reason ?? '', /\bgame-state\/[0-9A-Z]{26}\/2\b/);
  });

  it('removes rows for good and with a reason; the version before stays as it was', async () => {
    const game = await quotedGame();
    await tool.json('games', 'settle', game.id, '--score', '3-0', '--yes');
    const old = await finalOf(tool.api, game.id, 'sportsbook-lines');
    const remove = (rows: string) => ['games', 'remove-rows', game.id, '--rows', rows, '--reason', ' a wrong price '];
    await tool.endWith(3, [
      [remove('2-3'), /rows 2-3, 2 of 4, leave every final file .*nothing was done: add --yes/],
      [[...remove('4-6,9'), '--yes'], /has no rows 5-6,9: its log ends with row 4; nothing was done/],
      [[...remove('1-4'), '--yes'], /all rows of .*, and a final file must not be empty/],
    ]);
    const facts = await tool.json(...remove('3,2-3,2'), '--yes');
    assert.deepEqual(facts, { game_id: game.id, version: 2, row_count: 2 });
    await tool.endWith(3, [[[...remove('1,3'), '--yes'], /rows 3 of .* were removed before; nothing was done/]]);

    const lines = await versionsOf(tool.api, game.id, 'sportsbook-lines');
    assert.deepEqual(
      lines.map(({ rows }) => rows.map((row) => row.row_number)),
      [
        [1, 2, 3, 4],
        [1, 4],
      ],
    );
    assert.deepEqual(Buffer.from(lines[0]?.bytes ?? []), Buffer.from(old?.bytes ?? []));
    assert.deepEqual(
      lines.map(({ reason }) => reason),
      ['settled', 'rows removed'],
    );
    const diff = ['games', 'diff', game.id, '--dataset', 'sportsbook-lines'];
    const of = async (...more: string[]) =>
      ((await tool.json(...diff, ...more)).data as { from: number | null; removed: { row_number: number }[] }[])[0];
    for (const [from, more] of [
      [1, []],
      [null, ['--from', '0']],
    ] as const) {
      const shown = await of(...more);
      assert.equal(shown?.from, from);
      assert.deepEqual(
        shown?.removed.map((row) => row.row_number),
        [2, 3],
      );
    }
    // The removed rows were the second price of one side and the first of the other: both have fewer rows to close
    // with.
    const closing = await finalOf(tool.api, game.id, 'closing-lines');
    assert.equal(closing?.version, 2);
    const audited = (await tool.audited(game)).filter(({ action }) => action === 'games remove-rows');
    assert.deepEqual(
      audited.map(({ detail }) => detail),
      [{ rows: [[2, 3]], reason: 'a wrong price' }],
    );
  });

  it('refuses a removal that would leave a final file without rows', async () => {
    const game = await quotedGame();
    const closed = [{ market: 'moneyline', selection: 'home', price: { american: -150 }, state: 'suspended' }];
    assert.deepEqual(await tool.quote(game, '2026-01-10T19:20:00.000000Z', closed), []);
    await tool.json('games', 'settle', game.id, '--yes');
    const remove = (rows: string) => ['games', 'remove-rows', game.id, '--rows', rows, '--reason', 'wrong', '--yes'];
    const why = /without these rows closing-lines and market-results of .* must not be empty; nothing was done/;
    await tool.endWith(3, [[remove('1-4'), why]]);
    assert.deepEqual(await tool.json(...remove('2-4')), { game_id: game.id, version: 2, row_count: 2 });
    await tool.endWith(3, [[remove('1'), why]]);
  });

  it('says that its order stands when it is interrupted, and it is carried out', async () => {
    const game = await quotedGame();
    await tool.json('games', 'settle', game.id, '--score', '3-0', '--yes');
    for (const args of [
      ['settle', game.id, '--again'],
      ['remove-rows', game.id, '--rows', '2', '--reason', 'a wrong price'],
    ]) {
      const stopped = await interruptedAtLock(tool, 'settlements in share mode', ['games', ...args, '--yes']);
      assert.deepEqual([stopped.code, stopped.signal], [1, null]);
      assert.match(stopped.err, /^sds: .* is not settled as ordered yet: interrupted; its order stands; see/m);
    }
    await until('the row is removed', async () => {
      const lines = await finalOf(tool.api, game.id, 'sportsbook-lines');
      return lines?.version === 2 && lines.rows.length === 3;
    });
  });

  it('makes a span of games anew, with a plan and with progress', async () => {
    const other = games.next('NBA', start);
    await tool.quote(other, quoted, [priceOf('home', -110)]);
    await tool.json('games', 'settle', other.id, '--yes');
    const day = ['--from', '2026-01-10', '--to', '2026-01-10'];
    const ran = await tool.sds('games', 'settle', '--again', '--league', 'nba', ...day, '--yes', '--json');
    assert.deepEqual([ran.code, JSON.parse(ran.out)], [0, { games: 1, settled: 1, failed: [] }]);
    const plan = 'the final files of 1 settled games are made anew; a version is cut where rows differ';
    assert.match(ran.err, new RegExp(`^${plan}\n1 of 1 games, [0-9.]+ games/s, 0 s left: ${other.id}\n$`));
    const all = await tool.sds('games', 'settle', '--again', ...day, '--yes');
    assert.match(all.out, /^(\d+) of \1 games settled again$/m);
    assert.equal(all.err.trim().split('\n').length, 1 + Number(/^\d+/.exec(all.out)?.[0]), 'the plan, and each game');
    const before = await tool.sds('games', 'settle', '--again', '--to', '2026-01-09', '--yes', '--json');
    assert.deepEqual([before.code, JSON.parse(before.out)], [0, { games: 0, settled: 0, failed: [] }]);
    assert.equal((await finalOf(tool.api, other.id, 'sportsbook-lines'))?.version, 1);
  });

  it('says how many games it has settled again when it is interrupted, and settles all when it is run again', async () => {
    const again = ['games', 'settle', '--again', '--league', 'nba', '--yes'];
    const stopped = await interruptedAtLock(tool, 'settlements in share mode', again);
    assert.equal(stopped.code, 1);
    assert.match(stopped.out, /^0 of [1-9]\d* games settled again$/m);
    assert.match(stopped.err, /^sds: interrupted: run it again, which settles all of them again$/m);
    const whole = await tool.sds(...again);
    assert.equal(whole.code, 0, whole.err);
    assert.match(whole.out, /^(\d+) of \1 games settled again$/m);
  });

  it('refuses a span while another command has one made anew', async () => {
    const again = ['games', 'settle', '--again', '--league', 'nba', '--yes'];
    await using database = await databaseOf(tool);
    const elsewhere = openLeasesCatalog(database.sql);
    assert.ok(await elsewhere.hold('settle-again'));
    const renewing = setInterval(() => void elsewhere.hold('settle-again').catch(() => {}), 500);
    try {
      const why = /^sds: another sds games settle --again runs; nothing was done: run this one again later$/m;
      await tool.endWith(3, [[again, why]]);
    } finally {
      clearInterval(renewing);
    }
    await elsewhere.release('settle-again');
    const whole = await tool.sds(...again);
    assert.equal(whole.code, 0, whole.err);
  });

  it('leaves nothing that verify would find wrong', async () => {
    const { checked, violations } = await tool.json('verify');
    assert.deepEqual(violations, []);
    assert.ok(Object.values(checked as Record<string, number>).some((count) => count > 0));
  });
});
