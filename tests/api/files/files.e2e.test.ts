// Files over real HTTP: docs/interface.md#final-files and the live files; docs/interface.md#http-behaviour; invariant I4.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { landFinals } from '../../support/builders/final-files.ts';
import { lineRows } from '../../support/builders/final-rows.ts';
import { uuidOf } from '../../support/fakes/api-fakes.ts';
import { assertProblem, type Reply, startApi, type TestApi } from '../../support/http/api-http.ts';

let api: TestApi;
const game = 'MLB_STL_NYY_20260805';
const closed = `/v1/games/${game}/sportsbook-lines/segments/1?rows=5`;
const tail = `/v1/games/${game}/sportsbook-lines/segments/2?rows=2`;
const board = `/v1/games/${game}/sportsbook-lines/board/DRAFTKINGS`;
const settled = { uuid: uuidOf('settled'), gameId: 'NFL_DET_PHI_20260805', league: 'NFL' };
const final = `/v1/games/${settled.gameId}/closing-lines`;
/** A file larger than what is kept in memory. */
const large = `/v1/games/${settled.gameId}/sportsbook-lines`;
let whole: Record<string, Reply>;

beforeAll(async () => {
  api = await startApi({ limits: { largestKeptFile: 16_384, pieceBytes: 1_000 } });
  await api.log(game).append(7);
  api.catalog.addGame(settled);
  const finals = await landFinals({ objects: api.objects, artifacts: api.catalog }, settled, {
    lines: lineRows(settled, 2_000),
  });
  assert.ok(finals['closing-lines'].bytes.length < 16_384 && finals['sportsbook-lines'].bytes.length > 17_000);
  whole = {};
  for (const path of [closed, tail, board, final, large]) whole[path] = await api.get(path);
});
afterAll(() => api.close());

const withHeaders = (path: string, headers: Record<string, string>, method = 'GET') =>
  api.get(path, { headers, method });

for (const path of [closed, tail, board, final, large]) {
  describe(path, () => {
    it('has the SHA-256 of its bytes as its ETag', () => {
      const sha256 = createHash('sha256').update(whole[path]!.body).digest('hex');
      assert.equal(whole[path]!.headers.etag, `"${sha256}"`);
    });

    it('gives any range as that slice of the whole, under one ETag, never to be kept', async () => {
      const { body, headers } = whole[path]!;
      const size = body.length;
      const table: [string, number, number][] = [
        ['bytes=0-0', 0, 1],
        [`bytes=0-${size - 1}`, 0, size],
        ['bytes=3-9', 3, 10],
        ['bytes=5-', 5, size],
        ['bytes=-7', size - 7, size],
        ['bytes=-262144', 0, size],
        ['bytes=4-999999999', 4, size],
        ['BYTES=1-1', 1, 2],
      ];
      for (const [range, start, end] of table) {
        const part = await withHeaders(path, { range });
        assert.equal(part.status, 206, range);
        assert.deepEqual(part.body, body.subarray(start, end), range);
        assert.equal(part.headers['content-range'], `bytes ${start}-${end - 1}/${size}`);
        assert.equal(part.headers['content-length'], String(end - start));
        assert.equal(part.headers['cache-control'], 'no-store');
        for (const same of ['etag', 'x-service-rowcount', 'accept-ranges', 'content-type', 'vary']) {
          assert.equal(part.headers[same], headers[same], same);
        }
      }
    });

    it('answers several ranges and other units with the whole file', async () => {
      for (const range of ['bytes=0-0,2-3', 'bytes=0-,0-', 'rows=0-1', 'seconds=5']) {
        const reply = await withHeaders(path, { range });
        assert.deepEqual([reply.status, reply.body], [200, whole[path]!.body], range);
        assert.equal(reply.headers['content-range'], undefined);
      }
    });

    it('answers bad syntax with 400 and what cannot be satisfied with 416', async () => {
      for (const range of ['bytes', 'bytes=', 'bytes=-', 'bytes=2-1', 'bytes=a-b', 'bytes=1-2-3', 'bytes=0-0,x']) {
        const problem = assertProblem(await withHeaders(path, { range }), 'validation-error');
        assert.match(problem.detail as string, /Range/, range);
      }
      const { length } = whole[path]!.body;
      for (const range of [`bytes=${length}-`, 'bytes=-0', 'bytes=99999999999999999999-']) {
        const reply = await withHeaders(path, { range });
        assertProblem(reply, 'range-not-satisfiable');
        assert.equal(reply.headers['content-range'], `bytes */${length}`, range);
      }
    });

    it('honours If-Range by its strong ETag, and gives the whole file otherwise', async () => {
      const etag = whole[path]!.headers.etag as string;
      const range = 'bytes=1-2';
      assert.equal((await withHeaders(path, { range, 'if-range': etag })).status, 206);
      for (const other of [`W/${etag}`, '"other"', 'Wed, 21 Oct 2026 07:28:00 GMT', '']) {
        const reply = await withHeaders(path, { range, 'if-range': other });
        assert.deepEqual([reply.status, reply.body], [200, whole[path]!.body], other);
      }
      const beyond = await withHeaders(path, { range: 'bytes=9999999-', 'if-range': '"other"' });
      assert.equal(beyond.status, 200, 'a range that does not count cannot fail');
    });

    it('answers a matching If-None-Match with 304, without body and with the header fields of the 200', async () => {
      const { headers } = whole[path]!;
      const etag = headers.etag as string;
      for (const field of [etag, `W/${etag}`, '*', `"other", ${etag}`, `"a,b" ,W/${etag}`]) {
        const reply = await withHeaders(path, { 'if-none-match': field });
        assert.deepEqual([reply.status, reply.body.length, reply.headers.etag], [304, 0, etag], field);
        assert.equal(reply.headers['cache-control'], headers['cache-control']);
        assert.equal(reply.headers.vary, 'Authorization');
        assert.equal(reply.headers['x-service-rowcount'], undefined);
      }
      for (const field of ['"other"', etag.slice(1, -1), '""']) {
        assert.equal((await withHeaders(path, { 'if-none-match': field })).status, 200, field);
      }
      const part = await withHeaders(path, { 'if-none-match': etag, range: 'bytes=0-1' });
      assert.equal(part.status, 304, 'the precondition comes before the range');
    });

    it('answers a failed If-Match with 412', async () => {
      const etag = whole[path]!.headers.etag as string;
      for (const field of ['"other"', `W/${etag}`]) {
        assertProblem(await withHeaders(path, { 'if-match': field }), 'precondition-failed');
      }
      for (const field of [etag, '*', `"other", ${etag}`]) {
        assert.equal((await withHeaders(path, { 'if-match': field })).status, 200, field);
      }
    });

    it('answers HEAD with the headers of the GET and no body', async () => {
      const { headers } = whole[path]!;
      const head = await api.get(path, { method: 'HEAD' });
      assert.deepEqual([head.status, head.body.length], [200, 0]);
      assert.deepEqual(lasting(head.headers), lasting(headers));
      assert.equal((await withHeaders(path, { range: 'bytes=0-1' }, 'HEAD')).status, 200);
      assert.equal((await withHeaders(path, { 'if-none-match': '*' }, 'HEAD')).status, 304);
    });
  });
}

/** The headers that are equal for all requests. */
function lasting(headers: Reply['headers']): Reply['headers'] {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(date|x-request-id|x-service-debited|ratelimit.*)$/.test(name)),
  );
}

it('HEAD costs no read of the file', async (t) => {
  const other = await startApi();
  t.onTestFinished(() => other.close());
  await other.log(game).append(2);
  other.objects.get = () => Promise.reject(new Error('not asked'));
  for (const path of [tail.replace('/2', '/1'), board]) {
    const reply = await other.get(path, { method: 'HEAD' });
    assert.deepEqual([reply.status, reply.headers['x-service-rowcount']], [200, '2']);
  }
});

it('HEAD of a failure is its status and headers without the document', async () => {
  for (const [path, status] of [
    [`/v1/games/${game}/nonsense`, 404],
    [`${closed}6`, 409],
    ['/nonsense', 404],
    ['/v1/games?x', 400],
  ] as const) {
    const get = await api.get(path);
    const head = await api.get(path, { method: 'HEAD' });
    assert.deepEqual([head.status, head.body.length], [status, 0]);
    assert.equal(head.headers['content-length'], get.headers['content-length']);
    assert.equal(head.headers['content-type'], 'application/problem+json');
  }
});

// I4: the bytes of one URL and ETag never change, and two ranges read with one ETag fit together while the tail grows.
it('parts taken under one ETag join to the file of that ETag, while the tail moves', async (t) => {
  const other = await startApi();
  t.onTestFinished(() => other.close());
  const log = other.log(game, 1_000);
  await log.append(20);
  const url = `/v1/games/${game}/sportsbook-lines/segments/1`;
  const seen = new Map<string, Buffer>();
  for (let round = 0; round < 30; round += 1) {
    const first = await other.get(url, { headers: { range: 'bytes=0-99' } });
    if (round % 2 === 1) await log.append(3);
    const rest = await other.get(url, { headers: { range: 'bytes=100-', 'if-range': first.headers.etag as string } });
    if (rest.status === 206) {
      assert.equal(rest.headers.etag, first.headers.etag);
      const joined = Buffer.concat([first.body, rest.body]);
      const etag = first.headers.etag as string;
      assert.equal(`"${createHash('sha256').update(joined).digest('hex')}"`, etag);
      assert.deepEqual(seen.get(etag) ?? joined, joined);
      seen.set(etag, joined);
    } else {
      assert.equal(rest.status, 200);
      assert.notEqual(rest.headers.etag, first.headers.etag);
    }
  }
  assert.equal(seen.size, 15);
});

describe('a listed address keeps its meaning while the tail moves', () => {
  it('every rows=N serves the first N rows, or more, of the same log', async (t) => {
    const other = await startApi();
    t.onTestFinished(() => other.close());
    const log = other.log(game, 50);
    const listed: string[] = [];
    for (let round = 0; round < 40; round += 1) {
      await log.append(1 + (round % 3));
      const manifest = (await other.get(`/v1/games/${game}/sportsbook-lines/segments`)).json() as {
        segments: { url: string }[];
      };
      listed.push(manifest.segments.at(-1)?.url as string);
    }
    for (const url of listed) {
      const rows = Number(new URL(url, 'http://x').searchParams.get('rows'));
      const reply = await other.get(url);
      assert.equal(reply.status, 200);
      assert.equal(reply.headers['x-service-rowcount'], String(rows), 'all of them were served by this instance');
      const seq = Number(/segments\/(\d+)/.exec(url)?.[1]);
      assert.deepEqual(
        reply.body.toString().trimEnd().split('\n'),
        log.rows.slice((seq - 1) * 50, (seq - 1) * 50 + rows),
      );
    }
    assert.equal(other.catalog.calls.tailVersion, 0);
  });
});
