// The documents that the service gives of itself: docs/interface.md#versioning; docs/interface.md#problem-document; docs/interface.md#documents;
// SECURITY.md.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it, type TestContext } from 'vitest';
import type { ZodObject } from 'zod';
import { exampleLanguages, exampleTasks } from '../../../api/documents/examples.ts';
import { routes } from '../../../api/routes/all.ts';
import { prose } from '../../../http/pages/html.ts';
import { sleep } from '../../../platform/process/clock.ts';
import { perGameNames } from '../../../schemas/datasets/registry.ts';
import { problemMembers } from '../../../schemas/http/problem-members.ts';
import {
  type GatewayProblemCode,
  gatewayProblemTypes,
  type ProblemCode,
  problemTypes,
} from '../../../schemas/http/problems.ts';
import { problemTypesPage } from '../../../schemas/http/service.ts';
import { FakeCatalog } from '../../support/fakes/api-fakes.ts';
import { assertProblem, type Reply, startApi, type TestApi, type TestOptions } from '../../support/http/api-http.ts';
import { describe as describeApi } from '../../support/http/documented.ts';
import { withoutScript } from '../../support/http/without-script.ts';
import { until } from '../../support/services/until.ts';

const baseUrl = 'https://api.example.test';
const documents = {
  '/docs': 'text/html; charset=utf-8',
  '/llms.txt': 'text/plain; charset=utf-8',
  '/v1/openapi.json': 'application/json',
};
let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const idsOf = (text: string) => [...text.matchAll(/ id="([^"]+)"/g)].map((match) => match[1] as string);
const linksOf = (text: string) => [...text.matchAll(/ href="([^"]+)"/g)].map((match) => match[1] as string);
/** The text that a reader of a page sees. */
const plainText = (text: string) =>
  text
    .replace(/<script.*?<\/script>/s, '')
    .replaceAll(/<style>.*?<\/style>|<[^>]+>/gs, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');

const page = async (path: string, accept = 'text/html') => await api.get(path, { key: null, headers: { accept } });
const textOf = async (path: string) => (await api.get(path, { key: null })).body.toString('utf8');

describe('each document', () => {
  for (const [path, mediaType] of Object.entries(documents)) {
    it(`${path} needs no key, is public for 5 minutes, and is unchanged by its ETag`, async () => {
      const reply = await api.get(path, { key: null });
      assert.deepEqual([reply.status, reply.headers['content-type']], [200, mediaType]);
      assert.equal(reply.headers['cache-control'], 'public, max-age=300');
      assert.equal(reply.headers.vary, undefined);
      const again = await api.get(path, { key: null, headers: { 'if-none-match': reply.headers.etag as string } });
      assert.deepEqual([again.status, again.body.length], [304, 0]);
      const head = await api.get(path, { key: null, method: 'HEAD' });
      assert.deepEqual([head.status, head.headers.etag, head.body.length], [200, reply.headers.etag, 0]);
    });
    it(`${path} refuses unknown parameters and other methods`, async () => {
      assertProblem(await api.get(`${path}?x=1`, { key: null }), 'validation-error');
      assertProblem(await api.get(path, { key: null, method: 'POST' }), 'method-not-allowed');
    });
  }

  it('counts against the limit of its address', async (t) => {
    const limited = await startApi({ rateLimits: { address: 2 } });
    t.onTestFinished(() => limited.close());
    for (const path of ['/docs', '/llms.txt']) assert.equal((await limited.get(path, { key: null })).status, 200);
    const refused = await limited.get('/v1/openapi.json', { key: null });
    assertProblem(refused, 'rate-limited');
    assert.ok(Number(refused.headers['retry-after']) >= 1);
  });

  it('names the address of the request where no public address is configured', async (t) => {
    const local = await startApi({ baseUrl: null });
    t.onTestFinished(() => local.close());
    const described = (await local.get('/v1/openapi.json', { key: null })).json() as { servers: unknown };
    assert.deepEqual(described.servers, [{ url: local.url }]);
    assert.ok((await local.get('/llms.txt', { key: null })).body.includes(`Base URL: ${local.url}\n`));
    assert.ok((await local.get('/docs', { key: null })).body.includes(`export API=${local.url}\n`));
  });
});

it('/v1/openapi.json is the description that the tests compare all answers with', async () => {
  assert.deepEqual((await api.get('/v1/openapi.json', { key: null })).json(), describeApi(baseUrl));
});

describe('/docs', () => {
  it('lets a browser load nothing, run nothing but its own script, frame nothing', async () => {
    const reply = await api.get('/docs', { key: null });
    const policy = reply.headers['content-security-policy'] ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src data:; /);
    assert.match(policy, /frame-ancestors 'none'$/);
    const text = withoutScript(reply.body.toString('utf8'), policy);
    assert.doesNotMatch(text, /<script|<iframe|<img|<form|javascript:| on[a-z]+=| style=|@import|url\(/i);
    for (const link of linksOf(text)) assert.match(link, /^(#|\/(?!\/)|data:image\/svg\+xml,)/);
  });

  it('has an anchor for every route, every problem type and the tiers, and each of its links resolves', async () => {
    const text = await textOf('/docs');
    const known = idsOf(text);
    assert.equal(new Set(known).size, known.length, 'an id stands twice');
    for (const { id } of routes) assert.ok(known.includes(id), id);
    for (const code of Object.keys(problemTypes)) assert.ok(known.includes(`problem-${code}`), code);
    assert.ok(known.includes('tiers'), 'where upgrade_url leads');
    for (const link of new Set(linksOf(text))) {
      if (link.startsWith('#')) assert.ok(known.includes(link.slice(1)), link);
      else if (link.startsWith('/')) assert.equal((await api.get(link, { key: null })).status, 200, link);
    }
  });

  it('explains each problem type once, in a row of one table; routes refer to that', async () => {
    const text = await textOf('/docs');
    const rows = [...text.matchAll(/<a id="problem-[^"]+" href="\/problems\/([^"]+)"/g)].map((match) => match[1]);
    assert.deepEqual(rows, Object.keys(problemTypes));
    const said = text.replaceAll(/<[^>]+>/g, '');
    for (const { meaning } of Object.values(problemTypes)) {
      const words = prose(meaning).text.replaceAll(/<[^>]+>/g, '');
      assert.equal(said.split(words).length - 1, 1, words);
    }
  });

  it('shows every path, and each task in each language', async () => {
    const text = (await textOf('/docs')).replaceAll(/<[^>]+>/g, '');
    for (const { path } of routes) assert.ok(text.includes(`GET${path.replaceAll(/:([a-z_]+)/g, '{$1}')}`), path);
    const shown = [...(await textOf('/docs')).matchAll(/data-example="([^"]+)"/g)].map((match) => match[1]);
    const expected = exampleTasks.flatMap((task) => exampleLanguages.map((language) => `${task.id} ${language.id}`));
    assert.deepEqual(shown, expected);
  });
});

describe('the page of a dataset', () => {
  for (const dataset of perGameNames) {
    const path = `/docs/datasets/${dataset}`;
    it(`${dataset}: needs no key, is public for 5 minutes, is unchanged by its ETag, and lets a browser load nothing`, async () => {
      const reply = await api.get(path, { key: null });
      assert.deepEqual([reply.status, reply.headers['content-type']], [200, 'text/html; charset=utf-8']);
      assert.equal(reply.headers['cache-control'], 'public, max-age=300');
      assert.match(reply.headers['content-security-policy'] ?? '', /^default-src 'none'; style-src 'sha256-/);
      const headers = { 'if-none-match': reply.headers.etag as string };
      assert.equal((await api.get(path, { key: null, headers })).status, 304);
      assertProblem(await api.get(`${path}?x=1`, { key: null }), 'validation-error');
    });

    it(`${dataset}: describes every column, the key and the versions, and each of its links resolves`, async () => {
      const text = await textOf(path);
      const { columns, primary_key } = (await api.get(`/v1/datasets/${dataset}/schema`, { key: null })).json() as {
        columns: { name: string; description: string }[];
        primary_key: string[];
      };
      const said = plainText(text);
      for (const { name, description } of columns) {
        assert.ok(text.includes(`<code>${name}</code>`), name);
        assert.ok(said.includes(description.replaceAll('`', '')), name);
      }
      assert.ok(said.includes(`Primary key: ${primary_key.join(', ')}.`));
      assert.ok(said.includes(`GET/v1/games/{game_id}/${dataset}`));
      assert.match(said, /expect a second version of market-results/i);
      assert.doesNotMatch(said, /undefined|\[object|NaN|`/);
      const known = idsOf(text);
      assert.equal(new Set(known).size, known.length, 'an id stands twice');
      for (const link of new Set(linksOf(text))) {
        if (link.startsWith('#')) assert.ok(known.includes(link.slice(1)), link);
        else if (link.startsWith('/')) assert.equal((await api.get(link, { key: null })).status, 200, link);
      }
      assert.ok((await textOf('/docs')).includes(`href="${path}"`), 'the reference links to it');
    });
  }

  it('of results has every result, every reason and every market', async () => {
    const said = plainText(await textOf('/docs/datasets/market-results'));
    const { row } = (await api.get('/v1/datasets/market-results/schema', { key: null })).json() as {
      row: { properties: Record<string, { enum?: (string | null)[] }> };
    };
    for (const column of ['result', 'result_reason'])
      for (const value of row.properties[column]?.enum ?? [])
        if (value !== null) assert.ok(said.includes(value), value);
    for (const market of ['moneyline', 'spread', 'total', 'team_total', 'player_anytime_td', 'pitcher_outs'])
      assert.ok(said.includes(market), market);
  });

  it('of no other name is there: 404 `Unknown dataset`', async () => {
    for (const name of ['plays', 'nonsense', 'Market-Results', '%20']) {
      const problem = assertProblem(await api.get(`/docs/datasets/${name}`, { key: null }), 'not-found');
      assert.equal(problem.title, 'Unknown dataset');
    }
  });
});

describe('/llms.txt', () => {
  it('lists every route and problem type, and says what to do on a 409 and a 410', async () => {
    const text = await textOf('/llms.txt');
    for (const { path } of routes) assert.ok(text.includes(`GET ${path.replaceAll(/:([a-z_]+)/g, '{$1}')}`), path);
    for (const [code, { statuses, remedy }] of Object.entries(problemTypes)) {
      assert.equal(text.split(`\n- ${code} (${statuses.join(', ')}): `).length - 1, 1, code);
      assert.ok(text.includes(remedy), code);
    }
    assert.match(
      text,
      /On any 409: nothing is charged\. Drop your rows and list the segments again without a cursor\./,
    );
    assert.match(text, /On any 410: GET the path in "snapshot" and start over\./);
    assert.match(text, /^## Follow a revisioned dataset$/m);
  });

  it('is plain text of readable length', async () => {
    const text = await textOf('/llms.txt');
    assert.doesNotMatch(text, /undefined|\[object|NaN/);
    assert.ok(text.length < 20_000);
  });
});

describe('the page of a problem type', () => {
  for (const code of Object.keys(gatewayProblemTypes) as GatewayProblemCode[]) {
    it(`${code} is a page for clients that prefer HTML, and JSON for others`, async () => {
      const html = await page(`/problems/${code}`);
      assert.deepEqual([html.status, html.headers['content-type']], [200, 'text/html; charset=utf-8']);
      assert.match(html.headers['content-security-policy'] ?? '', /^default-src 'none'/);
      const json = await page(`/problems/${code}`, '*/*');
      assert.equal(json.headers['content-type'], 'application/json');
      for (const reply of [html, json]) {
        assert.deepEqual([reply.headers.vary, reply.headers['cache-control']], ['Accept', 'public, max-age=300']);
      }
      assert.notEqual(html.headers.etag, json.headers.etag);
      const read = (text: string) => text.replaceAll('`', '');
      const said = plainText(html.body.toString('utf8'));
      for (const part of ['title', 'meaning', 'remedy'] as const) {
        assert.ok(said.includes(read(gatewayProblemTypes[code][part])), `${part} of ${code}`);
      }
    });
  }

  it('shows an example with every member that the type always has', async () => {
    for (const code of Object.keys(problemTypes) as ProblemCode[]) {
      const html = (await page(`/problems/${code}`)).body.toString('utf8');
      const [, shown = '{}'] = /<h2>Example<\/h2>\s*<pre[^>]*><code>(.*?)<\/code>/s.exec(html) ?? [];
      const example = JSON.parse(shown.replaceAll('&quot;', '"').replaceAll('&#39;', "'")) as Record<string, unknown>;
      const { type, title, status } = example;
      assert.ok(String(type).endsWith(`/problems/${code}`), code);
      assert.deepEqual([title, status], [problemTypes[code].title, problemTypes[code].statuses[0]]);
      const members = (problemMembers as Partial<Record<ProblemCode, ZodObject>>)[code];
      if (members !== undefined) members.parse(example);
    }
  });

  it('is in a list, which is a page for clients that prefer HTML, and JSON for others', async () => {
    const html = await page('/problems');
    assert.deepEqual([html.status, html.headers['content-type']], [200, 'text/html; charset=utf-8']);
    const json = await page('/problems', '*/*');
    assert.deepEqual([json.headers['content-type'], json.headers.vary], ['application/json', 'Accept']);
    const codes = Object.keys(gatewayProblemTypes);
    const { data } = problemTypesPage.parse(json.json());
    assert.deepEqual(
      data.map(({ type }) => type.split('/').at(-1)),
      codes,
    );
    for (const code of codes) assert.ok(html.body.toString('utf8').includes(`href="/problems/${code}"`), code);
  });

  it('of an unknown type is a problem document for both', async () => {
    for (const accept of ['text/html', '*/*']) assertProblem(await page('/problems/nonsense', accept), 'not-found');
  });
});

describe('/health/ready', () => {
  const ready = async (one: TestApi): Promise<Reply> => await one.get('/health/ready', { key: null });
  /** Starts an API that checks its dependencies all the time, and closes with its test. */
  const looking = async (t: TestContext, options: TestOptions = {}): Promise<TestApi> => {
    const local = await startApi({ limits: { readinessEveryMs: 10 }, ...options });
    t.onTestFinished(() => local.close());
    return local;
  };
  const becomes = async (one: TestApi, missing: string): Promise<Reply> => {
    let reply = await ready(one);
    await until(`${missing} is out of reach`, async () => {
      reply = await ready(one);
      return (
        reply.status === 503 && assertProblem(reply, 'temporarily-unavailable').detail === `Out of reach: ${missing}.`
      );
    });
    return reply;
  };
  const isBack = (one: TestApi) => until('it is ready', async () => (await ready(one)).status === 200);

  it('is 200 while the catalog and the store are reached, and never kept', async () => {
    const reply = await ready(api);
    assert.deepEqual([reply.status, reply.json()], [200, { status: 'ready' }]);
    assert.equal(reply.headers['cache-control'], 'no-store');
  });

  it('is 503 while the catalog is down, says so, and is 200 again when it is back', async (t) => {
    const local = await looking(t);
    local.catalog.state = 'down';
    const down = await becomes(local, 'the catalog');
    assert.equal(down.headers['retry-after'], '1');
    assert.equal((await local.get('/health', { key: null })).status, 200, 'health is of the process');
    local.catalog.state = 'up';
    await isBack(local);
  });

  it('is 200 while only the store fails, because all instances share it', async (t) => {
    const local = await looking(t);
    const get = local.objects.get;
    local.objects.get = async () => {
      throw new Error('the store is down');
    };
    await until('health knows', async () =>
      String((await local.get('/health', { key: null })).body).includes('objects'),
    );
    assert.equal((await ready(local)).status, 200);
    local.catalog.state = 'down';
    await becomes(local, 'the catalog and the object store');
    local.objects.get = get;
    await becomes(local, 'the catalog');
  });

  it('is 200 while the catalog is down, for as long as a key is answered from memory', async (t) => {
    const local = await looking(t);
    await local.clock.still(async () => {
      assert.equal((await local.get('/v1/games')).status, 200);
      local.catalog.state = 'down';
      await until('health knows', async () =>
        String((await local.get('/health', { key: null })).body).includes('catalog'),
      );
      assert.equal((await ready(local)).status, 200);
      local.clock.ahead += 299_000_000;
      assert.equal((await ready(local)).status, 200);
      local.clock.ahead += 2_000_000;
      await becomes(local, 'the catalog');
      assert.equal((await local.get('/v1/games')).status, 503, 'nor is any request answered');
    });
  });

  it('is 503 while the catalog does not answer', async (t) => {
    const local = await looking(t);
    local.catalog.state = 'hanging';
    await becomes(local, 'the catalog');
    local.catalog.state = 'up';
    await isBack(local);
  });

  it('is 503 from the first probe on where the service starts while the catalog is down', async (t) => {
    const catalog = new FakeCatalog();
    catalog.state = 'down';
    const local = await looking(t, { catalog, limits: { readinessEveryMs: 1e9 } });
    assertProblem(await ready(local), 'temporarily-unavailable');
  });

  it('answers at once without a query of its own, however many probes arrive', async (t) => {
    const local = await looking(t, { limits: { readinessEveryMs: 1e9 } });
    let asked = 0;
    const hang = () => {
      asked += 1;
      return new Promise<never>(() => {});
    };
    local.catalog.calendar = hang;
    local.objects.get = hang;
    const replies = await Promise.all(Array.from({ length: 50 }, () => ready(local)));
    assert.ok(replies.every(({ status }) => status === 200));
    assert.equal(asked, 0);
  });

  it('is 503, and keeps checking, after an unforeseen failure of a check', async (t) => {
    const local = await looking(t);
    const { calendar } = local.catalog;
    local.catalog.calendar = async () => {
      throw new TypeError('a defect');
    };
    await becomes(local, 'the catalog');
    local.catalog.calendar = calendar;
    await isBack(local);
  });

  it('stops checking once the API is closed', async () => {
    const local = await startApi({ limits: { readinessEveryMs: 10 } });
    await until('it looks', () => local.catalog.calls.calendar > 2);
    await local.close();
    await sleep(50);
    const { calendar } = local.catalog.calls;
    await sleep(100);
    assert.equal(local.catalog.calls.calendar, calendar);
  });
});
