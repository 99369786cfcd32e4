// Paths that try to be something else: docs/interface.md#routes; docs/interface.md#path-values; SECURITY.md. No string of a request is
// ever part of an object's key, and nothing is answered with a redirect.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { openMemoryStore } from '../platform/objects/memory.ts';
import { problem } from '../schemas/http/service.ts';
import { assertProblem, type Reply, startApi, type TestApi } from './support/api-http.ts';

let api: TestApi;
const game = 'MLB_STL_NYY_20260805';
const keysRead = new Set<string>();

before(async () => {
  const objects = openMemoryStore();
  const get = objects.get;
  objects.get = (key, part) => {
    keysRead.add(key);
    return get(key, part);
  };
  api = await startApi({ objects });
  await api.log(game).append(7);
});
after(() => api.close());

/** A refusal of a path: 400 or 404, as a problem; never a redirect, a file or a 5xx. */
function assertRefused(reply: Reply, path: string): void {
  assert.ok([400, 404, 414].includes(reply.status), `${path}: ${reply.status}`);
  assert.equal(reply.headers['content-type'], 'application/problem+json');
  assert.equal(reply.headers.location, undefined);
  problem.parse(reply.json());
}

describe('a path that is not exactly a route is not found, and never redirected', () => {
  const paths = [
    '/',
    '//',
    '/v1',
    '/v1/',
    '/v1/games/',
    '/V1/games',
    '/v1/Games',
    '/v1//games',
    '/v1/games//',
    '/v1/./games',
    '/v1/../v1/games',
    '/health/',
    '/Health',
    `/v1/games/${game}/`,
    `/v1/games/${game}//sportsbook-lines`,
    `/v1/games/${game}/sportsbook-lines/`,
    `/v1/games/${game}/sportsbook-lines/segments/`,
    `/v1/games/${game}/sportsbook-lines/Segments`,
    `/v1/games/${game}/sportsbook-lines/segments/1/2`,
    `/v1/games/${game}/sportsbook-lines/boards`,
    `/v1/games/${game}/closing-lines/segments`,
    `/v1/games/${game};a=b/sportsbook-lines/x/y`,
    '/v1/leagues/MLB/plays/snapshot',
    '/problems',
    '/problems/',
    '/favicon.ico',
    '/.env',
    '/.git/config',
    '/robots.txt',
    '/docs/',
    '/metrics',
    '*',
    '/*',
    '/:game_id',
  ];
  for (const path of paths) {
    it(path, async () => {
      const reply = await api.get(path === '*' ? '/%2A' : path);
      assertRefused(reply, path);
      assert.equal(reply.status, 404);
    });
  }
});

describe('a path value that cannot be one is not found', () => {
  const dots = [
    '..',
    '.',
    '%2e%2e',
    '%2E%2E',
    '%2e%2e%2f',
    '..%2f..%2fetc%2fpasswd',
    '%252e%252e%252f',
    '..%5c',
    '..\\',
    '%00',
    'a%00b',
    '%e2%80%ae',
    '%ef%bc%8e%ef%bc%8e',
    '%e2%80%a4%e2%80%a4',
    "'%20or%201=1--",
    '%22',
    '$%7Bx%7D',
    '%0d%0aX:%20y',
    '%ff%fe',
    '%c0%ae%c0%ae',
    '%e0%80%ae',
    '%uff0e',
  ];
  for (const value of dots) {
    it(value, async () => {
      for (const path of [
        `/v1/games/${value}`,
        `/v1/games/${value}/closing-lines`,
        `/v1/games/${value}/sportsbook-lines/segments`,
        `/v1/games/${game}/${value}`,
        `/v1/games/${game}/sportsbook-lines/segments/${value}`,
        `/v1/games/${game}/sportsbook-lines/board/${value}`,
        `/problems/${value}`,
        `/${value}/${value}/health`,
      ]) {
        assertRefused(await api.get(path), path);
      }
    });
  }
});

// Claim: no encoding of a hostile path reaches a file, a redirect or a crash, and none reads an object that the catalog does not name.
it('thousands of encodings of a way out lead nowhere', async () => {
  const piece = fc.constantFrom(
    '..',
    '.',
    '/',
    '%2f',
    '%2F',
    '%5c',
    '\\',
    '%2e',
    '%252e',
    '%00',
    '%c0%af',
    '%e2%80%8b',
    'etc',
    'passwd',
    '%25',
    ';',
    ':',
    '@',
    '~',
    'C:',
    '%ef%bc%8f',
    game,
    'sportsbook-lines',
    'segments',
    'board',
  );
  const agent = { runs: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(piece, fc.boolean()), { minLength: 1, maxLength: 9 }), async (pieces) => {
      const tail = pieces.map(([text, slash]) => (slash ? `/${text}` : text)).join('');
      agent.runs += 1;
      const path = `/v1/games/${tail}`;
      const reply = await api.get(path);
      if (reply.status === 200) {
        const known = ['', '/sportsbook-lines/segments', '/sportsbook-lines/board'].map(
          (rest) => `/v1/games/${game}${rest}`,
        );
        assert.ok(known.includes(decodeURIComponent(path)), path);
      } else assertRefused(reply, path);
    }),
    { numRuns: 1_500, interruptAfterTimeLimit: 20_000 },
  );
  assert.ok(agent.runs > 100);
});

it('only objects that the catalog names were read', async () => {
  await api.get(`/v1/games/${game}/sportsbook-lines/segments/1`);
  await api.get(`/v1/games/${game}/sportsbook-lines/board/DRAFTKINGS`);
  const log = [...api.catalog.logs.values()][0]!;
  const named = [log.tail?.file.key, ...log.closed.map(({ key }) => key), ...log.boards.map(({ file }) => file.key)];
  for (const key of keysRead) assert.ok(named.includes(key), key);
  assert.ok(keysRead.size >= 2);
});

it('an encoded slash does not make two parts of one', async () => {
  assertProblem(await api.get(`/v1/games/${game}%2Fsportsbook-lines%2Fsegments`), 'not-found');
  assertProblem(await api.get(`/v1/games/${game}/sportsbook-lines%2Fsegments`), 'not-found');
});

it('encoded letters are those letters', async () => {
  const encoded = [...game].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  assert.equal((await api.get(`/v1/games/${encoded}/sportsbook-lines/segments`)).status, 200);
});
