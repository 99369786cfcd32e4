// The gateway's description: valid OpenAPI 3.1, the route table and nothing else, every answer that a route can give. Every test over HTTP
// compares the gateway's answers, and the bodies that it accepts, with the description (tests/support/http/gateway-documented.ts).
// SECURITY.md, S35.
import assert from 'node:assert/strict';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { feedScopes } from '../../../core/ports/catalog/keys.ts';
import { routes } from '../../../ingest/gateway/routes.ts';
import { gatewayProblemTypes } from '../../../schemas/http/problems.ts';
import { assertDescribed, type GatewayDescription, gatewayDescription } from '../../support/http/gateway-documented.ts';
import { baseUrl, event, kindOf, quote, startGateway, type TestGateway } from '../../support/http/gateway-http.ts';
import { faultsOf, resolve, type Schema } from '../../support/http/json-schema.ts';
import { referencesOf } from '../../support/http/references.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const description = gatewayDescription(baseUrl);
const operations = Object.entries(description.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

describe('the description of the gateway', () => {
  it('is served without a key, as the tests hold all answers to', async () => {
    const response = await fetch(`${gateway.url}/v1/openapi.json`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.deepEqual(await response.json(), description);
  });

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(description));
    assert.deepEqual([valid, errors], [true, undefined]);
  });

  it('has the paths and methods of the route table, both ways', () => {
    const routed = routes.flatMap(({ method, path }) =>
      (method === 'GET' ? ['get', 'head'] : ['post']).map((name) => `${name} ${path}`),
    );
    const described = operations.map(({ path, method }) => `${method} ${path.replaceAll(/\{([a-z_]+)\}/g, ':$1')}`);
    assert.deepEqual(described.sort(), routed.sort());
  });

  it('names each operation once, by names that do not change', () => {
    const names = operations.filter(({ method }) => method !== 'head').map(({ operation }) => operation.operationId);
    assert.deepEqual(names.sort(), [
      'explainProblem',
      'getGuide',
      'getHealth',
      'getManual',
      'getNativeEventSchema',
      'getOpenApi',
      'getReadiness',
      'getReceipt',
      'pushMsf',
      'pushQuotes',
      'pushReference',
      'pushTheOddsApi',
      'pushTick',
    ]);
  });

  it('refers only to its own components, and has none without a reference', () => {
    assert.deepEqual(referencesOf(description), { broken: [], unused: [] });
  });
});

const http = [400, 408, 414, 417, 431, 500];
const keyed = [401, 403, 429, 503];
const push = [202, 404, 413, 415, ...http, ...keyed];
const statuses: Readonly<Record<string, readonly number[]>> = {
  'post /v1/sources/{source}/quotes': [200, ...push],
  'post /v1/sources/{source}/the-odds-api-v4': [200, ...push],
  'post /v1/sources/{source}/reference': push,
  'post /v1/sources/{source}/msf/{league}/{season}/{feed}': push,
  'post /v1/sources/{source}/ticks': push,
  'get /v1/receipts/{receipt}': [200, 404, ...http, ...keyed],
  'head /v1/receipts/{receipt}': [200, 404, ...http, ...keyed],
  'get /problems/{suffix}': [200, 404, 429, ...http],
  'head /problems/{suffix}': [200, 404, 429, ...http],
  'get /docs': [200, 429, ...http],
  'head /docs': [200, 429, ...http],
  'get /v1/schemas/native-event': [200, 429, ...http],
  'head /v1/schemas/native-event': [200, 429, ...http],
  'get /llms.txt': [200, 429, ...http],
  'head /llms.txt': [200, 429, ...http],
  'get /v1/openapi.json': [200, 429, ...http],
  'head /v1/openapi.json': [200, 429, ...http],
  'get /health': [200, ...http],
  'head /health': [200, ...http],
  'get /health/ready': [200, 503, ...http],
  'head /health/ready': [200, 503, ...http],
};

describe('an operation documents', () => {
  for (const { path, method, operation } of operations)
    it(`${method} ${path}: every status that it has, and no other`, () => {
      const expected = [...(statuses[`${method} ${path}`] ?? [])].sort((a, b) => a - b);
      assert.deepEqual(Object.keys(operation.responses).map(Number), expected);
    });

  it('the media types that it takes: each is taken, and every other is 415', async () => {
    for (const { path, method, operation } of operations) {
      if (method !== 'post') continue;
      const taken = Object.keys(operation.requestBody?.content ?? {});
      const target = path.replace('{source}', 'feed').replace('{league}/{season}/{feed}', 'nfl/2025-regular/games');
      for (const type of ['application/json', 'application/x-ndjson', 'application/ndjson', 'text/csv']) {
        const { status } = await gateway.push('{}', { path: target, headers: { 'content-type': type } });
        assert.equal(status !== 415, taken.includes(type), `${path} ${type}: ${status}`);
      }
    }
  });

  it('the key and the scope that it takes', async () => {
    for (const { path, method, operation } of operations) {
      if (method === 'head') continue;
      const target = path.replace('{source}', 'feed').replace('{league}/{season}/{feed}', 'nfl/2025-regular/games');
      const without = { path: target, method: method.toUpperCase(), key: null };
      const { status } = await gateway.push(method === 'get' ? undefined : '{}', without);
      assert.equal(status === 401, operation.security.length > 0, `${path} without a key: ${status}`);
      const scope = /scope `(\w+)`/.exec((operation as Schema).description as string)?.[1];
      if (method !== 'post') continue;
      const others = feedScopes.filter((one) => one !== scope);
      const { plaintext } = gateway.mint(['feed'], others);
      assert.equal((await gateway.push('{}', { path: target, key: plaintext })).status, 403, path);
    }
  });

  it('the query parameters that it takes: each is known, and every other is 400', async () => {
    for (const { path, method, operation } of operations) {
      if (method === 'head') continue;
      const target = path.replace('{source}', 'feed').replace('{league}/{season}/{feed}', 'nfl/2025-regular/boxscore');
      const asked = (query: string) =>
        method === 'get' ? gateway.get(`${target}?${query}`) : gateway.push('{}', { path: `${target}?${query}` });
      const named = operation.parameters.filter((one) => one.in === 'query');
      for (const { name } of named)
        assert.doesNotMatch(String((await asked(`${name}=a`)).body.detail), /unknown query/);
      assert.match(String((await asked('nothing=a')).body.detail), /unknown parameter 'nothing'/);
    }
  });

  it('a page for every type that it can refuse with', async () => {
    const { schemas } = description.components;
    for (const code of Object.keys(gatewayProblemTypes)) {
      const name = `${code.replaceAll(/(?:^|-)([a-z])/g, (_all, letter: string) => letter.toUpperCase())}Problem`;
      if (schemas[name] === undefined) continue;
      assert.equal((await gateway.get(`/problems/${code}`)).status, 200, code);
    }
  });
});

describe('the native event is described as the gateway reads it', () => {
  const schema = { $ref: '#/components/schemas/NativeEvent' };
  const faults = (value: unknown) => faultsOf(value, schema, description);
  const game = event().game as Record<string, unknown>;
  const wrong: readonly (readonly [string, Record<string, unknown>])[] = [
    ['a kind of its own', event({ kind: 'snapshot' })],
    ['no operator', event({ operator: undefined })],
    ['an operator that is no code', event({ operator: 'a-b' })],
    ['no game', event({ game: undefined })],
    ['a league of its own', event({ game: { ...game, league: 'KBO' } })],
    ['no home team', event({ game: { ...game, home_team: '' } })],
    ['no start', event({ game: { ...game, commence_time: undefined } })],
    ['a flag that is none', event({ in_play: 'yes' })],
    ['markets that are none', event({ markets: 'moneyline' })],
    ['quotes that are none', event({ quotes: {} })],
    ['a market that is no name', event({ quotes: [quote({ market: 'Money line' })] })],
    ['an empty selection', event({ quotes: [quote({ selection: '' })] })],
    ['an empty player', event({ quotes: [quote({ player: '' })] })],
    ['a price without a format', event({ quotes: [quote({ price: 110 })] })],
    ['a price that is a text', event({ quotes: [quote({ price: { american: '-110' } })] })],
    ['a price between -100 and 100', event({ quotes: [quote({ price: { american: 50 } })] })],
    ['a decimal price of one', event({ quotes: [quote({ price: { decimal: 1 } })] })],
    ['a fraction that is none', event({ quotes: [quote({ price: { fractional: '5:4' } })] })],
    ['a line that is a text', event({ quotes: [quote({ line: '2.5' })] })],
    ['a line without end', event({ quotes: [quote({ line: 100_000 })] })],
    ['a state of its own', event({ quotes: [quote({ state: 'closed' })] })],
    ['a flag of a quote that is none', event({ quotes: [quote({ alternate: 1 })] })],
  ];
  for (const [what, sent] of wrong)
    it(`${what}: refused by both`, async () => {
      assert.notDeepEqual(faults(JSON.parse(JSON.stringify(sent))), []);
      const { status, body } = await gateway.push({ events: [sent, event()] });
      assert.equal(status, 202, JSON.stringify(body));
      assert.notDeepEqual(body.rejected, []);
    });

  const right: readonly (readonly [string, Record<string, unknown>])[] = [
    ['an image', event()],
    ['a delta that withdraws', event({ kind: 'delta', quotes: [quote({ state: 'withdrawn', price: null })] })],
    ['a heartbeat', event({ kind: 'heartbeat', quotes: undefined })],
    ['members that are null', event({ in_play: null, markets: null, observed_at: null })],
    ['members of its own', event({ trader: 'x', quotes: [quote({ margin: 1 })] })],
    ['every format', event({ quotes: [quote({ price: { american: -110, decimal: 1.91, fractional: '10/11' } })] })],
    ['the highest prices', event({ quotes: [quote({ price: { decimal: 10_001 } }), quote({ selection: 'away' })] })],
    [
      'a player',
      event({ quotes: [quote({ market: 'player_points', selection: 'over', player: 'A. B.', line: 21.5 })] }),
    ],
  ];
  for (const [what, sent] of right)
    it(`${what}: taken by both`, async () => {
      assert.deepEqual(faults(JSON.parse(JSON.stringify(sent))), []);
      assert.deepEqual((await gateway.push({ events: [sent] })).body.rejected, []);
    });
});

describe('llms.txt', () => {
  it('is plain text without a key, and names every route and every problem that they have', async () => {
    const response = await fetch(`${gateway.url}/llms.txt`);
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/plain; charset=utf-8']);
    const text = await response.text();
    for (const { path, method, operation } of operations) {
      if (method !== 'head') assert.ok(text.includes(`- ${method.toUpperCase()} ${path}`), path);
      for (const [, code = ''] of JSON.stringify(operation.responses).matchAll(/responses\/(\w+)"/g))
        for (const { $ref } of problemsIn(code)) assert.ok(text.includes(`\n- ${suffixOf($ref)} (`), $ref);
    }
    assert.doesNotMatch(text, /undefined|\[object|NaN/);
  });

  it('shows a push that the gateway takes whole', async () => {
    const text = await (await fetch(`${gateway.url}/llms.txt`)).text();
    const [body] = /^\{"events".*$/m.exec(text) ?? [''];
    assert.deepEqual((await gateway.push(body)).body.rejected, []);
  });

  function problemsIn(response: string): readonly { $ref: string }[] {
    const content = description.components.responses[response]?.content as
      | Record<string, { schema: Schema }>
      | undefined;
    const schema = content?.['application/problem+json']?.schema;
    return ((schema?.oneOf as { $ref: string }[] | undefined) ?? (schema === undefined ? [] : [schema])) as {
      $ref: string;
    }[];
  }

  function suffixOf(ref: string): string {
    const { properties } = resolve(description, ref) as unknown as { properties: { type: { const: string } } };
    return properties.type.const.split('/').at(-1) ?? '';
  }
});

describe('finds what is not as described', () => {
  const reply = (status: number, body: Record<string, unknown>, headers: Record<string, string> = {}) => ({
    status,
    body,
    headers: new Headers({
      'content-type': 'application/json',
      'x-request-id': 'a',
      'cache-control': 'no-store',
      ...headers,
    }),
  });
  const accepted = { receipt: 'a', accepted: 1, duplicates: 0, rejected: [] };
  const sent = { method: 'POST', target: '/v1/sources/feed/quotes', body: { events: [event()] } };
  const limited = { type: `${baseUrl}/problems/rate-limited`, title: 'x', status: 429 };
  const asProblem = { 'content-type': 'application/problem+json' };

  it('accepts what is as described', () => {
    assertDescribed(description, sent, reply(202, accepted));
    assertDescribed(description, sent, reply(429, limited, { ...asProblem, 'retry-after': '1' }));
    assert.equal(kindOf(limited), 'rate-limited');
  });
  const cases: readonly (readonly [
    string,
    GatewayDescription,
    Parameters<typeof assertDescribed>[1],
    ReturnType<typeof reply>,
  ])[] = [
    ['a status', description, sent, reply(201, accepted)],
    ['a member too many', description, sent, reply(202, { ...accepted, more: 1 })],
    ['a member too few', description, sent, reply(202, { receipt: 'a', accepted: 1, rejected: [] })],
    ['a header too many', description, sent, reply(202, accepted, { 'retry-after': '1' })],
    [
      'a type that the route has not',
      description,
      { method: 'GET', target: '/health' },
      reply(429, limited, asProblem),
    ],
    ['a body that is taken', description, { ...sent, body: { events: [event({ kind: 'x' })] } }, reply(202, accepted)],
    ['an answer where no route is', description, { method: 'GET', target: '/nowhere' }, reply(200, {})],
  ];
  for (const [what, described, request, answer] of cases)
    it(what, () => assert.throws(() => assertDescribed(described, request, answer), assert.AssertionError));
});
