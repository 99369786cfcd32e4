// The programs of the reference page do what they say, run as they stand there against a served game: only their pause is shortened. The one
// that follows a game meets new rows, both 409s and the end of the game, and has each row once. docs/interface.md#cursor-rules;
// docs/interface.md#retry-rules.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { exampleTasks } from '../../../api/documents/examples.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { ExampleFolder, examplesOf, type Ran, whileRunning } from '../../support/book/document-examples.ts';
import { findScriptedLanguages } from '../../support/book/scripted-languages.ts';
import { startApi, type TestApi } from '../../support/http/api-http.ts';
import { type CuttingFront, openCuttingFront } from '../../support/http/cutting-front.ts';
import { ParquetLog } from '../../support/parquet/log.ts';
import { findProgram } from '../../support/services/installed.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const httpfs = await services.httpfs();
const left = outOfTurn();
const shell = skipFor(
  left || (['curl', 'jq', 'bash'].every((name) => findProgram(name)) ? false : 'curl, jq or bash is not here'),
);

/** A game listed before the served one. */
const endedWithoutFiles = {
  gameId: 'MLB_LAD_SFG_20260804',
  uuid: '00000000-0000-4000-8000-000000000002',
  status: 'COMPLETED',
};

type Served = {
  api: TestApi;
  log: ParquetLog;
  folder: ExampleFolder;
  front: CuttingFront;
  /** The ranges that were asked for. */
  ranges: readonly string[];
  example(name: string): string;
  /** Runs once, before the next answer about a segment. */
  beforeSegment: { act: (() => Promise<void>) | null };
};

/** A served game of 12 rows behind a server that can act between a listing and the files it lists. */
async function withServed(use: (served: Served) => Promise<void>, duckdb: { httpfs?: string } = {}): Promise<void> {
  const api = await startApi();
  const log = new ParquetLog(api.catalog, api.objects, 'MLB_STL_NYY_20260805');
  await log.append(12);
  const beforeSegment: Served['beforeSegment'] = { act: null };
  const ranges: string[] = [];
  const front = await openCuttingFront(api.url, async (target, { range }) => {
    if (range !== undefined) ranges.push(range);
    if (!/\/segments\/\d/.test(target) || beforeSegment.act === null) return;
    const { act } = beforeSegment;
    beforeSegment.act = null;
    await act();
  });
  using folder = new ExampleFolder({ API: front.url, KEY: api.key, GAME: log.gameId }, duckdb);
  const examples = examplesOf((await api.get('/docs', { key: null })).body.toString('utf8'));
  try {
    await use({ api, log, folder, front, ranges, beforeSegment, example: (name) => examples.get(name) as string });
  } finally {
    front.close();
    await api.close();
  }
}

function quickened(program: string): string {
  const quick = program.replace(/(pause = )5_000|(PAUSE = )5\b|(sleep )5\b/, (_all, ts = '', py = '', sh = '') =>
    ts !== '' ? `${ts}100` : `${py}${sh}0.1`,
  );
  assert.notEqual(quick, program, 'a program that polls has a pause');
  return quick;
}

async function said({ ran }: { ran: Ran }, text: string): Promise<void> {
  await until(`the program says ${text}`, () => ran.code !== null || ran.out.includes(text));
  assert.ok(ran.out.includes(text), `ended with ${ran.code} before ${text}: ${ran.out}\n${ran.err}`);
}

async function usedRows(api: TestApi): Promise<number> {
  const { quota } = (await api.get('/v1/me')).json() as { quota: { used_rows: number } };
  return quota.used_rows;
}

function assertDone({ code, out, err }: Ran): void {
  assert.equal(code, 0, `${out}\n${err}`);
}

for (const { language, id, program, file, skip } of await findScriptedLanguages()) {
  describe(`the programs in ${language}`, skipFor(left || skip), () => {
    it('follow a game: new rows, a restart, both 409s, the end', async () => {
      await withServed(async ({ log, folder, front, example, beforeSegment }) => {
        const running = folder.start(program, file, quickened(example(`follow ${id}`)));
        await said(running, '2:4 12 rows');
        await whileRunning(running, front.cut(4));
        await log.append(3);
        await whileRunning(running, front.cut(3));
        await said(running, '2:7 15 rows');
        await log.rebuild(10);
        await said(running, '4:2 10 rows');
        beforeSegment.act = () => log.rebuild(5);
        await log.append(1);
        await said(running, '5:5 5 rows');
        assert.doesNotMatch(running.ran.out, /4:3/);
        await log.settle();
        const ran = await running.ended;
        assertDone(ran);
        assert.match(ran.out, /final: 5 rows\n$/);
      });
    });

    it('follow a game that ends between a listing and its segment', async () => {
      await withServed(async ({ log, folder, example, beforeSegment }) => {
        beforeSegment.act = () => log.settle();
        const ran = await folder.start(program, file, quickened(example(`follow ${id}`))).ended;
        assertDone(ran);
        assert.equal(ran.out, 'final: 12 rows\n');
      });
    });

    it('list games over pages', async () => {
      await withServed(async ({ folder, example, api }) => {
        api.catalog.addGame({ gameId: 'MLB_LAD_SFG_20260807', uuid: '00000000-0000-4000-8000-000000000001' });
        // With pages of one record, there are two pages.
        const paged = example(`list-games ${id}`)
          .replace("league: 'MLB' }", "league: 'MLB', limit: '1' }")
          .replace('"league": "MLB"}', '"league": "MLB", "limit": 1}');
        const ran = await folder.start(program, file, paged).ended;
        assertDone(ran);
        assert.match(ran.out, /MLB_STL_NYY_20260805[\s\S]*MLB_LAD_SFG_20260807/);
      });
    });

    it('download a file, and say what it cost', async () => {
      await withServed(async ({ log, folder, example, api }) => {
        api.catalog.addGame(endedWithoutFiles);
        const early = await folder.start(program, file, example(`download ${id}`)).ended;
        assert.notEqual(early.code, 0);
        assert.match(early.err, /no game has settled yet/);
        await log.settle();
        const ran = await folder.start(program, file, example(`download ${id}`)).ended;
        assertDone(ran);
        assert.match(ran.out, /MLB_STL_NYY_20260805 4 rows, 4 debited/);
      });
    });

    it('list the versions of a file, and take the newest two', async () => {
      await withServed(async ({ log, folder, example }) => {
        const early = await folder.start(program, file, example(`compare ${id}`)).ended;
        assert.match(early.err, /No market results for this game/);
        await log.settle();
        await log.correct();
        const ran = await folder.start(program, file, example(`compare ${id}`)).ended;
        assertDone(ran);
        assert.match(ran.out, /^2 \S+ player-stats\/\w+\/2.*\n1 \S+ settled/);
        if (id === 'node') {
          const rows = (version: number) =>
            parquetWriter.decode(
              'market-results',
              readFileSync(join(folder.path, `market-results-${version}.parquet`)),
            );
          assert.deepEqual([rows(2).length, rows(1)[0]?.result, rows(2)[0]?.result], [4, 'win', 'push']);
        } else {
          const shown = ran.out.trim().split('\n').slice(3);
          assert.deepEqual(
            shown
              .map((line) =>
                line
                  .trim()
                  .split(/\s+/)
                  .filter((word) => /^(moneyline|total|win|loss|push)/.test(word)),
              )
              .sort(),
            [
              ['moneyline/full/home', 'win', 'push'],
              ['total/full/over', 'win'],
              ['total/full/under', 'loss'],
            ],
          );
        }
      });
    });

    it('poll a board until the game is final, through a restart', async () => {
      await withServed(async ({ log, folder, front, example }) => {
        const running = folder.start(program, file, quickened(example(`board ${id}`)));
        await said(running, 'DRAFTKINGS 4 quoted');
        await whileRunning(running, front.cut(5));
        await log.settle();
        const ran = await running.ended;
        assertDone(ran);
        assert.match(ran.out, /final_available/);
      });
    });
  });
}

it('the programs for Node pass the checks of the TypeScript compiler', skipFor(left), async () => {
  await withServed(async ({ folder, example }) => {
    for (const { id } of exampleTasks) {
      writeFileSync(join(folder.path, `${id}.mjs`), example(`${id} node`));
    }
    // Without types of its own JavaScript has parameters and answers of any type.
    const check = `exec "${process.execPath}" node_modules/typescript/bin/tsc --noEmit --allowJs --checkJs --strict --noImplicitAny false --target es2022 --module nodenext --types node --skipLibCheck ${exampleTasks.map(({ id }) => `${id}.mjs`).join(' ')}`;
    assertDone(await folder.start('sh', 'check.sh', check).ended);
  });
});

describe('the programs of the shell, with curl, jq and DuckDB', shell, () => {
  const rowsIn = (folder: ExampleFolder, directory: string) =>
    readdirSync(join(folder.path, directory))
      .filter((name) => name.endsWith('.parquet'))
      .reduce(
        (rows, name) =>
          rows + parquetWriter.decode('sportsbook-lines', readFileSync(join(folder.path, directory, name))).length,
        0,
      );
  // A file read while it is written counts as missing.
  const holds = (folder: ExampleFolder, directory: string, rows: number) =>
    until(`${directory} holds ${rows} rows`, () => rowsIn(folder, directory) === rows);

  it('follow a game: new rows, a restart, both 409s, the end; and DuckDB reads the files', async () => {
    await withServed(async ({ log, folder, front, example, beforeSegment }) => {
      const running = folder.start('bash', 'follow.sh', quickened(example('follow curl')));
      await holds(folder, 'lines', 12);
      await whileRunning(running, front.cut(4));
      await log.append(3);
      await whileRunning(running, front.cut(3));
      await holds(folder, 'lines', 15);
      const query = await folder.start('bash', 'query.sh', example('follow duckdb')).ended;
      assertDone(query);
      assert.equal(query.out.trim().split('\n').length, 15);
      await log.rebuild(10);
      await holds(folder, 'lines', 10);
      beforeSegment.act = () => log.rebuild(5);
      await log.append(1);
      await holds(folder, 'lines', 5);
      await log.settle();
      assertDone(await running.ended);
      const final = readFileSync(join(folder.path, 'final.parquet'));
      assert.equal(parquetWriter.decode('sportsbook-lines', final).length, 5);
    });
  });

  it('end when the quota is spent, for which waiting does not help', async () => {
    await withServed(async ({ api, folder, example }) => {
      api.ledger.quotas.set('account', 5);
      const { code, out } = await folder.start('bash', 'follow.sh', quickened(example('follow curl'))).ended;
      assert.equal(code, 1);
      assert.match(out, /quota-exhausted/);
    });
  });

  it('start with a game that is played now', async () => {
    await withServed(async ({ folder, api }) => {
      const uuid = '00000000-0000-4000-8000-000000000003';
      api.catalog.addGame({ gameId: 'MLB_LAD_SFG_20260807', uuid, status: 'STARTED' });
      const page = (await api.get('/docs', { key: null })).body.toString('utf8');
      // The folder has API and KEY.
      const start = examplesOf(page, 'data-start')
        .get('curl')
        ?.replaceAll(/^export (?:API|KEY)=.*$/gm, '');
      const ran = await folder.start('bash', 'start.sh', `set -e\n${start}\necho " played: $GAME"`).ended;
      assertDone(ran);
      assert.match(ran.out, / played: MLB_LAD_SFG_20260807\n$/);
    });
  });

  it('list games', async () => {
    await withServed(async ({ folder, example }) => {
      const [first = ''] = example('list-games curl').split('\n\n');
      const ran = await folder.start('bash', 'list.sh', first).ended;
      assertDone(ran);
      assert.equal((JSON.parse(ran.out) as { data: { id: string }[] }).data[0]?.id, 'MLB_STL_NYY_20260805');
    });
  });

  it('download a file once, and see its price before', async () => {
    await withServed(async ({ log, folder, example, api }) => {
      api.catalog.addGame(endedWithoutFiles);
      const early = await folder.start('bash', 'download.sh', example('download curl')).ended;
      assert.notEqual(early.code, 0);
      assert.match(early.err, /no game has settled yet/);
      await log.settle();
      for (const time of ['first', 'second']) {
        const ran = await folder.start('bash', 'download.sh', example('download curl')).ended;
        assertDone(ran);
        assert.match(ran.out, /^x-service-rowcount: 4\r$/im, time);
      }
      const file = readFileSync(join(folder.path, 'closing-lines.parquet'));
      assert.equal(parquetWriter.decode('closing-lines', file).length, 4);
      assert.equal(await usedRows(api), 4, 'the second time was free');
    });
  });

  it('compare two versions of the results, and each costs its own rows', async () => {
    await withServed(async ({ log, folder, example, api }) => {
      await log.settle();
      await log.correct();
      const ran = await folder.start('bash', 'compare.sh', example('compare curl')).ended;
      assertDone(ran);
      assert.equal(ran.out, 'version 2: player-stats/01K1ZJ2M5Q8W3N7T4R6Y9B0C1D/2\nversion 1: settled\n');
      assert.equal(await usedRows(api), 8);
      const query = await folder.start('bash', 'query.sh', example('compare duckdb')).ended;
      assertDone(query);
      assert.deepEqual(query.out.trim().split('\n'), [
        'moneyline/full/home|null|win|push|2.000|2.000',
        'total/full/over|8.500|win|null|9.000|null',
        'total/full/under|9.500|null|loss|null|9.000',
      ]);
    });
  });

  it('poll a board until the game is final; and DuckDB finds the best prices', async () => {
    await withServed(async ({ log, folder, example }) => {
      const running = folder.start('bash', 'board.sh', quickened(example('board curl')));
      const board = join(folder.path, 'board', 'DRAFTKINGS.parquet');
      const etag = board.replace(/parquet$/, 'etag');
      await until('the board is there', () => existsSync(board) && existsSync(etag));
      const query = await folder.start('bash', 'query.sh', example('board duckdb')).ended;
      assertDone(query);
      assert.equal(query.out.trim().split('\n').length, 4);
      await log.settle();
      assertDone(await running.ended);
      assert.equal(parquetWriter.decode('board', readFileSync(board)).length, 4);
    });
  });
});

describe('DuckDB over httpfs', skipFor(left || httpfs.skip), () => {
  const duckdb = httpfs.skip === false ? { httpfs: httpfs.path } : {};

  it('lists games, free of charge', async () => {
    await withServed(async ({ folder, example, api }) => {
      const query = await folder.start('sh', 'query.sh', example('list-games duckdb')).ended;
      assertDone(query);
      assert.match(query.out, /^MLB_STL_NYY_20260805\|MLB\|2026-08-05\|/);
      assert.equal(await usedRows(api), 0);
    }, duckdb);
  });

  it('reads a file at once, for the price of its rows', async () => {
    await withServed(async ({ log, folder, example, api, ranges }) => {
      await log.settle();
      const query = await folder.start('sh', 'query.sh', example('download duckdb')).ended;
      assertDone(query);
      assert.equal(query.out.trim().split('\n').length, 2);
      assert.deepEqual([ranges, await usedRows(api)], [[], 4]);
    }, duckdb);
  });
});
