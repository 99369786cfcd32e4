// Requests that wait for news, over real HTTP: docs/interface.md#waiting. A wait that ends too early shows in its answer, one that ends too
// late in the test's own time.
import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { formatCursor } from '../../../core/msf/published/cursor.ts';
import type { LiveManifest, LiveRows } from '../../../schemas/http/live.ts';
import type { ChangeListing } from '../../../schemas/http/msf.ts';
import { landFinals } from '../../support/builders/final-files.ts';
import { parquetRows } from '../../support/builders/parquet-log.ts';
import { type FakeLog, uuidOf } from '../../support/fakes/api-fakes.ts';
import { epochNamed, gameScope } from '../../support/fakes/fake-msf.ts';
import { assertProblem, pepper, type Reply, startApi, type TestApi } from '../../support/http/api-http.ts';
import { ownMs } from '../../support/processes/own-time.ts';

const game = 'MLB_STL_NYY_20260805';
const path = (rest: string) => `/v1/games/${game}/sportsbook-lines/${rest}`;

let api: TestApi;
let log: FakeLog;
let isClosed = false;

beforeEach(async () => {
  api = await startApi();
  isClosed = false;
  log = api.log(game, 5, parquetRows);
});
afterEach(async () => {
  if (!isClosed) await api.close();
});

/** A request in progress, and whether it has been answered. */
function waiting(rest: string, headers: Record<string, string> = {}, seconds = 25) {
  const asked = { done: false, reply: Promise.resolve() as unknown as Promise<Reply> };
  const target = rest.startsWith('/') ? rest : path(rest);
  asked.reply = api.get(target, { headers: { prefer: `wait=${seconds}`, ...headers } }).finally(() => {
    asked.done = true;
  });
  return asked;
}

/** Waits until the server has had time to answer what it can. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await api.get('/health', { key: null });
}

const applied = ({ headers }: Reply) => headers['preference-applied'];

/** The parts of an answer that may not depend on a wait. */
function lasting({ status, headers, body }: Reply) {
  const { date, 'x-request-id': id, 'preference-applied': preference, ...rest } = headers;
  const names = Object.keys(rest).filter((name) => !name.startsWith('ratelimit'));
  return { status, body, headers: names.sort().map((name) => [name, rest[name]]) };
}

describe('a request that prefers to wait', () => {
  it('for a listing is answered the moment that its cursor moves, with the usual answer', async () => {
    await log.append(3);
    const first = waiting('segments?cursor=1:3');
    await settled();
    assert.equal(first.done, false);
    await log.append(0);
    await settled();
    assert.equal(first.done, false, 'a board alone moves no cursor');
    await log.append(1);
    const began = ownMs();
    const reply = await first.reply;
    assert.ok(ownMs() - began < 2_000, 'before what an instance remembers is read again');
    assert.equal(applied(reply), 'wait=25');
    assert.equal((reply.json() as LiveManifest).cursor, '1:4');
    assert.deepEqual(lasting(reply), lasting(await api.get(path('segments?cursor=1:3'))));
  });

  it('for rows is answered with them, and charged then', async () => {
    await log.append(3);
    const asked = waiting('rows?cursor=1:3');
    await settled();
    assert.deepEqual([asked.done, (await api.ledger.usage('account')).usedRows], [false, 0]);
    await log.append(2);
    const reply = await asked.reply;
    assert.equal((reply.json() as LiveRows).rows.length, 2);
    assert.equal(reply.headers['x-service-debited'], '5');
    assert.equal((await api.ledger.usage('account')).usedRows, 5);
  });

  it('for the first row of a game waits too', async () => {
    await log.append(0);
    const asked = [waiting('rows'), waiting('segments')];
    await settled();
    assert.ok(asked.every(({ done }) => !done));
    await log.append(1);
    for (const { reply } of asked) assert.equal(((await reply).json() as LiveRows).cursor, '1:1');
  });

  it('for a board waits while If-None-Match names it, and not without', async () => {
    await log.append(3);
    for (const rest of ['board', 'board/DRAFTKINGS', 'segments']) {
      const at = await waiting(rest).reply;
      assert.deepEqual([at.status, applied(at)], [200, 'wait=25']);
      const asked = waiting(rest, { 'if-none-match': at.headers.etag as string });
      await settled();
      assert.equal(asked.done, false, rest);
      await log.append(1);
      const reply = await asked.reply;
      assert.equal(reply.status, 200);
      assert.notEqual(reply.headers.etag, at.headers.etag);
    }
  });

  it('for changes is answered the moment that a revision is published', async () => {
    const stream = api.stream(game, 'plays');
    await stream.publish(['a=1']);
    const cursor = formatCursor({
      dataset: 'plays',
      scopeUuid: gameScope(game).uuid,
      epoch: epochNamed('A'),
      revision: 1,
    });
    const asked = waiting(`/v1/games/${game}/plays/changes?cursor=${cursor}`);
    const walked = await waiting(`/v1/games/${game}/plays/changes?cursor=${cursor}&until_revision=1`).reply;
    assert.equal((walked.json() as ChangeListing).revisions.length, 0, 'a walk that has ended waits for nothing');
    await settled();
    assert.equal(asked.done, false);
    await stream.publish(['b=1']);
    const reply = await asked.reply;
    assert.deepEqual([(reply.json() as ChangeListing).revisions.length, applied(reply)], [1, 'wait=25']);
  });

  it('gets the usual answer when its time is over', async () => {
    await log.append(3);
    const { etag } = (await api.get(path('board'))).headers;
    const began = performance.now();
    const [rows, board] = await Promise.all([
      waiting('rows?cursor=1:3', {}, 1).reply,
      waiting('board', { 'if-none-match': etag as string }, 1).reply,
    ]);
    assert.ok(performance.now() - began >= 990);
    assert.deepEqual(rows.json(), { rows: [], cursor: '1:3' });
    assert.deepEqual([board.status, applied(board), applied(rows)], [304, 'wait=1', 'wait=1']);
  });

  it('waits 25 seconds at most, and no other header field changes anything', async () => {
    await log.append(3);
    assert.equal(applied(await waiting('rows', {}, 86_400).reply), 'wait=25');
    for (const prefer of ['wait=0', 'wait=x', 'respond-async', '']) {
      const reply = await api.get(path('rows?cursor=1:3'), { headers: { prefer } });
      assert.deepEqual([reply.status, applied(reply)], [200, undefined], prefer);
    }
    assert.equal(applied(await waiting(`/v1/games/${game}`).reply), undefined, 'a route that does not wait');
  });

  it('ends with a refusal when the log is rebuilt or the game becomes final', async () => {
    await log.append(3);
    const began = ownMs();
    assertProblem(await waiting('rows?cursor=9:9').reply, 'live-cursor-reset');
    assertProblem(await waiting('rows?cursor=9').reply, 'validation-error');
    const asked = [waiting('rows?cursor=1:3'), waiting('segments?cursor=1:3')];
    await settled();
    await log.rebuild(3);
    for (const { reply } of asked) assertProblem(await reply, 'live-cursor-reset');
    const { cursor } = (await api.get(path('rows'))).json() as LiveRows;
    const { etag = '' } = (await api.get(path('board'))).headers;
    const last = [waiting(`rows?cursor=${cursor}`), waiting('board', { 'if-none-match': etag })];
    await settled();
    assert.ok(last.every(({ done }) => !done));
    const of = { uuid: uuidOf(game), gameId: game, league: 'MLB' };
    await landFinals({ objects: api.objects, artifacts: api.catalog }, of);
    for (const { reply } of last) assert.equal(assertProblem(await reply, 'not-found').reason, 'final_available');
    assert.ok(ownMs() - began < 8_000, 'none of them lasted as long as it might have');
  });

  it('counts as one request', async () => {
    await api.close();
    api = await startApi({ rateLimits: { PRO: 100 } });
    log = api.log(game, 5, parquetRows);
    await log.append(1);
    const left = async () => Number((await api.get(path('rows'))).headers['ratelimit-remaining']);
    const before = await left();
    const asked = waiting('segments?cursor=1:1');
    await settled();
    for (let commit = 0; commit < 5; commit += 1) await log.append(0);
    await log.append(1);
    await asked.reply;
    assert.equal(before - (await left()), 2);
  });
});

describe('an instance', () => {
  it('asks the catalog for what many wait for as if it were one', async () => {
    await log.append(3);
    await api.get(path('rows'));
    const before = api.catalog.calls.served;
    const asked = Array.from({ length: 150 }, () => waiting('segments?cursor=1:3'));
    await settled();
    assert.ok(asked.every(({ done }) => !done));
    assert.ok(api.catalog.calls.served - before <= 1, 'none because they wait');
    await log.append(1);
    for (const { reply } of asked) assert.equal((await reply).status, 200);
    assert.ok(api.catalog.calls.served - before <= 4);
  });

  it('without notices still notices a change within the age of an answer', async () => {
    await log.append(3);
    const asked = waiting('rows?cursor=1:3');
    await settled();
    api.catalog.announcing = false;
    await log.append(1);
    const began = ownMs();
    assert.equal(((await asked.reply).json() as LiveRows).rows.length, 1);
    assert.ok(ownMs() - began < 8_000);
  });

  it('continues when its catalog is back', async () => {
    await log.append(3);
    const asked = waiting('rows?cursor=1:3');
    await settled();
    api.catalog.state = 'down';
    await log.append(1);
    await settled();
    assert.equal(asked.done, false);
    api.catalog.state = 'up';
    assert.equal(((await asked.reply).json() as LiveRows).rows.length, 1);
  });

  it('answers all that wait when it stops', async () => {
    await log.append(3);
    const asked = [waiting('rows?cursor=1:3'), waiting('segments?cursor=1:3')];
    await settled();
    const began = ownMs();
    isClosed = true;
    await api.close();
    for (const { reply } of asked) assert.equal((await reply).status, 200);
    assert.ok(ownMs() - began < 3_000);
  });

  it('reads nothing more for clients that have gone', async () => {
    await log.append(3);
    const request = httpRequest(new URL(path('rows?cursor=1:3'), api.url), {
      headers: { authorization: `Bearer ${api.key}`, prefer: 'wait=25' },
    });
    request.on('error', () => {});
    request.end();
    const served = () => api.catalog.calls.served;
    while (served() === 0) await settled();
    request.destroy();
    await new Promise((resolve) => request.once('close', resolve));
    await settled();
    // No longer used recently, so that only a watcher would make the API read it.
    api.clock.ahead += 60_000_000;
    const before = served();
    for (let commit = 0; commit < 5; commit += 1) await log.append(1);
    await settled();
    assert.equal(served(), before);
  });
});

it('followers who only use waits see each row once, in order, and pay for it once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 12 }), async (commits) => {
      await api.close();
      api = await startApi();
      log = api.log(game, 5, parquetRows);
      await log.append(1);
      const total = 1 + commits.reduce((sum, count) => sum + count, 0);
      const follow = async (key: string) => {
        const numbers: unknown[] = [];
        let cursor = '0:0';
        let debited = 0;
        while (numbers.length < total) {
          const reply = await api.get(path(`rows?cursor=${cursor}&limit=3`), { key, headers: { prefer: 'wait=25' } });
          const page = reply.json() as LiveRows;
          numbers.push(...page.rows.map(({ row_number }) => row_number));
          cursor = page.cursor;
          debited += Number(reply.headers['x-service-debited']);
        }
        return { numbers, debited };
      };
      const followers = Array.from({ length: 4 }, (_, at) =>
        follow(api.catalog.mint(pepper, { accountId: `follower ${at}` })),
      );
      for (const count of commits) {
        await log.append(count);
        await new Promise((resolve) => setImmediate(resolve));
      }
      const expected = Array.from({ length: total }, (_, at) => at + 1);
      for (const found of await Promise.all(followers)) assert.deepEqual(found, { numbers: expected, debited: total });
    }),
    { numRuns: 15 },
  );
});
