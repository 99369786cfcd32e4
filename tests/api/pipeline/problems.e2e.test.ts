// The routes without a key, the catalogue of problems, and what the declarations say: docs/interface.md#problem-document;
// docs/interface.md#errors; docs/interface.md#problem-types.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { routes } from '../../../api/routes/all.ts';
import { type GatewayProblemCode, gatewayProblemTypes, problemTypes } from '../../../schemas/http/problems.ts';
import { problemPage } from '../../../schemas/http/service.ts';
import { assertProblem, pepper, startApi, type TestApi } from '../../support/http/api-http.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('the page of a problem type', () => {
  for (const suffix of Object.keys(gatewayProblemTypes) as GatewayProblemCode[]) {
    it(`${suffix} says what it means and what to do`, async () => {
      const reply = await api.get(`/problems/${suffix}`, { key: null });
      assert.equal(reply.status, 200);
      assert.equal(reply.headers['cache-control'], 'public, max-age=300');
      assert.equal(reply.headers.vary, 'Accept');
      const page = problemPage.parse(reply.json());
      assert.equal(page.type, `https://api.example.test/problems/${suffix}`);
      assert.deepEqual(page.statuses, [...gatewayProblemTypes[suffix].statuses]);
      assert.ok(page.meaning.length > 20 && page.remedy.length > 10);
    });
  }

  it('is where the type of a problem leads to', async (t) => {
    const local = await startApi({ baseUrl: null });
    t.onTestFinished(() => local.close());
    const { type } = (await local.get('/nonsense')).json() as { type: string };
    assert.ok(type.startsWith(`${local.url}/problems/`));
    assert.equal((await local.get(new URL(type).pathname, { key: null })).status, 200);
  });

  it('of no type is not found', async () => {
    for (const suffix of ['nonsense', '__proto__', 'toString', 'Not-Found', 'not-found%20']) {
      assertProblem(await api.get(`/problems/${suffix}`, { key: null }), 'not-found');
    }
  });
});

it('the catalogue has exactly the types of the book, each under its status', () => {
  const published: Record<string, readonly number[]> = {
    'validation-error': [400],
    'invalid-key': [401],
    'subscription-required': [402],
    'key-disabled': [403],
    'history-restricted': [403],
    'not-found': [404],
    'not-final': [404],
    'not-yet-available': [404],
    'live-segment-behind': [409],
    'live-cursor-reset': [409],
    'rate-limited': [429],
    'quota-exhausted': [429],
    throttled: [429],
    'internal-error': [500],
    'stream-reset': [410],
    'cursor-expired': [410],
    'range-not-satisfiable': [416],
    'precondition-failed': [412],
    'method-not-allowed': [405],
    'malformed-request': [400, 408, 414, 417, 431],
    'temporarily-unavailable': [503],
  };
  const given = Object.fromEntries(
    Object.entries(problemTypes).map(([suffix, { statuses }]) => [suffix, [...statuses]]),
  );
  assert.deepEqual(given, published);
});

describe('/health', () => {
  it('needs no key and is never kept', async () => {
    const reply = await api.get('/health', { key: null });
    assert.deepEqual([reply.status, reply.json()], [200, { status: 'ok', degraded: [] }]);
    assert.equal(reply.headers['cache-control'], 'no-store');
    assert.equal(reply.headers.etag, undefined);
    assert.equal((await api.get('/health', { headers: { 'if-none-match': '*', 'if-match': '"x"' } })).status, 200);
  });

  it('ignores a broken key', async () => {
    assert.equal((await api.get('/health', { key: 'nonsense' })).status, 200);
  });
});

it('routes without a key refuse unknown query parameters too', async () => {
  for (const path of ['/health?x=1', '/problems/not-found?x', '/health?=']) {
    assertProblem(await api.get(path, { key: null }), 'validation-error');
  }
  assert.equal((await api.get('/health?', { key: null })).status, 200);
});

describe('a subscription that is missing', () => {
  it('says where to get one, as a full address', async () => {
    const key = api.catalog.mint(pepper, { entitled: false });
    const problem = assertProblem(await api.get('/v1/games', { key }), 'subscription-required');
    assert.match(problem.upgrade_url as string, /^https:\/\/api\.example\.test\//);
  });
});

const rowsAsJson = new Set(['listRows', 'getOdds', 'listOdds', 'getRevisionRows', 'getLeagueRevisionRows']);

describe('what a route declares', () => {
  for (const route of routes) {
    it(`${route.path} is consistent`, () => {
      const names = [...route.path.matchAll(/:([a-z_]+)/g)].map((match) => match[1]);
      assert.equal(names.includes('game_id'), route.game === 'identity' || route.game === 'record');
      assert.equal(names.includes('league'), route.game === 'league');
      assert.equal(names.includes('dataset'), route.datasets !== null);
      const isOfRows = route.answers[200] === 'parquet' || rowsAsJson.has(route.id);
      assert.equal(isOfRows, route.charge !== 'free', 'rows are charged, in files or not; other documents are free');
      for (const status of [400, 403, 404, 409, 410] as const) {
        for (const code of route.answers[status] ?? []) assert.equal(problemTypes[code].statuses[0], status);
      }
    });
  }

  it('is declared once per path', () => {
    assert.equal(new Set(routes.map(({ path }) => path)).size, routes.length);
  });

  it('which routes need a key is as the interface lists them', () => {
    const keyless =
      /^\/(|page\/[^/]+|docs|docs\/datasets\/[^/]+|health|health\/ready|llms\.txt|problems(?:\/.*)?|v1\/openapi\.json|v1\/datasets|v1\/datasets\/[^/]+\/schema)$/;
    for (const route of routes) assert.equal(route.key !== 'required', keyless.test(route.path), route.path);
  });
});
