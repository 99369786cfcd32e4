// Heads that are made once and given to answers as text: on a connection that stays open they say what Node's own would, field by field, and
// the connection goes on as it does with Node's own.
import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { openPreparedHeads, textOfFields } from '../../../api/http/prepared-heads.ts';
import { openManualClock } from '../../support/fakes/manual-clock.ts';
import { startApi, type TestApi } from '../../support/http/api-http.ts';
import { type Answer, answersIn } from '../../support/http/raw-answers.ts';

const game = 'MLB_STL_NYY_20260805';
const lines = `/v1/games/${game}/sportsbook-lines`;
/** A document, a file, a list, and a document that needs no key. */
const targets = [`${lines}/segments`, `${lines}/segments/1`, '/v1/games', '/v1/datasets'];
let api: TestApi;

beforeAll(async () => {
  api = await startApi();
  await api.log(game).append(7);
  // From then on the segment is paid and costs nothing.
  await api.get(`${lines}/segments/1`);
});
afterAll(() => api.close());

function request(target: string, fields: readonly string[] = [], line = 'GET'): string {
  const head = [
    `${line} ${target} HTTP/1.1`,
    'Host: api.example.test',
    `Authorization: Bearer ${api.key}`,
    'X-Request-Id: r',
  ];
  return [...head, ...fields, '', ''].join('\r\n');
}

/** The answers to `requests`, which are sent at once; the last request ends the connection. */
async function ask(...requests: string[]): Promise<Answer[]> {
  return answersIn(await api.raw(requests.join('')));
}

const closing = ['Connection: close'];

describe('a head that is made once', () => {
  it("has the same fields in the same order as Node's own", async () => {
    for (const target of targets) {
      const asked = Date.now();
      const [staying, ending] = await ask(request(target), request(target, closing));
      assert.ok(staying !== undefined && ending !== undefined);
      assert.equal(staying.headers.get('connection'), 'keep-alive');
      assert.equal(ending.headers.get('connection'), 'close');
      assert.equal(staying.headers.get('keep-alive'), 'timeout=65');
      const date = Date.parse(staying.headers.get('date') ?? '');
      assert.ok(date > asked - 5_000 && date <= Date.now());
      const fieldsOf = ({ headers }: Answer) =>
        [...headers].filter(([name]) => !/^(connection|keep-alive|date|ratelimit.*)$/.test(name));
      assert.deepEqual(fieldsOf(staying), fieldsOf(ending), target);
      const names = ({ headers }: Answer) => [...headers.keys()].filter((name) => name !== 'keep-alive');
      assert.deepEqual(names(staying), names(ending), target);
      assert.equal(staying.status, 200);
      assert.equal(staying.body, ending.body);
    }
  });

  it('keeps the order of requests that are sent at once, whatever they ask for', async () => {
    const [segments = '', file = ''] = targets;
    const answers = await ask(
      request(segments),
      request(file),
      request('/v1/nonsense'),
      request(file, ['Range: bytes=0-3']),
      request(segments),
      request(segments, closing),
    );
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.slice(0, 4)]),
      [
        [200, '{"ga'],
        [200, '1 1 '],
        [404, '{"ty'],
        [206, '1 1 '],
        [200, '{"ga'],
        [200, '{"ga'],
      ],
    );
  });

  it('is not used for HEAD, and the connection stays usable after one', async () => {
    const text = await api.raw(
      request(`${lines}/segments`, [], 'HEAD') + request(`${lines}/segments`) + request(`${lines}/segments`, closing),
    );
    const [head, ...gets] = answersIn(text, [true]);
    const [get] = gets;
    assert.equal(gets.length, 2);
    assert.equal(head?.headers.get('content-length'), String(get?.body.length));
  });

  it('is not used for HTTP/1.0, whose connection ends after the answer', async () => {
    const text = await api.raw(request(`${lines}/segments`).replace('HTTP/1.1', 'HTTP/1.0'));
    assert.equal(answersIn(text)[0]?.headers.get('connection'), 'close');
  });

  it('is not used where the server ends the connection', () => {
    const heads = openPreparedHeads({ clock: openManualClock(0), keepAliveMs: 1_000 });
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    response.setHeader('Connection', 'close');
    assert.equal(heads.give(response, '', []), false);
    assert.equal(response.headersSent, false);
  });

  it('refuses a field that would end the head early', () => {
    assert.throws(() => textOfFields(['ETag', 'a\r\nSet-Cookie: b']), { code: 'ERR_INVALID_CHAR' });
    assert.throws(() => textOfFields(['ETag\r\n', 'a']), { code: 'ERR_INVALID_HTTP_TOKEN' });
  });
});
