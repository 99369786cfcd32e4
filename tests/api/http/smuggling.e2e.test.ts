// Requests on raw sockets that are ambiguous, exhaust the server or block it: every answer is complete, every failure a problem document,
// nothing after an unread body is taken for a request, and the connection ends in time. SECURITY.md; api/http/malformed.e2e has the merely
// malformed ones.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startApi, type TestApi } from '../../support/http/api-http.ts';
import { type Answer, answersIn, assertHonest } from '../../support/http/raw-answers.ts';
import { ownMs } from '../../support/processes/own-time.ts';

let api: TestApi;
const limits = { headersTimeoutMs: 1_000, requestTimeoutMs: 1_500, connectionTimeoutMs: 3_000, keepAliveMs: 1_000 };
/** The server checks its sockets once a second. */
const longestMs = 12_000;

beforeAll(async () => {
  api = await startApi({ limits });
});
afterAll(() => api.close());

const typeOf = ({ body }: Answer) => (JSON.parse(body) as { type: string }).type.split('/').at(-1);

/** Everything received until the server ends the connection, which it must do in time. */
async function answersTo(bytes: string | Buffer, drip?: { everyMs: number; text: string }): Promise<Answer[]> {
  const { hostname, port } = new URL(api.url);
  const text = await new Promise<string>((resolve, reject) => {
    let came = '';
    let dripping: NodeJS.Timeout | undefined;
    const socket: Socket = connect(Number(port), hostname, () => {
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
      if (drip !== undefined) dripping = setInterval(() => socket.write(drip.text), drip.everyMs);
    });
    const began = ownMs();
    const late = setInterval(() => {
      if (ownMs() - began < longestMs) return;
      socket.destroy();
      reject(new Error(`the connection is open after ${longestMs} ms: ${JSON.stringify(came.slice(0, 200))}`));
    }, 100);
    socket.on('data', (chunk) => {
      came += chunk.toString('latin1');
    });
    // If the server ends while we still write, the connection is reset: that is a valid end.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(late);
      clearInterval(dripping);
      resolve(came);
    });
  });
  const answers = answersIn(text);
  answers.forEach(assertHonest);
  return answers;
}

/** A request that the server must never read as one. */
const smuggled = () => `GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\n\r\n`;
const post = (fields: string) => `POST /health HTTP/1.1\r\nHost: x\r\n${fields}\r\n`;
const get = (fields: string) => `GET /health HTTP/1.1\r\nHost: x\r\n${fields}\r\n`;

describe('a body that could be read in two ways', { concurrent: true }, () => {
  const table: [string, (hidden: string) => string][] = [
    [
      'CL.TE',
      (hidden) => `${post(`Content-Length: ${5 + hidden.length}\r\nTransfer-Encoding: chunked\r\n`)}0\r\n\r\n${hidden}`,
    ],
    [
      'TE.CL',
      (hidden) =>
        `${post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n')}${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
    ],
    ['TE.TE', (hidden) => `${post('Transfer-Encoding: chunked\r\nTransfer-Encoding: cow\r\n')}0\r\n\r\n${hidden}`],
    ['an unknown coding', (hidden) => `${post('Transfer-Encoding: xchunked\r\n')}0\r\n\r\n${hidden}`],
    ['chunked that is not last', (hidden) => `${post('Transfer-Encoding: chunked, identity\r\n')}0\r\n\r\n${hidden}`],
    ['chunked twice', (hidden) => `${post('Transfer-Encoding: chunked, chunked\r\n')}0\r\n\r\n${hidden}`],
    [
      'a coding after a tab',
      (hidden) => `${post('Transfer-Encoding:\tchunked\r\nContent-Length: 3\r\n')}0\r\n\r\n${hidden}`,
    ],
    ['a coding after a vertical tab', (hidden) => `${post('Transfer-Encoding:\x0bchunked\r\n')}0\r\n\r\n${hidden}`],
    [
      'a space before the colon',
      (hidden) => `${post('Transfer-Encoding : chunked\r\nContent-Length: 3\r\n')}0\r\n\r\n${hidden}`,
    ],
    [
      'a coding hidden in a folded line',
      (hidden) => `${post('X: y\r\n Transfer-Encoding: chunked\r\n')}0\r\n\r\n${hidden}`,
    ],
    ['a coding after a bare LF', (hidden) => `${post('X: y\nTransfer-Encoding: chunked\r\n')}0\r\n\r\n${hidden}`],
    ['a coding after a bare CR', (hidden) => `${post('X: y\rTransfer-Encoding: chunked\r\n')}0\r\n\r\n${hidden}`],
    [
      'a coding in HTTP/1.0',
      (hidden) => `POST /health HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    ['two equal lengths', (hidden) => `${post('Content-Length: 3\r\nContent-Length: 3\r\n')}abc${hidden}`],
    ['two lengths in one', (hidden) => `${post('Content-Length: 3, 3\r\n')}abc${hidden}`],
    ['a length with a sign', (hidden) => `${post('Content-Length: +3\r\n')}abc${hidden}`],
    ['a hexadecimal length', (hidden) => `${post('Content-Length: 0x3\r\n')}abc${hidden}`],
    ['an empty length', (hidden) => `${post('Content-Length: \r\n')}${hidden}`],
    ['a length beyond 64 bits', (hidden) => `${post(`Content-Length: ${'9'.repeat(30)}\r\n`)}${hidden}`],
    ['a chunk size that is none', (hidden) => `${post('Transfer-Encoding: chunked\r\n')}zz\r\n\r\n${hidden}`],
    [
      'a chunk size beyond 64 bits',
      (hidden) => `${post('Transfer-Encoding: chunked\r\n')}${'f'.repeat(20)}\r\n${hidden}`,
    ],
    ['a chunk ended by a bare LF', (hidden) => `${post('Transfer-Encoding: chunked\r\n')}1\na\n0\n\n${hidden}`],
    [
      'an endless chunk extension',
      (hidden) => `${post('Transfer-Encoding: chunked\r\n')}1;${'a'.repeat(20_000)}\r\na\r\n${hidden}`,
    ],
    [
      'a trailer that names a length',
      (hidden) => `${post('Transfer-Encoding: chunked\r\n')}0\r\nContent-Length: 9\r\n\r\n${hidden}`,
    ],
    [
      'a GET with a coding',
      (hidden) => `${get('Transfer-Encoding: chunked\r\n')}${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
    ],
    ['a GET with a length', (hidden) => `${get(`Content-Length: ${hidden.length}\r\n`)}${hidden}`],
    ['a body below its length', () => `${post('Content-Length: 1000\r\n')}abc`],
    [
      'an upgrade with a body',
      (hidden) =>
        `${get('Connection: upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n')}PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden}`,
    ],
    ['a CONNECT with a request behind it', (hidden) => `CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n${hidden}`],
  ];
  for (const [name, bytes] of table) {
    it(`${name}: the bytes behind it are not read as a request`, async () => {
      const answers = await answersTo(bytes(smuggled()));
      assert.ok(answers.length >= 1 && answers.length <= 2, `${answers.length} answers`);
      for (const { body, status } of answers) assert.ok(!body.includes('rate_limit_per_minute'), `${status} ${body}`);
    });
  }
});

describe('lines and characters that HTTP does not have', { concurrent: true }, () => {
  const table: [string, string][] = [
    ['lines ended by a bare LF', 'GET /health HTTP/1.1\nHost: x\n\n'],
    ['lines ended by a bare CR', 'GET /health HTTP/1.1\rHost: x\r\r'],
    ['a NUL in the target', 'GET /heal\0th HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a NUL in a name', 'GET /health HTTP/1.1\r\nHo\0st: x\r\n\r\n'],
    ['a fold before the first header', 'GET /health HTTP/1.1\r\n Host: x\r\n\r\n'],
    ['an escape of a line end in the target', 'GET /health%0d%0aX:y HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['bytes beyond ASCII in the target', 'GET /h\xe9alth HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['HTTP/0.9', 'GET /health\r\n'],
    ['a method without end', `${'G'.repeat(70_000)} /health HTTP/1.1\r\n\r\n`],
    ['an asterisk', 'GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['another scheme', 'GET ftp://x/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['a scheme without host', 'GET http:///health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['user and password in the target', 'GET http://a:b@x/nonsense HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['a fragment', 'GET /nonsense#part HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['a Host that is none', 'GET /nonsense HTTP/1.1\r\nHost: a b, c/../\r\nConnection: close\r\n\r\n'],
    ['bytes at random', Array.from({ length: 500 }, (_, at) => String.fromCharCode((at * 197) % 256)).join('')],
  ];
  for (const [name, bytes] of table) {
    it(`${name}: a problem, or the end`, async () => {
      for (const { status } of await answersTo(bytes)) assert.ok(status >= 400 || status === 200, `${status}`);
    });
  }

  it('OPTIONS * is answered without a route', async () => {
    const [answer] = await answersTo('OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    assert.deepEqual([answer?.status, answer === undefined ? '' : typeOf(answer)], [404, 'not-found']);
  });
});

describe('many and much', { concurrent: true }, () => {
  for (const [count, allowed] of [
    [50, true],
    [1_999, false],
    [20_000, false],
  ] as const) {
    it(`${count} headers are ${allowed ? 'read' : 'refused'}`, async () => {
      const fields = Array.from({ length: count }, (_, at) => `A${at}: b\r\n`).join('');
      const [answer] = await answersTo(`${get(`Connection: close\r\n${fields}`)}`);
      assert.equal(answer?.status, allowed ? 200 : 431);
    });
  }

  it('a thousand requests in a row on one connection are a thousand answers, in their order', async () => {
    const one = (at: number, last: boolean) =>
      `GET ${at % 3 === 0 ? '/nonsense' : '/health'} HTTP/1.1\r\nHost: x\r\nX-Request-Id: r${at}\r\n${last ? 'Connection: close\r\n' : ''}\r\n`;
    const answers = await answersTo(Array.from({ length: 1_000 }, (_, at) => one(at, at === 999)).join(''));
    assert.equal(answers.length, 1_000);
    for (const [at, { status, headers }] of answers.entries()) {
      assert.deepEqual([status, headers.get('x-request-id')], [at % 3 === 0 ? 404 : 200, `r${at}`]);
    }
  });

  it('a row of requests ends at the first that is malformed', async () => {
    const answers = await answersTo(`${get('')}GET /health HTTP/9\r\n\r\n${smuggled()}`);
    assert.ok(answers.every(({ body }) => !body.includes('rate_limit_per_minute')));
    assert.ok(answers.length <= 2);
  });
});

describe('a slow sender', { concurrent: true }, () => {
  it('of headers, a byte at a time, gets 408 and is cut off', async () => {
    const answers = await answersTo('GET /health HTTP/1.1\r\nX: ', { everyMs: 100, text: 'a' });
    assert.deepEqual(
      answers.map(({ status }) => status),
      [408],
    );
  });

  it('of a body that the service does not read is answered and cut off', async () => {
    const answers = await answersTo(post('Content-Length: 100000\r\n'), { everyMs: 100, text: 'a' });
    assert.equal(answers[0]?.status, 405);
  });

  it('with a body that was promised by Expect is answered without it', async () => {
    const answers = await answersTo(post('Content-Length: 10\r\nExpect: 100-continue\r\n'));
    assert.ok(answers.some(({ status }) => status === 405));
  });

  it('between two requests is cut off', async () => {
    const answers = await answersTo(get(''));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200],
    );
  });

  it('that disappears does not affect others, meanwhile or after', async () => {
    const { hostname, port } = new URL(api.url);
    const sockets = Array.from({ length: 200 }, () => connect(Number(port), hostname).on('error', () => {}));
    for (const [at, socket] of sockets.entries()) socket.write(at % 2 === 0 ? 'GET /he' : '');
    const gone = Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    for (const socket of sockets) socket.resume();
    for (let time = 0; time < 20; time += 1) assert.equal((await api.get('/health')).status, 200);
    await gone;
    assert.equal((await api.get('/health')).status, 200);
  });
});
