// Claim: DuckDB over httpfs, through the proxy, without a key, reads what it reads of the file itself; ten readers of many ranges pay for the
// file once, and read it again with the API away. Without the proxy each query pays once where it takes the file whole.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ExampleFolder, examplesOf } from '../../support/book/document-examples.ts';
import { landFinals } from '../../support/builders/final-files.ts';
import { lineRows } from '../../support/builders/final-rows.ts';
import { uuidOf } from '../../support/fakes/api-fakes.ts';
import { startApi, type TestApi } from '../../support/http/api-http.ts';
import { askPython } from '../../support/parquet/ask-python.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { type RunningProxy, startProxy } from '../../support/processes/running-proxy.ts';
import { services } from '../../support/services/services.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const httpfs = await services.httpfs();
const game = { uuid: uuidOf('MLB_BOS_TOR_20260804'), gameId: 'MLB_BOS_TOR_20260804', league: 'MLB' };
const rows = 20_000;

describe('DuckDB over httpfs through the proxy', skipFor(httpfs.skip), () => {
  const folder = makeDataFolder('httpfs');
  const [keyFile, copy] = [join(folder, 'key'), join(folder, 'lines.parquet')];
  let api: TestApi;
  let proxy: RunningProxy;

  beforeAll(async () => {
    api = await startApi();
    api.catalog.addGame(game);
    const files = await landFinals({ objects: api.objects, artifacts: api.catalog }, game, {
      lines: lineRows(game, rows),
    });
    writeFileSync(copy, files['sportsbook-lines'].bytes);
    writeFileSync(keyFile, api.key);
    proxy = await startProxy({ url: api.url, keyFile, cache: join(folder, 'cache') });
  });
  afterAll(async () => {
    await proxy?.kill();
    await api?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const used = async (): Promise<number> => (await api.ledger.usage('account')).usedRows;
  type How = { bearer?: string; whole?: boolean };
  const ask = async (file: string, readers: number, how: How = {}): Promise<unknown[]> => {
    const question = { file, readers, ...how };
    const path = httpfs.skip === false ? httpfs.path : '';
    const [answers = []] = await askPython<unknown[]>(path, ['over_http.py'], [question]);
    return answers;
  };

  it('runs as /docs prints it', async () => {
    const page = String((await api.get('/docs', { key: null })).body);
    const [start = '', ...reads] = examplesOf(page, 'data-tool').get('proxy')?.split('\n') ?? [];
    const printed = /\bserves (\S+)$/.exec(start)?.[1] ?? assert.fail(start);
    // What `proxy` was started with, beside a folder and a port of its own.
    assert.equal(start.split(/ +#/)[0], './sds proxy --url https://api.example.test --key-file key');
    const program = reads.join('\n');
    assert.ok(program.includes(printed), program);
    using examples = new ExampleFolder({ GAME: game.gameId }, httpfs.skip === false ? { httpfs: httpfs.path } : {});
    const { ended } = examples.start('sh', 'read.sh', program.replace(printed, proxy.url));
    const { code, out, err } = await ended;
    assert.equal(code, 0, err);
    assert.equal(out.trim().split('\n').length, await used());
  });

  it('pays once for ten readers, where the API charges each range, or each query that takes the file whole', async () => {
    const path = `/v1/games/${game.gameId}/sportsbook-lines`;
    const [expected] = await ask(copy, 1);
    assert.match(JSON.stringify(expected), new RegExp(`^\\[\\[\\[${rows}\\]\\]`));

    const before = await used();
    for (const answer of await ask(proxy.url + path, 10)) assert.deepEqual(answer, expected);
    assert.equal(await used(), before + rows);

    const whole = await ask(api.url + path, 1, { bearer: api.key, whole: true });
    assert.deepEqual(whole, [expected]);
    const queries = (expected as unknown[]).length;
    const paid = before + (1 + queries) * rows;
    assert.equal(await used(), paid);

    const direct = await ask(api.url + path, 1, { bearer: api.key });
    assert.deepEqual(direct, [expected]);
    const paidDirectly = (await used()) - paid;
    assert.ok(paidDirectly >= 2 * rows, `one reader of the API paid ${paidDirectly}`);

    await api.close();
    for (const answer of await ask(proxy.url + path, 3)) assert.deepEqual(answer, expected);
    const { rows_debited: debited, stale = 0 } = await proxy.stop();
    assert.deepEqual([debited, stale > 0], [before + rows, true]);
  });
});
