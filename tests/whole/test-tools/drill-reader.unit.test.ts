// Claim: the reader of a drill takes an answer for an outage only where the service may answer so: a 503 that says what it is, no answer at
// all, and 500 for a file while the store gives wrong bytes. Any other failure of a server is a violation, of a list always.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'vitest';
import { startBilledReader } from '../../support/drill/billed-reader.ts';
import { until } from '../../support/services/until.ts';

const games = '/v1/games?league=MLB&limit=100';
const segments = '/v1/games/G/sportsbook-lines/segments?cursor=0:0';
const file = '/v1/games/G/sportsbook-lines/segments/1?rows=1';

/** What the reader makes of an API that answers so, once it has met it; every other request is answered well. */
async function judged(path: string, status: number | null, damagedAt: number | null, problem?: object) {
  let met = false;
  const answers: Readonly<Record<string, object>> = {
    [games]: { data: [{ id: 'G' }] },
    [segments]: { cursor: '1:1', segments: [{ rows: 1, url: file }] },
  };
  const server = createServer(({ url = '' }, response) => {
    if (url === path) met = true;
    if (url === path && status === null) response.destroy();
    else
      response
        .writeHead(url === path ? (status ?? 0) : 200)
        .end(JSON.stringify((url === path ? problem : answers[url]) ?? {}));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const keys = { createAccount: async () => {}, addApiKey: async () => ({ kind: 'added', tier: 'PRO' }) };
  const peppers = [{ version: 1, secret: Buffer.alloc(32, 7) }];
  const place = {
    drivers: { catalogs: { keys, ledger: {} }, peppers },
    store: { damagedAt: () => damagedAt },
  } as unknown as Parameters<typeof startBilledReader>[0];
  const reader = await startBilledReader(place, [`http://127.0.0.1:${(server.address() as AddressInfo).port}`]);
  try {
    await until('it is met', () => met && reader.violations.length + reader.unanswered > 0);
  } finally {
    await reader.stop();
    server.closeAllConnections();
    server.close();
  }
  return reader.violations.length > 0 ? 'violation' : 'outage';
}

it.each([
  ['outage', games, 503, null],
  ['outage', games, null, null],
  ['outage', segments, 503, null],
  ['outage', file, 503, null],
  ['outage', file, null, null],
  ['violation', games, 500, null],
  ['violation', games, 401, null],
  ['violation', segments, 500, null],
  ['violation', segments, 502, null],
  ['violation', file, 500, null],
  ['violation', file, 500, -11_000],
  ['outage', file, 500, -1_000],
  ['violation', file, 502, -1_000],
  ['violation', segments, 500, -1_000],
] as const)('calls it %s that %s is answered %s (wrong bytes: %s ms ago)', async (what, path, status, damaged) => {
  const problem = { type: 'https://api.example.test/problems/temporarily-unavailable' };
  assert.equal(await judged(path, status, damaged === null ? null : performance.now() + damaged, problem), what);
});

it('calls a 503 that is no problem document a violation', async () => {
  assert.equal(await judged(segments, 503, null), 'violation');
});
