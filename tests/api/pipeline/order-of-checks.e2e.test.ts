// The order in which a request is checked: docs/interface.md#order-of-checks. Every set of up to three faults that can occur together is
// answered with that of the earliest check.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { assertProblem, startApi, type TestApi } from '../../support/http/api-http.ts';
import { routeExamples } from '../../support/http/every-route.ts';
import {
  assertEarliestDecides,
  type Fault,
  type FaultyRequest,
  fault,
  faultless,
  faultsOfKeys,
  limiterByName,
} from '../../support/http/faults-together.ts';

type Request = FaultyRequest & { game: string; rest: string };

const game = 'MLB_STL_NYY_20260805';
let api: TestApi;
let etag = '';

/** In the order of docs/interface.md#order-of-checks. */
const faults: readonly Fault<Request>[] = [
  ...faultsOfKeys,
  fault('an unknown parameter', 'query', 400, 'validation-error', (request) => {
    request.query.push('nonsense=1');
  }),
  fault('a malformed range', 'range', 400, 'validation-error', (request) => {
    request.headers.range = 'bytes=x';
  }),
  fault('an unknown dataset', 'rest', 404, 'not-found', (request) => {
    request.rest = 'nonsense';
    request.query = request.query.filter((parameter) => !parameter.startsWith('rows'));
  }),
  fault('an unknown game', 'game', 404, 'not-found', (request) => {
    request.game = 'MLB_STL_NYY_19990805';
  }),
  fault("a game outside the tier's history", 'tier', 403, 'history-restricted', (request) => {
    request.tier = 'DEMO';
  }),
  fault('an unknown segment', 'rest', 404, 'not-found', (request) => {
    request.rest = 'sportsbook-lines/segments/9';
  }),
  fault('rows that the segment does not have', 'rows', 409, 'live-segment-behind', (request) => {
    if (request.rest !== 'nonsense') request.query.push('rows=999');
  }),
  fault('a failed precondition', 'if-match', 412, 'precondition-failed', (request) => {
    request.headers['if-match'] = '"other"';
  }),
  fault('an unchanged file', 'if-none-match', 304, null, (request) => {
    request.headers['if-none-match'] = etag;
  }),
  fault('a range beyond the file', 'range', 416, 'range-not-satisfiable', (request) => {
    request.headers.range = 'bytes=100000-';
  }),
  fault('an exhausted quota', 'quota', 429, 'quota-exhausted', (request) => {
    request.poor = true;
  }),
];

beforeAll(async () => {
  api = await startApi({ limiter: limiterByName, demoMonth: '2020-01' });
  api.ledger.quotas.set('poor', 0);
  await api.log(game).append(7);
  etag = (await api.get(`/v1/games/${game}/sportsbook-lines/segments/1`)).headers.etag ?? '';
});
afterAll(() => api.close());

describe('the earliest check that refuses decides', () => {
  for (const size of [0, 1, 2, 3]) {
    it(`of ${size} fault${size === 1 ? '' : 's'} at a time`, async () => {
      const request = () => ({ ...faultless(), game, rest: 'sportsbook-lines/segments/1' });
      const path = (of: Request) => `/v1/games/${of.game}/${of.rest}`;
      const sets = await assertEarliestDecides({ api, faults, request, path }, size);
      assert.ok(sets >= [1, 18, 140, 600][size]!, `${sets} sets`);
    });
  }
});

describe('of routes without a key', () => {
  const keyless = routeExamples.filter(({ route }) => !route.class.key).map(({ path }) => path);
  const probes = keyless.filter((path) => path.startsWith('/health'));
  const paths = keyless.filter((path) => !probes.includes(path));

  it('the limit of the address decides first, then the shape of the query, then what is there', async () => {
    assert.ok(paths.length >= 6, `${paths.length} routes`);
    await using limited = await startLimited();
    for (const path of [...paths, '/v1/datasets/nonsense/schema', '/problems/nonsense']) {
      assertProblem(await api.get(`${path}?nonsense=1`, { key: null }), 'validation-error');
      assertProblem(await limited.get(`${path}?nonsense=1`, { key: null }), 'rate-limited');
    }
    for (const path of ['/v1/datasets/nonsense/schema', '/problems/nonsense'])
      assertProblem(await api.get(path, { key: null }), 'not-found');
    assertProblem(await limited.get('/v1/nonsense?nonsense=1', { key: null }), 'not-found');
    assert.equal(probes.length, 2);
    for (const probe of probes) {
      assert.equal((await limited.get(probe, { key: null })).status, 200, 'a probe is always answered');
      assertProblem(await limited.get(`${probe}?nonsense=1`, { key: null }), 'validation-error');
    }
  });

  /** An API that has used up the limit of an address. */
  async function startLimited() {
    const own = await startApi({ rateLimits: { address: 1 } });
    await own.get('/v1/openapi.json', { key: null });
    return Object.assign(own, { [Symbol.asyncDispose]: () => own.close() });
  }
});

it('a path without a route is refused before the key is looked at', async () => {
  const reply = await api.get('/v1/nonsense', { key: null });
  assert.equal(reply.status, 404);
});
