// Malformed HTTP on raw sockets: always a problem document or a closed socket, never an answer of Node or Fastify, a crash or a hang.
// docs/interface.md#errors; docs/interface.md#problem-types; SECURITY.md.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { FakeLog } from '../../support/fakes/api-fakes.ts';
import { assertProblem, startApi, type TestApi } from '../../support/http/api-http.ts';
import { type Answer, answersIn, assertHonest } from '../../support/http/raw-answers.ts';
import { until } from '../../support/services/until.ts';

let api: TestApi;
let log: FakeLog;
const game = 'MLB_STL_NYY_20260805';
const path = `/v1/games/${game}/sportsbook-lines/segments`;

beforeAll(async () => {
  api = await startApi({ limits: { headersTimeoutMs: 1_000, requestTimeoutMs: 1_500, connectionTimeoutMs: 10_000 } });
  log = api.log(game);
  await log.append(7);
});
afterAll(() => api.close());

async function only(bytes: string): Promise<Answer> {
  const answers = answersIn(await api.raw(bytes), [bytes.startsWith('HEAD')]);
  assert.equal(answers.length, 1);
  answers.forEach(assertHonest);
  return answers[0] as Answer;
}

const typeOf = ({ body }: Answer) => (JSON.parse(body) as { type: string }).type.split('/').at(-1);

const close = 'Connection: close\r\n';
const host = `Host: x\r\n${close}`;

describe('what the HTTP layer refuses before a route is known', () => {
  const table: [string, string, number][] = [
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['an unknown method', `BREW /v1/games HTTP/1.1\r\n${host}\r\n`, 400],
    ['a method in small letters', `get /v1/games HTTP/1.1\r\n${host}\r\n`, 400],
    ['an unknown version', `GET /v1/games HTTP/9.9\r\n${host}\r\n`, 400],
    ['no version', 'GET /v1/games\r\n\r\n', 400],
    ['a space in the target', `GET /v1/ga mes HTTP/1.1\r\n${host}\r\n`, 400],
    ['no slash', `GET v1/games HTTP/1.1\r\n${host}\r\n`, 400],
    ['a space before the colon', `GET /v1/games HTTP/1.1\r\nHost : x\r\n${close}\r\n`, 400],
    ['a header without a colon', `GET /v1/games HTTP/1.1\r\n${host}nonsense\r\n\r\n`, 400],
    ['an empty header name', `GET /v1/games HTTP/1.1\r\n${host}: x\r\n\r\n`, 400],
    ['a folded header', `GET /v1/games HTTP/1.1\r\n${host}A: b\r\n c\r\n\r\n`, 400],
    ['a bare CR', `GET /v1/games HTTP/1.1\r\n${host}A: b\rc\r\n\r\n`, 400],
    ['a NUL in a header', `GET /v1/games HTTP/1.1\r\n${host}A: b\0c\r\n\r\n`, 400],
    [
      'content length and transfer encoding',
      `POST /v1/games HTTP/1.1\r\n${host}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'two content lengths',
      `POST /v1/games HTTP/1.1\r\n${host}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`,
      400,
    ],
    ['a negative content length', `POST /v1/games HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`, 400],
    [
      'transfer encodings that disagree',
      `POST /v1/games HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['no Host', `GET /health HTTP/1.1\r\n${close}\r\n`, 400],
    ['two Hosts', `GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n${close}\r\n`, 400],
    ['a bad escape in a path', `GET /v1/games/%ZZ HTTP/1.1\r\n${host}\r\n`, 400],
    ['half an escape in a path', `GET /v1/games/% HTTP/1.1\r\n${host}\r\n`, 400],
    ['bad UTF-8 in a path', `GET /v1/games/%FF HTTP/1.1\r\n${host}\r\n`, 400],
    ['overlong UTF-8 in a path', `GET /v1/games/%C0%AE%C0%AE HTTP/1.1\r\n${host}\r\n`, 400],
    ['a surrogate in a path', `GET /v1/games/%ED%A0%80 HTTP/1.1\r\n${host}\r\n`, 400],
    ['a path that is too long', `GET ${'/v1/games/'.padEnd(8_001, 'A')} HTTP/1.1\r\n${host}\r\n`, 414],
    ['a query that is too long', `GET ${'/v1/games?league='.padEnd(8_001, 'A')} HTTP/1.1\r\n${host}\r\n`, 414],
    ['a long URL without a route', `GET ${'/'.padEnd(8_001, 'a/')} HTTP/1.1\r\n${host}\r\n`, 414],
    ['a URL beyond all headers', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`, 431],
    ['headers that are too long', `GET /v1/games HTTP/1.1\r\n${host}A: ${'b'.repeat(20_000)}\r\n\r\n`, 431],
    ['too many headers', `GET /v1/games HTTP/1.1\r\n${host}${'A: b\r\n'.repeat(2_000)}\r\n`, 431],
    ['an unknown expectation', `GET /v1/games HTTP/1.1\r\n${host}Expect: miracles\r\n\r\n`, 417],
  ];
  it('takes a URL of 8,000 characters, whatever is long in it, beside six kilobytes of headers', async () => {
    const headers = { 'x-more': 'b'.repeat(6_000) };
    for (const [url, status] of [
      ['/v1/leagues?'.padEnd(8_000, '&'), 200],
      ['/v1/games?league='.padEnd(8_000, 'A'), 400],
      ['/v1/games/'.padEnd(8_000, 'A'), 404],
      [`/v1/games/${game}/sportsbook-lines/board/`.padEnd(8_000, 'A'), 404],
      [`/v1/games/${game}/sportsbook-lines/segments/`.padEnd(8_000, '1'), 404],
      ['/'.padEnd(8_000, 'a/'), 404],
    ] as const) {
      const reply = await api.get(url, { headers });
      assert.equal(reply.status, status, url.slice(0, 60));
      if (status !== 200) assertProblem(reply, status === 400 ? 'validation-error' : 'not-found');
    }
  });

  for (const [name, bytes, status] of table) {
    it(`${name}: ${status} malformed-request`, async () => {
      const answer = await only(bytes);
      assert.deepEqual([answer.status, typeOf(answer)], [status, 'malformed-request']);
      assert.equal(answer.headers.get('connection'), 'close');
    });
  }

  const slow: [string, string][] = [
    ['headers that never end', 'GET /v1/games HTTP/1.1\r\nHost: x\r\n'],
    ['a request line that never ends', 'GET /v1/ga'],
  ];
  for (const [name, bytes] of slow) {
    it(`${name}: 408 malformed-request, within seconds`, async () => {
      const answer = await only(bytes);
      assert.deepEqual([answer.status, typeOf(answer)], [408, 'malformed-request']);
    });
  }

  it('a socket that says nothing is closed', async () => {
    const text = await api.raw('');
    answersIn(text).forEach(assertHonest);
  });
});

describe('what HTTP allows', () => {
  it('HTTP/1.0 needs no Host', async () => {
    assert.equal((await only('GET /health HTTP/1.0\r\n\r\n')).status, 200);
  });

  it('a target may carry scheme and host', async () => {
    assert.equal((await only(`GET http://elsewhere.test/health HTTP/1.1\r\n${host}\r\n`)).status, 200);
    const other = await only(`POST http://elsewhere.test/health?a=b HTTP/1.1\r\n${host}\r\n`);
    assert.equal(other.status, 405);
  });

  it('a client that expects 100 gets it', async () => {
    const text = await api.raw(`GET /health HTTP/1.1\r\n${host}Expect: 100-continue\r\n\r\n`);
    assert.deepEqual(
      answersIn(text).map(({ status }) => status),
      [100, 200],
    );
  });

  it('requests in a row on one connection are answered in their order', async () => {
    const one = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\n`;
    const text = await api.raw(
      `${one('/health')}\r\n${one(path)}\r\n${one('/nonsense')}\r\n${one('/v1/games')}${close}\r\n`,
    );
    assert.deepEqual(
      answersIn(text).map(({ status }) => status),
      [200, 200, 404, 200],
    );
  });

  it('garbage after a good request does not spoil its answer', async () => {
    const text = await api.raw(`GET /health HTTP/1.1\r\nHost: x\r\n\r\ngarbage\r\n\r\n`);
    const answers = answersIn(text);
    answers.forEach(assertHonest);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 400],
    );
  });

  it('garbage is refused only after the answers to earlier requests, also slow ones', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    api.catalog.state = promise;
    const one = `GET /v1/games HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\n\r\n`;
    const asked = api.raw(`${one}${one}garbage\r\n\r\nmore of it\r\n\r\n`);
    await until('both are asked', () => api.catalog.calls.list >= 1);
    resolve();
    const answers = answersIn(await asked);
    api.catalog.state = 'up';
    answers.forEach(assertHonest);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 400],
    );
  });

  it('the body of a GET is not read, and no byte after it counts as a request', async () => {
    const smuggled = `GET /v1/nonsense HTTP/1.1\r\nHost: x\r\n\r\n`;
    const text = await api.raw(`GET /health HTTP/1.1\r\n${host}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`);
    assert.deepEqual(
      answersIn(text).map(({ status }) => status),
      [200],
    );
  });

  it('a refused GET whose body would have to be waited for ends the connection', async () => {
    const text = await api.raw(`GET /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nabc`);
    const [answer] = answersIn(text);
    assert.deepEqual([answer?.status, answer?.headers.get('connection')], [401, 'close']);
  });

  it("the client's request id comes back when it is short and plain, else a new one", async () => {
    const idFor = async (given: string) =>
      (await only(`GET /health HTTP/1.1\r\n${host}X-Request-Id: ${given}\r\n\r\n`)).headers.get('x-request-id');
    for (const given of ['a', 'req-1:2/3', 'x'.repeat(128)]) assert.equal(await idFor(given), given);
    for (const given of ['', 'a b', '<x>', 'é', 'x'.repeat(129)]) {
      const id = await idFor(given);
      assert.ok(id !== given && /^[0-9a-z-]+$/.test(id ?? ''), given);
    }
    assert.notEqual(await idFor('<'), await idFor('<'));
  });
});

describe('methods', () => {
  it('an escaped path is the same path', async () => {
    const answer = await only(`POST /v1/%67ames HTTP/1.1\r\n${host}\r\n`);
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD']);
    assert.equal((JSON.parse(answer.body) as { detail: string }).detail, 'The route takes GET and HEAD.');
  });

  const routes = [
    '/health',
    '/v1/games',
    `/v1/games/${game}`,
    path,
    `${path}/1`,
    '/problems/not-found',
    `/v1/games/${game}/closing-lines`,
  ];
  for (const method of [
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'TRACE',
    'OPTIONS',
    'PROPFIND',
    'PURGE',
    'M-SEARCH',
    'LINK',
    'QUERY',
  ]) {
    it(`${method} is not allowed on any route, and GET and HEAD are named`, async () => {
      for (const route of routes) {
        const answer = await only(`${method} ${route} HTTP/1.1\r\n${host}\r\n`);
        assert.deepEqual(
          [answer.status, typeOf(answer), answer.headers.get('allow')],
          [405, 'method-not-allowed', 'GET, HEAD'],
          route,
        );
      }
      const nowhere = await only(`${method} /v1/nonsense HTTP/1.1\r\n${host}\r\n`);
      assert.deepEqual([nowhere.status, typeOf(nowhere)], [404, 'not-found']);
    });
  }

  it('the body of such a request is never read, whatever its type', async () => {
    for (const type of ['application/json', 'text/plain', 'nonsense', 'application/x-www-form-urlencoded; charset=']) {
      const answer = await only(
        `POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 5\r\n\r\n{"a":`,
      );
      assert.deepEqual([answer.status, answer.headers.get('connection')], [405, 'close']);
    }
    for (const encoding of ['identity', 'gzip', 'x']) {
      const answer = await only(`POST /v1/games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${encoding}\r\n\r\n`);
      assert.ok(answer.status === 405 || answer.status === 400);
      assert.equal(answer.headers.get('connection'), 'close');
    }
    const endless = await only(`POST /v1/nonsense HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFF\r\n`);
    assert.equal(endless.status, 404);
  });

  it('CONNECT is not allowed either', async () => {
    const answer = await only('CONNECT example.test:443 HTTP/1.1\r\nHost: example.test:443\r\n\r\n');
    assert.deepEqual([answer.status, typeOf(answer)], [405, 'method-not-allowed']);
  });

  it('an offer to upgrade is ignored', async () => {
    const answer = await only(
      `GET /health HTTP/1.1\r\nHost: x\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
    );
    assert.equal(answer.status, 200);
  });

  it("a browser's preflight gets what it may send", async () => {
    const preflight = `${host}Origin: https://page.test\r\nAccess-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: authorization\r\n`;
    const answer = await only(`OPTIONS ${path} HTTP/1.1\r\n${preflight}\r\n`);
    assert.equal(answer.status, 204);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.equal(answer.headers.get('access-control-allow-methods'), 'GET, HEAD');
    for (const name of ['Authorization', 'Range', 'If-None-Match']) {
      assert.ok(answer.headers.get('access-control-allow-headers')?.includes(name));
    }
    assert.equal(answer.headers.get('access-control-allow-credentials'), undefined);
  });

  it('every answer is open to browsers, failures too', async () => {
    for (const target of ['/health', '/nonsense', '/v1/games', '/%ZZ']) {
      const answer = await only(`GET ${target} HTTP/1.1\r\n${host}Origin: https://page.test\r\n\r\n`);
      assert.equal(answer.headers.get('access-control-allow-origin'), '*', target);
      assert.ok(answer.headers.get('access-control-expose-headers')?.includes('X-Service-Rowcount'));
    }
  });
});

describe('the Authorization header', () => {
  const ask = (fields: string) => only(`GET ${path} HTTP/1.1\r\n${host}${fields}\r\n`);
  it('twice is refused, though both are good', async () => {
    const field = `Authorization: Bearer ${api.key}\r\n`;
    assert.equal((await ask(field)).status, 200);
    const answer = await ask(field + field);
    assert.deepEqual([answer.status, typeOf(answer)], [401, 'invalid-key']);
    assert.equal((await ask(`${field}aUTHORIZATION: x\r\n`)).status, 401);
  });

  it('is named in a 401', async () => {
    const answer = await ask('');
    assert.deepEqual([answer.status, answer.headers.get('www-authenticate')?.startsWith('Bearer')], [401, true]);
  });

  it('does not come back in an answer', async () => {
    const answer = await ask(`Authorization: Bearer ${api.key.slice(0, -1)}\r\n`);
    assert.equal(answer.status, 401);
    assert.ok(!answer.body.includes(api.key.slice(0, 20)));
  });

  it('is not taken from the query', async () => {
    const answer = await only(`GET ${path}?key=${api.key} HTTP/1.1\r\n${host}\r\n`);
    assert.equal(answer.status, 401);
  });
});

// Claim: whatever bytes arrive, each answer is complete and every failure is a correct problem document. A violation
// would need an answer of Node's or Fastify's own, a crash, or a response cut short.
it('any bytes get a correct refusal or a closed connection', async () => {
  const word = fc.constantFrom(
    'GET',
    'HEAD',
    'POST',
    ' ',
    '/',
    '?',
    '%',
    '%2e',
    '..',
    'HTTP/1.1',
    'HTTP/1.0',
    '\r\n',
    '\n',
    '\r',
    ':',
    'Host',
    'x',
    'Content-Length',
    '5',
    'Transfer-Encoding',
    'chunked',
    'Range',
    'bytes=',
    '-',
    ',',
    'Authorization',
    'Bearer',
    '\0',
    '\xff',
    'v1/games',
    'sportsbook-lines',
    'segments',
    '=',
    '&',
    'cursor',
    '"',
    'If-None-Match',
    '*',
  );
  const request = fc.tuple(
    fc.constantFrom('', 'GET ', 'GET /', 'GET /v1/games HTTP/1.1\r\nHost: x\r\n', `GET ${path}?`),
    fc.array(word, { maxLength: 14 }),
  );
  await fc.assert(
    fc.asyncProperty(request, async ([start, words]) => {
      const bytes = `${start}${words.join('')}\r\n\r\n`;
      const text = await api.raw(bytes.startsWith('GET') ? bytes.replace('\r\n', '\r\nConnection: close\r\n') : bytes, {
        until: /HTTP\/1\.1 [45]\d\d[\s\S]*\}$/,
      });
      for (const answer of answersIn(text)) assertHonest(answer);
    }),
    { numRuns: 150, interruptAfterTimeLimit: 20_000 },
  );
  assert.equal((await api.get('/health')).status, 200);
});
