// What the Python clients give to and take from functions and libraries of the caller: cursors kept by a function, tables of polars and pandas,
// and the progress of a history whose files are read in parallel.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { apiKey, ScriptedServer } from '../../../clients/conformance/world/server.ts';
import { run } from '../../support/services/installed.ts';
import { services } from '../../support/services/services.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const python = await services.python();
const client = fileURLToPath(new URL('../../../clients/python', import.meta.url));
const game = 'NBA_BOS_CLE_20260109';
const settled = ['NBA_LAL_GSW_20260110', 'NBA_MIA_NYK_20260110', 'NBA_UTA_DEN_20260110'];

const server = new ScriptedServer();
/** How many requests for final files are in progress, and the most there were. */
const finals = { now: 0, most: 0 };
/** Passes requests on to the server, those for final files a moment later. */
const front = createServer((request, response) => {
  const isFinal = request.url?.endsWith('/sportsbook-lines') === true && request.method === 'GET';
  finals.now += isFinal ? 1 : 0;
  finals.most = Math.max(finals.most, finals.now);
  const pass = async (): Promise<void> => {
    const { authorization = '' } = request.headers;
    const answer = await fetch(server.url + request.url, { headers: { authorization } });
    const body = Buffer.from(await answer.arrayBuffer());
    finals.now -= isFinal ? 1 : 0;
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body);
  };
  setTimeout(() => void pass(), isFinal ? 1_000 : 0);
});
beforeAll(async () => {
  await server.start();
  await once(front.listen(0, '127.0.0.1'), 'listening');
  server.game(game).log.append(5);
  for (const id of settled) {
    server.game(id).log.append(2);
    server.game(id).log.settled = true;
  }
});
afterAll(async () => {
  front.close();
  await server.stop();
});

/** What a program prints as JSON. `sds`, `game` and `options` are set. */
async function printed(program: string): Promise<unknown> {
  const begin = `
import asyncio, datetime, json, sys
from sds_client import AsyncClient, Client
url, key, game = sys.argv[1:]
options = {"poll": 0.02, "cache": None, "at_once": 2}
sds = Client(url, key, **options)
day = datetime.date(2026, 1, 10)
`;
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const args = ['-c', begin + program, url, apiKey, game];
  return JSON.parse(await run(python.path, args, { env: { PYTHONPATH: client, PYTHONDONTWRITEBYTECODE: '1' } }));
}

describe('the Python clients', skipFor(python.skip), () => {
  for (const [name, take] of Object.entries({
    Client: `
def take(count):
    with sds.follow(game, store=store) as rows:
        return [next(rows)["row_number"] for _ in range(count)]
`,
    AsyncClient: `
async def taking(count):
    async with AsyncClient(url, key, **options).follow(game, store=store) as rows:
        return [(await anext(rows))["row_number"] for _ in range(count)]
def take(count):
    return asyncio.run(taking(count))
`,
  }))
    it(`${name}: a function is a store of cursors: what was taken is not handed out again`, async () => {
      const kept = await printed(`
held = {}
def store(key, cursor=None):
    if cursor is None:
        return held.get(key)
    held[key] = cursor
${take}
print(json.dumps([take(3), list(held), take(3)]))
`);
      // The third counted as not taken: the next one was never asked for.
      assert.deepEqual(kept, [[1, 2, 3], [`${game}.sportsbook-lines`], [3, 4, 5]]);
    });

  it('AsyncClient: a coroutine function is a store of cursors, too', async () => {
    const kept = await printed(`
held = {}
async def store(key, cursor=None):
    await asyncio.sleep(0)
    if cursor is None:
        return held.get(key)
    held[key] = cursor
async def taking(count):
    async with AsyncClient(url, key, **options).follow(game, store=store) as rows:
        return [(await anext(rows))["row_number"] for _ in range(count)]
print(json.dumps([asyncio.run(taking(3)), list(held), asyncio.run(taking(3))]))
`);
    assert.deepEqual(kept, [[1, 2, 3], [`${game}.sportsbook-lines`], [3, 4, 5]]);
  });

  it('the refusal of a setting does not show the key', async () => {
    const said = (await printed(`
secret, said = "svc_live_SECRET", []
for made in (Client, AsyncClient):
    for settings in ((url, secret + "\\nsecond"), (secret, url)):
        try:
            made(*settings)
        except ValueError as error:
            said.append(repr(error))
print(json.dumps(said))
`)) as string[];
    assert.equal(said.length, 4);
    for (const each of said) assert.ok(!each.includes('SECRET'), each);
  });

  it('the rows of a revision are those of the caller alone', async () => {
    const { stream } = server.game('NBA_UTA_DEN_20260110');
    stream.revise({ a: 1 });
    stream.revise({ b: 2 });
    const seen = await printed(`
seen = []
for revision in sds.revisions("NBA_UTA_DEN_20260110", "team-stats", at=1):
    seen.append([str(row["value"]) for row in revision.rows])
    for row in revision.rows:
        row["value"] = None
print(json.dumps(seen))
`);
    assert.deepEqual(seen, [['0.0001'], ['0.0001', '0.0002']]);
  });

  it('a Retry-After that is no date is none', async () => {
    const said = await printed(`
from sds_client.core.ask import _retry_after
date = "Mon, 01 Jan 2029 00:00:00 GMT"
later = ["Mon, 01 Jan 2029 00:01:00 GMT", "Mon, 01 Jan 99999999999 00:00:00 GMT", "Mon, 01 Jan 2029 00:00:00", "soon", ""]
print(json.dumps([_retry_after({"date": date, "retry-after": text}) for text in later]))
`);
    assert.deepEqual(said, [60, null, null, null, null]);
  });

  it('one sportsbook may be named alone, in any case', async () => {
    const [board, boards, odds] = (await printed(`
boards = [sorted(row["row_number"] for row in sds.board(game, each).to_list()) for each in ("alpha", ["alpha"])]
print(json.dumps([*boards, [sds.odds(game, operators=each) for each in ("ALPHA", ["ALPHA"])]]))
`)) as [number[], number[], [unknown, unknown]];
    assert.ok(boards.length > 0);
    assert.deepEqual(board, boards);
    assert.deepEqual(odds[0], odds[1]);
  });

  it('a user without a home has no cache, unless XDG_CACHE_HOME names a folder', async () => {
    const [homeless, named] = (await printed(`
import os, pwd
def nobody(uid):
    raise KeyError(uid)
os.environ.pop("HOME", None)
os.environ.pop("XDG_CACHE_HOME", None)
pwd.getpwuid = nobody
from sds_client.options import Options
homeless = Options(url, key).cache
os.environ["XDG_CACHE_HOME"] = "/var/cache"
print(json.dumps([homeless, str(Options(url, key).cache._folder)]))
`)) as [unknown, string];
    assert.equal(homeless, null);
    assert.match(named, /^\/var\/cache\/sds-client\//);
  });

  it('a table is the same in Arrow, polars and pandas', async () => {
    const [types, arrow, polars, pandas] = (await printed(`
table = sds.board(game)
numbers = [table.to_arrow()["row_number"].to_pylist(), table.to_polars()["row_number"].to_list(), table.to_pandas()["row_number"].tolist()]
print(json.dumps([[type(table.to_polars()).__module__.split(".")[0], type(table.to_pandas()).__module__.split(".")[0]], *numbers]))
`)) as [string[], number[], number[], number[]];
    assert.deepEqual(types, ['polars', 'pandas']);
    assert.ok(arrow.length > 0);
    assert.deepEqual([polars, pandas], [arrow, arrow]);
  });

  for (const [name, call] of Object.entries({
    Client: 'sds.history("NBA", day, day, "sportsbook-lines", progress)',
    AsyncClient: 'asyncio.run(AsyncClient(url, key, **options).history("NBA", day, day, "sportsbook-lines", progress))',
  }))
    it(`${name}: a history reads files in parallel, and says how far it is, file by file`, async () => {
      finals.most = 0;
      const [told, rows] = (await printed(`
told = []
def progress(done, total):
    told.append([done, total])
history = ${call}
print(json.dumps([sorted(told), len(history)]))
`)) as [number[][], number];
      assert.deepEqual(
        told,
        settled.map((_, at) => [at + 1, settled.length]),
      );
      assert.equal(rows, 2 * settled.length);
      assert.equal(finals.most, 2, 'as many at once as `at_once` says');
    });
});
