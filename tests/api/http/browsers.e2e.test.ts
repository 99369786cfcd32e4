// The API as web pages use it, and the header fields of every answer that browsers act on: docs/interface.md#response-headers; SECURITY.md.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { assertProblem, type Reply, startApi, type TestApi } from '../../support/http/api-http.ts';

const game = 'MLB_STL_NYY_20260805';
const origin = { origin: 'https://page.example.test' };
let api: TestApi;

beforeAll(async () => {
  api = await startApi();
  await api.log(game).append(7);
});
afterAll(() => api.close());

function listOf(field: string | undefined): string[] {
  return (field ?? '').split(',').map((name) => name.trim().toLowerCase());
}

async function everyKindOfAnswer(): Promise<Record<string, Reply>> {
  const segment = `/v1/games/${game}/sportsbook-lines/segments/1`;
  const { etag } = (await api.get(segment)).headers;
  const ask = (path: string, headers: Record<string, string> = {}, rest = {}) =>
    api.get(path, { headers: { ...origin, ...headers }, ...rest });
  return {
    'a list': await ask('/v1/games'),
    'a file': await ask(segment),
    'a part of a file': await ask(segment, { range: 'bytes=0-3' }),
    'a HEAD': await ask(segment, {}, { method: 'HEAD' }),
    'an unchanged file': await ask(segment, { 'if-none-match': etag as string }),
    'a route without a key': await ask('/v1/datasets', {}, { key: null }),
    'the state of health': await ask('/health', {}, { key: null }),
    'a missing key': await ask('/v1/games', {}, { key: null }),
    'an unknown parameter': await ask('/v1/games?x=1'),
    'no such route': await ask('/v1/nonsense'),
    'no such method': await ask('/v1/games', {}, { method: 'DELETE' }),
    'a bad range': await ask(segment, { range: 'bytes=9999999-' }),
  };
}

describe('every answer', () => {
  it('may be read by any page, which sends no cookies', async () => {
    for (const [name, { headers }] of Object.entries(await everyKindOfAnswer())) {
      assert.equal(headers['access-control-allow-origin'], '*', name);
      assert.equal(headers['access-control-allow-credentials'], undefined, name);
      const exposed = listOf(headers['access-control-expose-headers']);
      for (const field of [
        'etag',
        'content-range',
        'accept-ranges',
        'x-service-rowcount',
        'x-service-debited',
        'x-service-artifact-version',
        'ratelimit',
        'ratelimit-policy',
        'ratelimit-limit',
        'ratelimit-remaining',
        'ratelimit-reset',
        'retry-after',
      ]) {
        assert.ok(exposed.includes(field), `${name}: ${field}`);
      }
    }
  });

  it('cannot be sniffed or framed, sends no referrer, and demands TLS where the service has it', async () => {
    for (const [name, { headers }] of Object.entries(await everyKindOfAnswer())) {
      assert.equal(headers['x-content-type-options'], 'nosniff', name);
      assert.equal(headers['x-frame-options'], 'DENY', name);
      assert.equal(headers['referrer-policy'], 'no-referrer', name);
      assert.match(headers['strict-transport-security'] ?? '', /^max-age=[0-9]{8}$/, name);
      assert.equal(headers.server, undefined, name);
      assert.equal(headers['x-powered-by'], undefined, name);
    }
  });

  it('belongs to its key: no cache serves it to another key', async () => {
    const replies = await everyKindOfAnswer();
    for (const name of ['a list', 'a file', 'a part of a file', 'a HEAD', 'an unchanged file', 'a missing key']) {
      const { headers } = replies[name] as Reply;
      assert.equal(headers.vary, 'Authorization', name);
      assert.match(headers['cache-control'] ?? '', /^(private, |no-store$)/, name);
    }
  });
});

it('TLS is not demanded of a service that is reached without TLS', async (t) => {
  const plain = await startApi({ baseUrl: 'http://127.0.0.1:9' });
  t.onTestFinished(() => plain.close());
  for (const path of ['/v1/leagues', '/v1/nonsense']) {
    assert.equal((await plain.get(path)).headers['strict-transport-security'], undefined);
  }
});

describe("a browser's preflight", () => {
  const asks = (headers: string) => ({
    ...origin,
    'access-control-request-method': 'GET',
    'access-control-request-headers': headers,
  });

  for (const path of ['/v1/games', '/v1/me', `/v1/games/${game}/sportsbook-lines/segments/1?rows=5`, '/v1/datasets']) {
    it(`for ${path} is answered without a key, and costs nothing`, async () => {
      const reply = await api.get(path, {
        method: 'OPTIONS',
        key: null,
        headers: asks('authorization, range, if-none-match'),
      });
      assert.deepEqual([reply.status, reply.body.length], [204, 0]);
      const allowed = listOf(reply.headers['access-control-allow-headers']);
      for (const field of ['authorization', 'range', 'if-none-match']) assert.ok(allowed.includes(field), field);
      assert.deepEqual(listOf(reply.headers['access-control-allow-methods']), ['get', 'head']);
      assert.equal(reply.headers['access-control-allow-origin'], '*');
      assert.ok(Number(reply.headers['access-control-max-age']) > 0);
    });
  }

  it('is none without an origin: OPTIONS is a method no route has', async () => {
    const reply = await api.get('/v1/games', { method: 'OPTIONS' });
    assertProblem(reply, 'method-not-allowed');
    assert.equal(reply.headers.allow, 'GET, HEAD');
  });
});

describe('two Authorization headers', () => {
  for (const [name, second] of [
    ['the same twice', null],
    ['another scheme', 'Basic eDp5'],
    ['nothing', ''],
  ] as const) {
    it(`are 401: ${name}`, async () => {
      const first = `Bearer ${api.key}`;
      const answer = await api.raw(
        `GET /v1/leagues HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${first}\r\nAuthorization: ${second ?? first}\r\n\r\n`,
      );
      assert.match(answer, /^HTTP\/1\.1 401 /);
      assert.match(answer, /\/problems\/invalid-key"/);
    });
  }
});
