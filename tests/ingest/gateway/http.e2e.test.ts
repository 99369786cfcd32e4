// The push gateway's HTTP on real sockets: every request gets the answer of docs/operations.md#push-gateway or a problem document, and
// never an answer of Node or Fastify, a crash, a hang or a large use of memory. SECURITY.md.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { feedScopes } from '../../../core/ports/catalog/keys.ts';
import {
  answerIn,
  event,
  kindOf,
  quote,
  send,
  startGateway,
  type TestGateway,
} from '../../support/http/gateway-http.ts';
import { peakSkip, startGatewayProcess } from '../../support/processes/gateway-process.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

let gateway: TestGateway;
const path = '/v1/sources/feed/quotes';

beforeAll(async () => {
  // Late requests are looked for once a second. A connection on which nothing moves ends after twice `requestMs`.
  gateway = await startGateway({ timeouts: { headersMs: 300, requestMs: 2_000 } });
});
afterAll(() => gateway.close());

const close = 'Connection: close\r\n';
const host = `Host: x\r\n${close}`;

describe('what the HTTP layer refuses before a route is known', () => {
  const table: [string, string, number, string?][] = [
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    ['an unknown method', `BREW ${path} HTTP/1.1\r\n${host}\r\n`, 400],
    ['a space before the colon', `POST ${path} HTTP/1.1\r\nHost : x\r\n${close}\r\n`, 400],
    ['a folded header', `POST ${path} HTTP/1.1\r\n${host}A: b\r\n c\r\n\r\n`, 400],
    ['a bare CR', `POST ${path} HTTP/1.1\r\n${host}A: b\rc\r\n\r\n`, 400],
    ['a NUL in a header', `POST ${path} HTTP/1.1\r\n${host}A: b\0c\r\n\r\n`, 400],
    [
      'content length and transfer encoding',
      `POST ${path} HTTP/1.1\r\n${host}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['two content lengths', `POST ${path} HTTP/1.1\r\n${host}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`, 400],
    ['a negative content length', `POST ${path} HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`, 400],
    ['transfer encodings that disagree', `POST ${path} HTTP/1.1\r\n${host}Transfer-Encoding: chunked, x\r\n\r\n`, 400],
    ['no Host', `GET /health HTTP/1.1\r\n${close}\r\n`, 400],
    ['two Hosts', `GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n${close}\r\n`, 400],
    ['a bad escape in a path', `POST /v1/sources/%ZZ/quotes HTTP/1.1\r\n${host}\r\n`, 400],
    ['bad UTF-8 in a path', `POST /v1/sources/%FF/quotes HTTP/1.1\r\n${host}\r\n`, 400],
    ['a path that is too long', `GET ${'/v1/receipts/'.padEnd(8_001, 'a')} HTTP/1.1\r\n${host}\r\n`, 414],
    ['a query that is too long', `GET ${'/health?'.padEnd(8_001, '&')} HTTP/1.1\r\n${host}\r\n`, 414],
    ['a URL beyond all headers', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`, 431],
    ['headers that are too long', `GET /health HTTP/1.1\r\n${host}A: ${'b'.repeat(20_000)}\r\n\r\n`, 431],
    ['an expectation nobody understands', `POST ${path} HTTP/1.1\r\n${host}Expect: miracles\r\n\r\n`, 417],
    ['a proxy request', `CONNECT example.test:443 HTTP/1.1\r\n${host}\r\n`, 405, 'method-not-allowed'],
    ['headers that never end', `POST ${path} HTTP/1.1\r\nHost: x\r\n`, 408],
    ['a request line that never ends', 'POST /v1/so', 408],
  ];
  for (const [name, bytes, status, kind = 'malformed-request'] of table) {
    it(`${name}: ${status} ${kind}`, async () => {
      const answer = answerIn(await gateway.raw(bytes));
      assert.deepEqual([answer.status, kindOf(answer.body)], [status, kind]);
      assert.equal(answer.headers.get('connection'), 'close');
    });
  }

  it('takes a URL of 8,000 characters, whatever is long in it, beside six kilobytes of headers', async () => {
    const odds = '/v1/sources/feed/the-odds-api-v4?odds_format=decimal&markets=h2h';
    const headers = { 'x-more': 'b'.repeat(6_000) };
    const books = `${odds}&bookmakers=`.padEnd(8_000, 'book,');
    assert.equal((await gateway.push([], { path: books, headers })).status, 202);
    assert.equal((await gateway.push([], { path: `${books}x`, headers })).status, 414);
    assert.equal((await gateway.get('/v1/receipts/'.padEnd(8_000, 'a'))).status, 404);
    assert.equal((await gateway.get('/health?'.padEnd(8_000, '&'))).status, 200);
  });

  it('a body that never ends: 408, and its room is free again', async () => {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.key}\r\nContent-Type: application/json\r\n`;
    const answer = answerIn(await gateway.raw(`${head}Content-Length: 100\r\n\r\n{"events":[`));
    assert.deepEqual([answer.status, kindOf(answer.body)], [408, 'malformed-request']);
    assert.equal((await gateway.push({ events: [] })).status, 202);
  });

  it('garbage behind a push does not spoil its answer', async () => {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.key}\r\nContent-Type: application/json\r\n`;
    const text = await gateway.raw(`${head}Content-Length: 13\r\n\r\n{"events":[]}garbage\r\n\r\n`);
    assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 202', 'HTTP/1.1 400']);
  });

  it('a sender that goes away in the middle of its body harms nobody', async () => {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.key}\r\nContent-Type: application/json\r\n`;
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { connect } = await import('node:net');
        const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
        await new Promise<void>((resolve) => socket.write(`${head}Content-Length: 100\r\n\r\n{`, () => resolve()));
        socket.resetAndDestroy();
      }),
    );
    assert.equal((await gateway.push({ events: [] })).status, 202);
  });

  it('bytes of any kind: a problem document or a closed connection', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 400 }),
        fc.constantFrom('', `POST ${path} HTTP/1.1\r\n`, `POST ${path} HTTP/1.1\r\n${host}`),
        async (tail, start) => {
          const bytes = Buffer.concat([Buffer.from(start, 'latin1'), tail, Buffer.from('\r\n\r\n')]);
          const text = await gateway.raw(bytes);
          if (text !== '') assert.ok(answerIn(text).status >= 400);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('routes and methods', () => {
  const wrong: [string, string, string][] = [
    ['GET', path, 'POST'],
    ['HEAD', path, 'POST'],
    ['PUT', path, 'POST'],
    ['DELETE', path, 'POST'],
    ['PATCH', '/v1/sources/feed/the-odds-api-v4', 'POST'],
    ['PROPFIND', path, 'POST'],
    ['OPTIONS', '/v1/sources/feed/ticks', 'POST'],
    ['POST', '/v1/receipts/x', 'GET, HEAD'],
    ['POST', '/health', 'GET, HEAD'],
    ['POST', '/health?a=1', 'GET, HEAD'],
    ['POST', '/health/ready', 'GET, HEAD'],
  ];
  for (const [method, target, allowed] of wrong) {
    it(`${method} ${target}: 405, Allow: ${allowed}`, async () => {
      const text = await gateway.raw(`${method} ${target} HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`);
      assert.match(text, /^HTTP\/1\.1 405 /);
      assert.match(text, new RegExp(`\r\nAllow: ${allowed}\r\n`));
      if (method !== 'HEAD') assert.equal(kindOf(answerIn(text).body), 'method-not-allowed');
    });
  }

  for (const target of [
    '/',
    '/v1',
    '/v1/sources',
    '/v1/sources/feed',
    `${path}/`,
    `/V1/sources/feed/quotes`,
    '/v1/games',
    '//',
  ]) {
    it(`POST ${target}: 404, whoever asks and whatever comes with it`, async () => {
      const answer = answerIn(await gateway.raw(`POST ${target} HTTP/1.1\r\n${host}Content-Length: 2\r\n\r\n{}`));
      assert.deepEqual([answer.status, kindOf(answer.body)], [404, 'not-found']);
    });
  }

  it('a source that is no name is 404', async () => {
    for (const source of ['Feed', 'a%2Fb', '-a', 'a'.repeat(65), '%2e%2e', 'a%00', '*']) {
      const { status, body } = await gateway.push({ events: [] }, { path: `/v1/sources/${source}/quotes` });
      assert.deepEqual([status, kindOf(body)], [404, 'not-found'], source);
    }
  });

  it('every problem type leads to a page, and an unknown one to 404', async () => {
    for (const kind of ['forbidden', 'payload-too-large', 'invalid-key'])
      assert.equal(typeof (await gateway.get(`/problems/${kind}`)).body.meaning, 'string');
    assert.equal((await gateway.get('/problems/constructor')).status, 404);
  });

  it('/health tells which of the log and the catalog is away: without either it is not ready for a push', async () => {
    const probed = await startGateway({ lookMs: 10 });
    const { catalogs, broker } = probed;
    const becomes = async (away: readonly string[], detail: RegExp) => {
      const expected = { status: away.length === 0 ? 'ok' : 'degraded', degraded: away, since: away };
      await until(`${away.join()} away`, async () => {
        const { since = {}, ...body } = (await probed.get('/health')).body;
        return isDeepStrictEqual({ ...body, since: Object.keys(since as object) }, expected);
      });
      const { status, body, headers } = await probed.get('/health/ready');
      assert.equal(status, away.length === 0 ? 200 : 503);
      assert.match(String(body.detail ?? body.status), detail);
      assert.equal(headers.get('retry-after'), away.length === 0 ? null : '1');
    };
    try {
      await becomes([], /^ready$/);
      catalogs.down = true;
      await becomes(['catalog'], /: the catalog cannot be reached/);
      broker.down = true;
      await becomes(['catalog', 'log'], /: the catalog and the log cannot be reached/);
      catalogs.down = false;
      await becomes(['log'], /: the log cannot be reached/);
      broker.down = false;
      catalogs.hangs = true;
      await becomes(['catalog'], /: the catalog cannot be reached/);
      catalogs.hangs = false;
      await becomes([], /^ready$/);
    } finally {
      await probed.close();
    }
  });

  it('probes ask nothing of the catalog and the log, and wait for neither', async () => {
    const probed = await startGateway({ lookMs: 1e9 });
    let asked = 0;
    const hang = () => {
      asked += 1;
      return new Promise<never>(() => {});
    };
    probed.catalogs.now = hang;
    probed.broker.healthy = hang;
    for (const path of ['/health', '/health/ready']) assert.equal((await probed.get(path)).status, 200);
    assert.equal(asked, 0);
    await probed.close();
  });

  it('HEAD of a GET has no body', async () => {
    assert.match(await gateway.raw(`HEAD /health HTTP/1.1\r\n${host}\r\n`), /^HTTP\/1\.1 200 [\s\S]*\r\n\r\n$/);
  });
});

describe('keys', () => {
  const tail = `Host: x\r\n${close}Content-Type: application/json\r\nContent-Length: 13\r\n\r\n{"events":[]}`;
  it('none, another scheme, junk, a public key, a mistyped key: 401 without a query', async () => {
    const asked = gateway.catalogs.keyQueries;
    const mistyped = gateway.key.slice(0, -1) + (gateway.key.endsWith('a') ? 'b' : 'a');
    const values = ['', 'Bearer', 'Bearer ', `Basic ${gateway.key}`, 'Bearer junk', `Bearer ${mistyped}`];
    for (const value of [
      ...values,
      `Bearer ${gateway.key} ${gateway.key}`,
      `Bearer svc_live_${gateway.key.slice(9)}`,
    ]) {
      const answer = answerIn(await gateway.raw(`POST ${path} HTTP/1.1\r\nAuthorization: ${value}\r\n${tail}`));
      assert.deepEqual([answer.status, kindOf(answer.body)], [401, 'invalid-key'], value);
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
    }
    assert.equal(answerIn(await gateway.raw(`POST ${path} HTTP/1.1\r\n${tail}`)).status, 401);
    assert.equal(gateway.catalogs.keyQueries, asked);
  });

  it('two Authorization headers: 401, also when they are the same', async () => {
    const field = `Authorization: Bearer ${gateway.key}\r\n`;
    const answer = answerIn(await gateway.raw(`POST ${path} HTTP/1.1\r\n${field}${field}${tail}`));
    assert.deepEqual([answer.status, kindOf(answer.body)], [401, 'invalid-key']);
  });

  it('a key of another source: 403; without the scope: 403; a source time without backfill: 403', async () => {
    const { plaintext: foreign } = gateway.mint(['other'], feedScopes);
    const { plaintext: pushing } = gateway.mint(['feed'], ['push']);
    const { plaintext: replaying } = gateway.mint(['feed'], ['backfill']);
    const refused = async (key: string, target = path, headers = {}) => {
      const { status, body } = await gateway.push(
        { events: [], at: '2026-01-01T00:00:00Z' },
        { key, path: target, headers },
      );
      assert.deepEqual([status, kindOf(body)], [403, 'forbidden'], target);
    };
    await refused(foreign);
    await refused(foreign, '/v1/sources/feed/the-odds-api-v4');
    await refused(foreign, '/v1/sources/feed/ticks');
    await refused(replaying);
    await refused(pushing, '/v1/sources/feed/ticks');
    await refused(pushing, path, { 'x-observed-at': '2026-01-01T00:00:00Z' });
    assert.equal((await gateway.push({ events: [] }, { key: pushing })).status, 202);
    const tick = { at: '2026-01-01T00:00:00Z' };
    assert.equal((await gateway.push(tick, { key: replaying, path: '/v1/sources/feed/ticks' })).status, 202);
  });

  it('a revoked key is refused within 10 s; asked for once meanwhile', async () => {
    const { plaintext, key } = gateway.mint(['feed'], ['push']);
    const asked = gateway.catalogs.keyQueries;
    const statuses = async () => (await gateway.push({ events: [] }, { key: plaintext })).status;
    assert.deepEqual(await Promise.all([statuses(), statuses(), statuses()]), [202, 202, 202]);
    assert.equal(gateway.catalogs.keyQueries, asked + 1);
    key.state = 'revoked';
    gateway.clock.set(gateway.clock.now() + 10_000_000);
    const { status, body } = await gateway.push({ events: [] }, { key: plaintext });
    assert.deepEqual([status, kindOf(body)], [403, 'key-disabled']);
  });

  it('a clock that steps back does not keep a revoked key alive', async () => {
    const { plaintext, key } = gateway.mint(['feed'], ['push']);
    assert.equal((await gateway.push({ events: [] }, { key: plaintext })).status, 202);
    key.state = 'revoked';
    gateway.clock.set(gateway.clock.now() - 3_600_000_000);
    assert.equal((await gateway.push({ events: [] }, { key: plaintext })).status, 403);
  });

  it('a database that does not answer is 503 with Retry-After, never 401', async () => {
    const { plaintext } = gateway.mint(['feed'], ['push']);
    gateway.catalogs.down = true;
    const { status, body, headers } = await gateway.push({ events: [] }, { key: plaintext });
    gateway.catalogs.down = false;
    assert.deepEqual([status, kindOf(body), headers.get('retry-after')], [503, 'temporarily-unavailable', '1']);
    assert.equal((await gateway.push({ events: [] }, { key: plaintext })).status, 202);
  });

  it('is judged before a byte of the body is read', async () => {
    const answer = answerIn(await gateway.raw(`POST ${path} HTTP/1.1\r\n${host}Content-Length: 5000000\r\n\r\n{`));
    assert.equal(answer.status, 401);
  });
});

describe('queries and headers', () => {
  const odds = '/v1/sources/feed/the-odds-api-v4';
  for (const query of [
    'a=1',
    'markets=h2h&markets=h2h',
    'odds_format=american&odds_format=american',
    'odds_format=hongkong',
    '__proto__=1',
    'constructor=1',
    'odds_format[]=american',
    'markets=%ZZ',
    'markets=%FF',
    '=',
  ]) {
    it(`?${query}: 400 validation-error`, async () => {
      const { status, body } = await gateway.push([], { path: `${odds}?${query}` });
      assert.deepEqual([status, kindOf(body)], [400, 'validation-error']);
    });
  }

  it('known ones pass, and routes without any refuse them', async () => {
    const known = '?odds_format=decimal&markets=h2h,spreads&bookmakers=draftkings';
    assert.equal((await gateway.push([], { path: odds + known })).status, 202);
    assert.equal((await gateway.push({ events: [] }, { path: `${path}?odds_format=decimal` })).status, 400);
    assert.equal((await gateway.get('/health?x=1')).status, 400);
    assert.equal((await gateway.get('/v1/receipts/rcpt_0?x=1')).status, 400);
  });

  it('an Idempotency-Key that is none: 400', async () => {
    for (const key of [' ', 'a b', 'a'.repeat(256), 'é'])
      assert.equal((await gateway.push({ events: [] }, { headers: { 'idempotency-key': key } })).status, 400, key);
    const twice = `Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{"events":[]}`;
    const answer = answerIn(
      await gateway.raw(`POST ${path} HTTP/1.1\r\n${host}Authorization: Bearer ${gateway.key}\r\n${twice}`),
    );
    assert.equal(answer.status, 400);
  });
});

describe('media types and encodings', () => {
  const types: [string | null, number][] = [
    ['application/json', 202],
    ['Application/JSON; charset=UTF-8', 202],
    ['application/json;charset="utf-8"', 202],
    ['application/json; charset=latin1', 415],
    ['text/plain', 415],
    ['application/jsonx', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['nonsense', 415],
    ['/', 415],
    ['__proto__', 415],
    [null, 415],
  ];
  for (const [type, status] of types) {
    it(`${type}: ${status}`, async () => {
      const field = type === null ? '' : `Content-Type: ${type}\r\n`;
      const bytes = `POST ${path} HTTP/1.1\r\n${host}Authorization: Bearer ${gateway.key}\r\n${field}Content-Length: 13\r\n\r\n{"events":[]}`;
      const answer = answerIn(await gateway.raw(bytes));
      assert.equal(answer.status, status);
      if (status === 415) assert.equal(kindOf(answer.body), 'unsupported-media-type');
    });
  }

  it('NDJSON on its route only', async () => {
    const headers = { 'content-type': 'application/x-ndjson' };
    assert.equal((await gateway.push('', { headers })).status, 202);
    for (const target of ['the-odds-api-v4', 'ticks'])
      assert.equal((await gateway.push('', { headers, path: `/v1/sources/feed/${target}` })).status, 415);
  });

  it('gzip and zstd are inflated on every route; other encodings are 415; what is not what it says is 400', async () => {
    const body = Buffer.from(JSON.stringify({ events: [event({ quotes: [] })] }));
    const tick = Buffer.from('{"at":"2026-01-01T00:00:00Z"}');
    for (const [encoding, compress] of [
      ['gzip', gzipSync],
      ['zstd', zstdCompressSync],
      ['GZIP', gzipSync],
    ] as const) {
      const headers = { 'content-encoding': encoding };
      assert.equal((await gateway.push(compress(body), { headers })).body.accepted, 1);
      assert.equal((await gateway.push(compress(tick), { headers, path: '/v1/sources/feed/ticks' })).status, 202);
      for (const broken of [body, compress(body).subarray(0, -6), Buffer.alloc(0)])
        assert.equal((await gateway.push(broken, { headers })).status, 400, encoding);
    }
    assert.equal((await gateway.push(body, { headers: { 'content-encoding': 'identity' } })).status, 202);
    for (const encoding of ['br', 'deflate', 'gzip, gzip', 'constructor'])
      assert.equal((await gateway.push(gzipSync(body), { headers: { 'content-encoding': encoding } })).status, 415);
  });
});

describe('a compressed body', () => {
  const line = (operator: string) => Buffer.from(`${JSON.stringify(event({ operator }))}\n`);
  const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2]);
  const push = (encoding: string, ...parts: Uint8Array[]) =>
    gateway.push(Buffer.concat(parts), {
      headers: { 'content-encoding': encoding, 'content-type': 'application/x-ndjson' },
    });

  it('is read to its last frame or member', async () => {
    const [one, two] = [line('one'), line('two')];
    for (const [encoding, ...parts] of [
      ['gzip', gzipSync(one), gzipSync(two)],
      ['zstd', zstdCompressSync(one), zstdCompressSync(two)],
      ['zstd', zstdCompressSync(one.subarray(0, 9)), zstdCompressSync(Buffer.concat([one.subarray(9), two]))],
      ['zstd', skippable, zstdCompressSync(one), skippable, zstdCompressSync(''), zstdCompressSync(two), skippable],
    ] as const) {
      const { status, body } = await push(encoding, ...parts);
      assert.deepEqual([status, body.accepted], [202, 2], encoding);
    }
  });

  it('with other bytes behind its last frame, or with an incomplete one, is 400', async () => {
    const [gzip, zstd] = [gzipSync(line('one')), zstdCompressSync(line('one'))];
    const before = gateway.broker.records.length;
    for (const behind of [Buffer.from('x'), Buffer.from('\n\n\n\n\n'), Buffer.alloc(1), Buffer.alloc(20)])
      for (const [encoding, whole] of [
        ['gzip', gzip],
        ['zstd', zstd],
      ] as const)
        assert.equal((await push(encoding, whole, behind)).status, 400, `${behind.length} bytes behind ${encoding}`);
    for (const cut of [2, 5, 8, zstd.length - 1])
      assert.equal((await push('zstd', zstd, zstd.subarray(0, cut))).status, 400, `cut after ${cut}`);
    assert.equal((await push('gzip', gzip, gzip.subarray(0, -1))).status, 400);
    assert.equal((await push('gzip', gzip, zstd)).status, 400);
    assert.equal(gateway.broker.records.length, before);
  });

  it('is too large by the bytes of all its frames together, or by their number', async () => {
    const half = Buffer.alloc(4 * 1024 * 1024, '\n');
    for (const [encoding, compress] of [
      ['gzip', (body: Uint8Array) => gzipSync(body)],
      ['zstd', (body: Uint8Array) => zstdCompressSync(body)],
    ] as const) {
      assert.equal((await push(encoding, compress(half), compress(half))).status, 202, encoding);
      const { status, body } = await push(encoding, compress(half), compress(half), compress(Buffer.from('\n')));
      assert.deepEqual([status, kindOf(body)], [413, 'payload-too-large'], encoding);
    }
    const frame = zstdCompressSync('\n');
    assert.equal((await push('zstd', ...Array.from({ length: 2_000 }, () => frame))).status, 202);
    const { status, body } = await push('zstd', ...Array.from({ length: 2_001 }, () => frame));
    assert.deepEqual([status, kindOf(body)], [413, 'payload-too-large']);
  });
});

describe('size', () => {
  const mebibyte = 1024 * 1024;
  const padded = (bytes: number) => `{"events":[]}${' '.repeat(bytes - 13)}`;

  it('8 MiB is taken, a byte more is 413, announced or not, inflated or not', async () => {
    const [full, over] = [Buffer.from(padded(8 * mebibyte)), Buffer.from(padded(8 * mebibyte + 1))];
    for (const [encoding, compress] of [
      ['identity', (body: Buffer) => body],
      ['gzip', (body: Buffer) => gzipSync(body)],
      ['zstd', (body: Buffer) => zstdCompressSync(body)],
    ] as const) {
      const headers = { 'content-encoding': encoding };
      assert.equal((await gateway.push(compress(full), { headers })).status, 202, encoding);
      const { status, body } = await gateway.push(compress(over), { headers });
      assert.deepEqual([status, kindOf(body)], [413, 'payload-too-large'], encoding);
    }
    const chunked = `POST ${path} HTTP/1.1\r\n${host}Authorization: Bearer ${gateway.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const text = await gateway.raw(
      Buffer.concat([
        Buffer.from(chunked),
        Buffer.from(`${(9 * mebibyte).toString(16)}\r\n`),
        Buffer.alloc(9 * mebibyte, 0x20),
      ]),
    );
    assert.equal(answerIn(text).status, 413);
  });

  it('bombs cost no memory: 1 GiB in gzip and zstd, many at once', skipFor(peakSkip), async () => {
    const zeros = Buffer.alloc(64 * mebibyte, 0x20);
    const bombs = [
      ['gzip', Buffer.concat(Array.from({ length: 16 }, () => gzipSync(zeros)))],
      ['zstd', Buffer.concat(Array.from({ length: 16 }, () => zstdCompressSync(zeros)))],
      ['zstd', zstdCompressSync(zeros, { params: { [constants.ZSTD_c_windowLog]: 27 } })],
    ] as const;
    await using alone = await startGatewayProcess();
    const push = (body: Uint8Array, encoding: string) =>
      send(`${alone.url}/v1/sources/feed/quotes`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${alone.key}`,
          'content-type': 'application/json',
          'content-encoding': encoding,
        },
        body: body as Uint8Array<ArrayBuffer>,
      });
    const small = Buffer.from(JSON.stringify({ events: [event()] }));
    for (let round = 0; round < 10; round += 1) {
      assert.equal((await push(gzipSync(small), 'gzip')).status, 202);
      assert.equal((await push(zstdCompressSync(small), 'zstd')).status, 202);
    }
    const before = (await alone.costs()).peakBytes;
    for (let round = 0; round < 4; round += 1) {
      const answers = await Promise.all(bombs.flatMap(([encoding, bomb]) => [1, 2].map(() => push(bomb, encoding))));
      for (const { status } of answers) assert.ok(status === 413 || status === 400, String(status));
    }
    const rise = (await alone.costs()).peakBytes - before;
    assert.ok(rise < 64 * mebibyte, `RSS rose by ${Math.round(rise / mebibyte)} MiB`);
    assert.equal((await push(gzipSync(small), 'gzip')).status, 202);
  });

  it('a body of a million nothings is refused before objects are made of it; one full of refusals too', async () => {
    const nothings = `{"events":[${'0,'.repeat(3_000_000)}0]}`;
    assert.equal((await gateway.push(nothings)).status, 413);
    const records = `[${'0,'.repeat(200_000)}0]`;
    assert.equal((await gateway.push(records, { path: '/v1/sources/feed/the-odds-api-v4' })).status, 413);
    const bad = JSON.stringify(event({ quotes: Array.from({ length: 5_000 }, () => ({})) }));
    const many = await gateway.push(`{"events":[${Array.from({ length: 5 }, () => bad).join()}]}`);
    assert.equal(many.status, 413);
    assert.equal((many.body.rejected as unknown[]).length, 100);
  });

  it('more refusals than that of games that do not exist, too: no game is founded, and nothing is kept', async () => {
    const { broker, catalogs } = gateway;
    const kept = () => [broker.records.length, catalogs.letters.length, catalogs.receipts.size];
    const before = kept();
    const good = JSON.stringify(event({ game: { ...(event().game as object), event_id: 'one of its own' } }));
    const unknown = JSON.stringify({ kind: 'heartbeat', operator: 'b', game: { game_id: 'none' } });
    const lines = [good, ...Array.from({ length: 20_001 }, () => unknown)].join('\n');
    const { status, body } = await gateway.push(lines, { headers: { 'content-type': 'application/x-ndjson' } });
    assert.deepEqual([status, (body.rejected as unknown[]).length], [413, 100]);
    assert.deepEqual(kept(), before);
    assert.equal((await catalogs.gamesOfEvents('feed', ['one of its own'])).size, 0);
  });

  it('20,000 refusals are answered with as many as fit into a mebibyte, and how many more there are; asked again, with the same', async () => {
    const bad = `{"events":[${JSON.stringify(event())},${Array.from({ length: 19_999 }, () => '{}').join()}]}`;
    const options = { headers: { 'idempotency-key': 'many' } };
    const { status, body } = await gateway.push(bad, options);
    const listed = (body.rejected as unknown[]).length;
    assert.deepEqual([status, listed + (body.rejected_more as number)], [202, 19_999]);
    assert.ok(JSON.stringify(body).length < 1.1 * mebibyte, `${JSON.stringify(body).length} bytes`);
    const again = await gateway.push(bad, options);
    const { body: receipt } = await gateway.get(`/v1/receipts/${body.receipt}`);
    for (const same of [again.body, receipt])
      assert.deepEqual([same.rejected, same.rejected_more], [body.rejected, body.rejected_more]);
    const { status: refused, body: none } = await gateway.push(`{"events":[${Array(19_999).fill('{}').join()}]}`);
    assert.equal(refused, 400);
    assert.equal((none.rejected as unknown[]).length + (none.rejected_more as number), 19_999);
    const few = await gateway.push({ events: [event(), {}] });
    assert.equal('rejected_more' in few.body, false);
  });

  it('5,000 bad quotes of one event are 5,000 dead letters that share the bytes of the event', async () => {
    const before = gateway.catalogs.letters.length;
    const quotes = Array.from({ length: 5_000 }, (_, at) =>
      quote({ selection: `${'s'.repeat(80)}${at}`, price: { american: at === 0 ? 100 : 1 } }),
    );
    const { status, body } = await gateway.push({ events: [event({ quotes })] });
    assert.deepEqual([status, (body.rejected as unknown[]).length], [202, 4_999]);
    const letters = gateway.catalogs.letters.slice(before);
    assert.equal(letters.length, 4_999);
    assert.equal(new Set(letters.map(({ payload }) => payload)).size, 1);
    assert.equal(letters[4_998]?.pointer, '/quotes/4999/price');
  });
});

describe('JSON of any kind', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const malformed: [string, string][] = [
    ['nothing', ''],
    ['half', '{"events":['],
    ['two values', '{"events":[]}{}'],
    ['a trailing comma', '{"events":[],}'],
    ['NaN', '{"events":[],"a":NaN}'],
    ['a comment', '{"events":[]/*x*/}'],
    ['single quotes', "{'events':[]}"],
    ['a bare string', '"events"'],
    ['null', 'null'],
    ['an array', '[]'],
    ['events that are none', '{"events":{}}'],
    ['events missing', '{}'],
    ['depth 100,000', `{"events":[],"a":{"b":${deep(100_000)}}}`],
    ['depth 4,000,000', deep(4_000_000)],
    ['UTF-8 that is none', Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1')],
    ['a byte order mark and nothing', '\ufeff'],
  ];
  for (const [name, body] of malformed) {
    it(`${name}: 400 validation-error`, async () => {
      const { status, body: document } = await gateway.push(
        name.startsWith('UTF-8') ? Buffer.from(body, 'latin1') : body,
      );
      assert.ok(status === 400 || (status === 413 && body.length > 1_000_000), String(status));
      if (status === 400) assert.equal(kindOf(document), 'validation-error');
    });
  }

  it('an element that nests too deep costs itself only', async () => {
    const { status, body } = await gateway.push(`{"events":[${deep(100_000)},${JSON.stringify(event())}]}`);
    assert.deepEqual([status, body.accepted], [202, 1]);
    assert.deepEqual(
      (body.rejected as { code: string }[]).map(({ code }) => code),
      ['bad-event'],
    );
  });

  it('__proto__ is a member like any other, and never a prototype', async () => {
    const hostile = '"__proto__":{"american":-110,"kind":"image"},"constructor":{"prototype":{"x":1}}';
    const { body } = await gateway.push(`{"events":[{${hostile}}],"__proto__":{"events":[]}}`);
    assert.equal(kindOf(body), 'validation-error');
    const good = JSON.stringify(event()).replace('{', `{${hostile},`);
    assert.equal((await gateway.push(`{"events":[${good}]}`)).body.accepted, 1);
    assert.equal(({} as Record<string, unknown>).american, undefined);
    assert.equal(({} as Record<string, unknown>).x, undefined);
  });

  it('any JSON at all is answered, and what is accepted can be read from the log again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.json(), { maxLength: 5 }),
        fc.constantFrom('quotes', 'the-odds-api-v4', 'ticks'),
        async (values, route) => {
          const text =
            route === 'quotes'
              ? `{"events":[${values.join()}]}`
              : route === 'ticks'
                ? (values[0] ?? '')
                : `[${values.join()}]`;
          const { status } = await gateway.push(text, { path: `/v1/sources/feed/${route}` });
          assert.ok(status === 202 || status === 400, String(status));
        },
      ),
      { numRuns: 100 },
    );
  });
});
