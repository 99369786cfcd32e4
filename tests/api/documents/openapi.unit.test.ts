// The API description: valid OpenAPI 3.1, the route table and nothing else, and every answer that a route can give. Every test over HTTP
// compares its answers with it (tests/support/http/documented.ts). docs/interface.md#versioning; docs/interface.md#dataset-schema;
// docs/interface.md#documents.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, it } from 'vitest';
import { bodies } from '../../../api/documents/bodies.ts';
import { samples } from '../../../api/documents/samples.ts';
import { routes, servedRoutes } from '../../../api/routes/all.ts';
import { board } from '../../../schemas/datasets/board.ts';
import { datasets, parquetMediaType } from '../../../schemas/datasets/registry.ts';
import { problemTypes } from '../../../schemas/http/problems.ts';
import { leaguesSaid } from '../../oracle/leagues.ts';
import { describe as describeApi, type Operation } from '../../support/http/documented.ts';
import { faultsOf, resolve, type Schema } from '../../support/http/json-schema.ts';
import { referencesOf } from '../../support/http/references.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const baseUrl = 'https://api.example.test';
const description = describeApi(baseUrl);
const operations = Object.entries(description.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation: operation as Operation })),
);

describe('the description of the API', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(description));
    assert.deepEqual([valid, errors], [true, undefined]);
    assert.equal(validator.version, '3.1');
  });

  it('has the paths and methods of the route table, both ways', () => {
    const routed = routes.flatMap(({ path }) => ['get', 'head'].map((method) => `${method} ${path}`));
    const described = operations.map(({ path, method }) => `${method} ${path.replaceAll(/\{([a-z_]+)\}/g, ':$1')}`);
    assert.deepEqual(described.sort(), routed.sort());
  });

  for (const msf of [true, false])
    it(`refers only to its own components, and has none without a reference, ${msf ? 'with' : 'without'} MSF`, () => {
      assert.deepEqual(referencesOf(describeApi(baseUrl, servedRoutes({ msf }))), { broken: [], unused: [] });
    });

  it('says the licence that the package has', () => {
    const { license } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { license: string };
    assert.equal((description.info as { license: { name: string } }).license.name, license);
  });

  it('names each operation once, by names that do not change', () => {
    const ids = operations.filter(({ method }) => method === 'get').map(({ operation }) => operation.operationId);
    assert.deepEqual(ids.sort(), [
      'explainProblem',
      'getArchive',
      'getArchiveFile',
      'getBoard',
      'getDataset',
      'getDatasetPage',
      'getDatasetSchema',
      'getGame',
      'getGuide',
      'getHealth',
      'getLeagueArchive',
      'getLeagueArchiveFile',
      'getLeagueRevisionFile',
      'getLeagueRevisionRows',
      'getLeagueSnapshot',
      'getLivePage',
      'getMe',
      'getOdds',
      'getOpenApi',
      'getOperatorBoard',
      'getPageModule',
      'getReadiness',
      'getReference',
      'getRevisionFile',
      'getRevisionRows',
      'getSegment',
      'getSnapshot',
      'listArchives',
      'listChanges',
      'listDatasets',
      'listGames',
      'listLeagueChanges',
      'listLeagues',
      'listOdds',
      'listPlayers',
      'listProblems',
      'listRows',
      'listSegments',
      'listTeams',
      'listVersions',
      'streamEvents',
    ]);
    assert.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length);
  });
});

const http = [400, 408, 414, 417, 431, 500];
const keyed = [401, 402, 403, 429, 503];
const conditional = [304, 412];
/** An MSF route in both its forms. */
function inBothForms(path: string, own: readonly number[]): Record<string, readonly number[]> {
  const all = [200, 404, ...own, ...http, ...keyed, ...conditional];
  return { [`/v1/games/{game_id}/{dataset}${path}`]: all, [`/v1/leagues/{league}/{dataset}${path}`]: all };
}

const statuses: Readonly<Record<string, readonly number[]>> = {
  '/v1/events': [200, 404, ...http, ...keyed],
  '/v1/games': [200, ...http, ...keyed, ...conditional],
  '/v1/games/{game_id}': [200, 404, ...http, ...keyed, ...conditional],
  '/v1/games/{game_id}/{dataset}': [200, 206, 404, 416, ...http, ...keyed, ...conditional],
  '/v1/games/{game_id}/{dataset}/versions': [200, 404, ...http, ...keyed, ...conditional],
  '/v1/games/{game_id}/sportsbook-lines/segments': [200, 404, 409, ...http, ...keyed, ...conditional],
  '/v1/games/{game_id}/sportsbook-lines/segments/{seq}': [200, 206, 404, 409, 416, ...http, ...keyed, ...conditional],
  '/v1/games/{game_id}/sportsbook-lines/rows': [200, 404, 409, ...http, ...keyed, ...conditional],
  '/v1/games/{game_id}/sportsbook-lines/board': [200, 404, ...http, ...keyed, ...conditional],
  '/v1/games/{game_id}/sportsbook-lines/board/{operator}': [200, 206, 404, 416, ...http, ...keyed, ...conditional],
  ...inBothForms('/snapshot', []),
  ...inBothForms('/changes', [410]),
  ...inBothForms('/archives/{archive_id}', []),
  ...inBothForms('/archives/{archive_id}/changes/{revision}/{index}', [206, 416]),
  ...inBothForms('/revisions/{epoch}/{revision}/{kind}/{index}', [206, 416]),
  ...inBothForms('/revisions/{epoch}/{revision}/{kind}/rows', []),
  '/v1/leagues/{league}/{dataset}/archives': [200, 404, ...http, ...keyed, ...conditional],
  '/v1/me': [200, ...http, ...keyed],
  '/v1/datasets': [200, 429, ...http, ...conditional],
  '/docs/datasets/{dataset}': [200, 404, 429, ...http, ...conditional],
  '/': [200, 429, ...http, ...conditional],
  '/page/{module}': [200, 404, 429, ...http, ...conditional],
  '/health': [200, ...http],
  '/health/ready': [200, 503, ...http],
  '/problems/{suffix}': [200, 404, 429, ...http, ...conditional],
};

describe('an operation documents every answer that it has', () => {
  const ascending = (a: number, b: number) => a - b;
  const of = (path: string, method: 'get' | 'head') =>
    Object.keys((description.paths[path] as { get: Operation; head: Operation })[method].responses).map(Number);

  for (const [path, expected] of Object.entries(statuses)) {
    it(`GET ${path}`, () => assert.deepEqual(of(path, 'get'), [...expected].sort(ascending)));
    it(`HEAD ${path}: no parts and no ranges`, () => {
      const without = expected.filter((status) => status !== 206 && status !== 416);
      assert.deepEqual(of(path, 'head'), without.sort(ascending));
    });
  }

  it('lists only possible problem types: no quota on free routes, no history on routes without a game', () => {
    const typesOf = (path: string, status: number) => {
      const { responses } = (description.paths[path] as { get: Operation }).get;
      const response = resolve(description, responses[status]?.$ref as string);
      return [...JSON.stringify(response.content).matchAll(/schemas\/(\w+)Problem/g)].map((match) => match[1]);
    };
    const segment = '/v1/games/{game_id}/sportsbook-lines/segments/{seq}';
    assert.deepEqual(typesOf(segment, 429), ['RateLimited', 'QuotaExhausted', 'Throttled']);
    assert.deepEqual(typesOf(segment, 403), ['KeyDisabled', 'HistoryRestricted']);
    assert.deepEqual(typesOf(segment, 409), ['LiveSegmentBehind']);
    assert.deepEqual(typesOf('/v1/games', 429), ['RateLimited', 'Throttled']);
    assert.deepEqual(typesOf('/v1/games', 403), ['KeyDisabled']);
    assert.deepEqual(typesOf('/v1/datasets', 429), ['RateLimited']);
    for (const path of ['/v1/games/{game_id}/{dataset}', '/v1/games/{game_id}/{dataset}/versions'])
      assert.deepEqual(typesOf(path, 404), ['NotFound', 'NotFinal']);
    for (const stream of ['/v1/games/{game_id}/{dataset}', '/v1/leagues/{league}/{dataset}']) {
      assert.deepEqual(typesOf(`${stream}/changes`, 410), ['StreamReset', 'CursorExpired']);
      assert.deepEqual(typesOf(`${stream}/changes`, 403), ['KeyDisabled', 'HistoryRestricted']);
      assert.deepEqual(typesOf(`${stream}/snapshot`, 404), ['NotFound', 'NotYetAvailable']);
      assert.deepEqual(typesOf(`${stream}/snapshot`, 429), ['RateLimited', 'Throttled']);
      assert.deepEqual(typesOf(`${stream}/archives/{archive_id}`, 403), ['KeyDisabled', 'HistoryRestricted']);
    }
  });
});

describe('parameters and headers of a request', () => {
  const parametersOf = (path: string, method: 'get' | 'head' = 'get') =>
    (description.paths[path] as { get: Operation; head: Operation })[method].parameters.map((parameter) =>
      parameter.$ref === undefined ? parameter : resolve(description, parameter.$ref as string),
    );
  const byName = (path: string) => Object.fromEntries(parametersOf(path).map((one) => [one.name as string, one]));

  it('the filters of the games, with their values and bounds', () => {
    const games = byName('/v1/games');
    assert.deepEqual((games.league?.schema as Schema | undefined)?.enum, Object.keys(leaguesSaid));
    assert.deepEqual(games.limit?.schema, { type: 'integer', minimum: 1, maximum: 10_000, default: 1_000 });
    for (const name of ['status', 'date_from', 'date_to', 'team', 'cursor']) {
      assert.equal(games[name]?.required, false, name);
    }
  });

  it('ranges on files, and only to GET', () => {
    const file = '/v1/games/{game_id}/{dataset}';
    assert.deepEqual(byName(file).version?.schema, { type: 'integer', minimum: 1, maximum: 999_999_999 });
    const names = (method: 'get' | 'head') => parametersOf(file, method).map(({ name }) => name);
    assert.deepEqual(names('get'), [
      'game_id',
      'dataset',
      'version',
      'Range',
      'If-Range',
      'If-None-Match',
      'If-Match',
      'X-Request-Id',
    ]);
    assert.deepEqual(names('head'), ['game_id', 'dataset', 'version', 'If-None-Match', 'If-Match', 'X-Request-Id']);
    assert.equal('Range' in byName('/v1/games'), false);
  });

  it('a key on every route but those that need none', () => {
    for (const { path, operation } of operations) {
      const route = routes.find((one) => one.path.replaceAll(/:([a-z_]+)/g, '{$1}') === path);
      assert.deepEqual(operation.security, route?.key === 'required' ? [{ bearer: [] }] : [], path);
    }
  });
});

describe('the components', () => {
  const rows = {
    ClosingLinesRow: 'closing-lines',
    GameStateTimelineRow: 'game-state-timeline',
    MarketResultsRow: 'market-results',
    SportsbookLinesRow: 'sportsbook-lines',
  };
  for (const [name, dataset] of Object.entries(rows)) {
    it(`${name} has exactly the columns of ${dataset}`, () => {
      const schema = description.components.schemas[name] as Schema;
      const columns = datasets.find((one) => one.name === dataset)?.columns.map((column) => column.name);
      assert.deepEqual(Object.keys(schema.properties as object), columns);
      assert.deepEqual(schema.required, columns);
    });
  }

  it('BoardRow has exactly the columns of board files', () => {
    const schema = description.components.schemas.BoardRow as Schema;
    assert.deepEqual(
      Object.keys(schema.properties as object),
      board.columns.map(({ name }) => name),
    );
  });

  it('a file of rows says which rows it has', () => {
    const rowsIn = (path: string) => {
      const { responses } = (description.paths[path] as { get: Operation }).get;
      const content = responses[200]?.content as Record<string, { schema: Schema }>;
      const { contentSchema } = content[parquetMediaType]?.schema ?? {};
      return [...JSON.stringify(contentSchema ?? '').matchAll(/schemas\/(\w+)"/g)].map((match) => match[1]);
    };
    assert.deepEqual(rowsIn('/v1/games/{game_id}/{dataset}'), Object.keys(rows));
    const live = '/v1/games/{game_id}/sportsbook-lines';
    assert.deepEqual(rowsIn(`${live}/segments/{seq}`), ['SportsbookLinesRow']);
    assert.deepEqual(rowsIn(`${live}/board/{operator}`), ['BoardRow']);
    const revision = '/v1/games/{game_id}/{dataset}/revisions/{epoch}/{revision}/{kind}/{index}';
    assert.deepEqual(rowsIn(revision), []);
  });

  it('has a schema of each problem type, told apart by its full URI; but for 405, which no described method gets', () => {
    for (const [code, { statuses: allowed }] of Object.entries(problemTypes)) {
      const document = { type: `${baseUrl}/problems/${code}`, title: 'x', status: allowed[0] };
      const fitting = Object.entries(description.components.schemas).filter(([name, schema]) => {
        if (!name.endsWith('Problem')) return false;
        return (schema.properties as { type: { const: string } }).type.const === document.type;
      });
      assert.equal(fitting.length, code === 'method-not-allowed' ? 0 : 1, code);
    }
  });

  it('explain every member of manifests, listings and archives', () => {
    const described = (schema: Schema): boolean =>
      typeof schema.description === 'string' ||
      (typeof schema.$ref === 'string' &&
        described(description.components.schemas[schema.$ref.split('/').at(-1) as string] as Schema));
    const members = Object.entries(description.components.schemas).flatMap(([name, schema]) =>
      /Manifest|Listing|Archive|Revision(?!Row)|LiveRows|Versions/.test(name) ? membersOf(schema as Schema, name) : [],
    );
    assert.ok(members.length > 60, `${members.length} members`);
    assert.deepEqual(
      members.flatMap(([path, member]) => (described(member) ? [] : path)),
      [],
    );
  });

  for (const [name, sample] of Object.entries(samples)) {
    it(`the example of ${name} fits its schema`, () => {
      const schema = description.components.schemas[name] as Schema;
      assert.deepEqual(faultsOf(sample, schema, description), []);
      assert.ok(bodies[name]?.safeParse(sample).success);
    });
  }

  it('the examples of parameters fit theirs', () => {
    for (const { operation, path } of operations) {
      for (const { name, example, schema } of operation.parameters) {
        if (example === undefined) continue;
        assert.deepEqual(faultsOf(example, schema as Schema, description), [], `${name as string} of ${path}`);
      }
    }
  });
});

/** The members of a schema and of the objects in it that are no components, by path. */
function membersOf(schema: Schema, path: string): [string, Schema][] {
  const own = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const within = [schema.items, ...((schema.anyOf ?? []) as unknown[])].filter((each) => typeof each === 'object');
  return [
    ...own.map(([name, member]): [string, Schema] => [`${path}.${name}`, member]),
    ...own.flatMap(([name, member]) => membersOf(member, `${path}.${name}`)),
    ...within.flatMap((each) => membersOf(each as Schema, path)),
  ];
}
