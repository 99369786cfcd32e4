// The helper that holds answers to the API's description does refuse what does not fit: a check that cannot fail keeps nothing.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Reply } from '../../support/http/api-http.ts';
import { assertDocumented, describe as describeApi } from '../../support/http/documented.ts';
import { faultsOf } from '../../support/http/json-schema.ts';

const baseUrl = 'https://api.example.test';
const description = describeApi(baseUrl);

function reply(status: number, body: unknown, headers: Record<string, string>): Reply {
  const text = body === null ? '' : JSON.stringify(body);
  return { status, headers, body: Buffer.from(text), json: () => JSON.parse(text) };
}

const headers = { 'content-type': 'application/json', 'x-request-id': 'a', 'cache-control': 'no-store' };
const problemHeaders = { ...headers, 'content-type': 'application/problem+json', vary: 'Authorization' };
const problem = { type: `${baseUrl}/problems/rate-limited`, title: 'x', status: 429 };
const health = { method: 'GET', target: '/health' };
/** A route with rate limits; probes have none. */
const limited = { method: 'GET', target: '/problems/not-found' };

describe('an answer that is not as documented is refused', () => {
  const cases: readonly (readonly [string, Reply])[] = [
    ['an unknown status', reply(201, { status: 'ok', degraded: [] }, headers)],
    ['a member too many', reply(200, { status: 'ok', degraded: [], more: 1 }, headers)],
    ['a member too few', reply(200, { status: 'ok' }, headers)],
    ['a value of another type', reply(200, { status: 'ok', degraded: [1] }, headers)],
    ['another media type', reply(200, { status: 'ok', degraded: [] }, { ...headers, 'content-type': 'text/plain' })],
    ['a header too many', reply(200, { status: 'ok', degraded: [] }, { ...headers, etag: '"a"' })],
    ['a header too few', reply(200, { status: 'ok', degraded: [] }, { 'content-type': 'application/json' })],
    [
      'a problem of a type that the route has not',
      reply(429, { ...problem, type: `${baseUrl}/problems/throttled` }, problemHeaders),
    ],
    ['a problem of another base', reply(429, { ...problem, type: '/problems/rate-limited' }, problemHeaders)],
    ['a problem under another status', reply(429, { ...problem, status: 400 }, problemHeaders)],
    ['a problem with a member of its own', reply(429, { ...problem, stack: 'x' }, problemHeaders)],
  ];
  for (const [name, wrong] of cases) {
    const asked = wrong.status === 429 ? limited : health;
    it(name, () => assert.throws(() => assertDocumented(description, asked, wrong), assert.AssertionError));
  }

  it('a body to HEAD', () => {
    const wrong = reply(200, { status: 'ok', degraded: [] }, headers);
    assert.throws(() => assertDocumented(description, { method: 'HEAD', target: '/health' }, wrong));
  });
  it('anything but a refusal where there is no route', () => {
    assert.throws(() => assertDocumented(description, { method: 'GET', target: '/nowhere' }, reply(200, {}, headers)));
  });
});

it('an answer as documented is not', () => {
  assertDocumented(description, health, reply(200, { status: 'ok', degraded: ['ratelimit'] }, headers));
  assertDocumented(description, limited, reply(429, problem, { ...problemHeaders, 'retry-after': '1' }));
});

it('a schema with a keyword that nobody checks is refused', () => {
  assert.deepEqual(faultsOf(1, { multipleOf: 2 }, {}), ['$: the schema has the unknown keyword multipleOf']);
});
