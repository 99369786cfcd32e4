// Paths that try to name something else: docs/interface.md#routes; docs/interface.md#path-values; SECURITY.md. No string of a request is
// ever part of an object's key, and nothing is answered with a redirect.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type ObjectStore, probeKey } from '../../../core/ports/object-store.ts';
import { openDiskStore } from '../../../platform/objects/disk.ts';
import { assertProblem, type Reply, startApi, type TestApi } from '../../support/http/api-http.ts';
import { problem } from '../../support/http/problem.ts';
import { assertHonest } from '../../support/http/raw-answers.ts';
import { askRawPaths } from '../../support/http/raw-client.ts';

let api: TestApi;
let objects: ObjectStore;
const game = 'MLB_STL_NYY_20260805';
const keysRead = new Set<string>();
/** Keys that the store refused as invalid or as leading out of its root. */
const keysRefused: string[] = [];
const bait = 'nothing of this file is ever served';
const folder = mkdtempSync(join(tmpdir(), 'sds-paths-'));

beforeAll(async () => {
  writeFileSync(join(folder, 'bait'), bait);
  objects = await openDiskStore(join(folder, 'objects'));
  const get = objects.get;
  objects.get = async (key, part) => {
    keysRead.add(key);
    try {
      return await get(key, part);
    } catch (error) {
      if (error instanceof RangeError) keysRefused.push(key);
      throw error;
    }
  };
  api = await startApi({ objects });
  await api.log(game).append(7);
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

/** Asserts that a path is refused: 400 or 404 as a problem, never a redirect, a file or a 5xx. */
function assertRefused(reply: Reply, path: string): void {
  assert.ok([400, 404, 414].includes(reply.status), `${path}: ${reply.status}`);
  assert.equal(reply.headers['content-type'], 'application/problem+json');
  assert.equal(reply.headers.location, undefined);
  problem.parse(reply.json());
}

describe('a path that is not exactly a route is not found, and never redirected', () => {
  const paths = [
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
    '/problem',
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

/**
 * A path out of the root or to a file, with each character encoded in a way that some layer might decode once too
 * often.
 */
const encoded = fc
  .tuple(
    fc.constantFrom(
      '../bait',
      '../../bait',
      './../bait',
      '/../bait',
      `${game}/../../bait`,
      '..',
      '../../../../etc/passwd',
    ),
    fc.array(fc.nat(), { minLength: 24, maxLength: 24 }),
  )
  .map(([path, choices]) => [...path].map((character, at) => written(character, choices[at] as number)).join(''));

/** The `choice`-th way to write a character: percent-encoding in either case or twice, overlong UTF-8, look-alikes. */
function written(character: string, choice: number): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, '0');
  const lookAlikes: Readonly<Record<string, readonly string[]>> = {
    '.': ['%e2%80%a4', '%ef%bc%8e', '\xef\xbc\x8e', '%u002e', '%00.', '.%00'],
    '/': ['%ef%bc%8f', '%e2%88%95', '\\', '%5c', '%255c', '%2f%2f', '//'],
  };
  const ways = [
    character,
    `%${hex}`,
    `%${hex.toUpperCase()}`,
    `%25${hex}`,
    `%2525${hex}`,
    // In two, three and four bytes where one is correct.
    `%c${(code >> 6).toString(16)}%${(0x80 | (code & 63)).toString(16)}`,
    `%e0%8${(code >> 6).toString(16)}%${(0x80 | (code & 63)).toString(16)}`,
    `%f0%80%8${(code >> 6).toString(16)}%${(0x80 | (code & 63)).toString(16)}`,
    String.fromCharCode(0xc0 | (code >> 6), 0x80 | (code & 63)),
    ...(lookAlikes[character] ?? []),
  ];
  return ways[choice % ways.length] as string;
}

const piece = fc.constantFrom(
  ...[
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
  ],
  ...[':', '@', '~', 'C:', '%ef%bc%8f', game, 'sportsbook-lines', 'segments', 'board', '\0', '\x7f', '?', '#'],
);
const ofPieces = fc
  .array(fc.tuple(piece, fc.boolean()), { minLength: 1, maxLength: 9 })
  .map((pieces) => pieces.map(([text, slash]) => (slash ? `/${text}` : text)).join(''));
const start = fc.constantFrom(
  '/v1/games/',
  `/v1/games/${game}/`,
  `/v1/games/${game}/sportsbook-lines/segments/`,
  `/v1/games/${game}/sportsbook-lines/board/`,
  '/v1/leagues/MLB/',
  '/docs/datasets/',
  '/problems/',
  '/',
);

// Claim: no encoding of a hostile path reaches a file, a redirect or a crash, or reads an object that the catalog does
// not name.
it('5,000 encodings of a path out of the root are not found', async () => {
  const paths = fc.sample(fc.tuple(start, fc.oneof(encoded, ofPieces)), 5_000).map(([start, tail]) => start + tail);
  const statuses = new Map<number, number>();
  await askRawPaths(api, paths, (path, answer) => {
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status === 200) {
      const lines = `/v1/games/${game}/sportsbook-lines`;
      const known = [
        '/',
        '/docs/datasets/sportsbook-lines',
        `/v1/games/${game}`,
        '/v1/games',
        `${lines}/segments`,
        `${lines}/board`,
      ];
      assert.ok(known.includes(decodeURIComponent(path.replace(/[?#].*$/s, ''))), path);
    } else assert.ok([400, 404, 414].includes(answer.status), `${JSON.stringify(path)}: ${answer.status}`);
    assertHonest(answer);
    assert.equal(answer.headers.get('location'), undefined);
    assert.ok(!answer.body.includes(bait), path);
  });
  for (const status of [400, 404]) assert.ok((statuses.get(status) ?? 0) > 100, JSON.stringify([...statuses]));
  assert.deepEqual(keysRefused, [], 'no path reached the store');
});

it('only objects that the catalog names were read', async () => {
  await api.get(`/v1/games/${game}/sportsbook-lines/segments/1`);
  await api.get(`/v1/games/${game}/sportsbook-lines/board/DRAFTKINGS`);
  const log = [...api.catalog.logs.values()][0]!;
  const named: (string | undefined)[] = [
    log.tail?.file.key,
    ...log.closed.map(({ key }) => key),
    ...log.boards.map(({ file }) => file.key),
  ];
  for (const key of keysRead) assert.ok(key === probeKey || named.includes(key), key);
  assert.ok(keysRead.size >= 2);
});

it('the test would notice an object key that leads out of the root', async () => {
  await assert.rejects(objects.get('../bait'), RangeError);
  assert.deepEqual(keysRefused, ['../bait']);
});

it('an encoded slash does not make two parts of one', async () => {
  assertProblem(await api.get(`/v1/games/${game}%2Fsportsbook-lines%2Fsegments`), 'not-found');
  assertProblem(await api.get(`/v1/games/${game}/sportsbook-lines%2Fsegments`), 'not-found');
});

it('encoded letters are those letters', async () => {
  const encoded = [...game].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  assert.equal((await api.get(`/v1/games/${encoded}/sportsbook-lines/segments`)).status, 200);
});
