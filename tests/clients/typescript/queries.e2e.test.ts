// What the TypeScript client asks for: a parameter that is undefined is as good as left out, and a date that is none is refused before a request.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, it } from 'vitest';
import { Client } from '../../../clients/typescript/src/client.ts';

const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.end(JSON.stringify({ selections: [], data: [], next_cursor: null }));
});
let sds: Client;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  sds = new Client({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'key' });
});
afterAll(() => server.close());
beforeEach(() => {
  asked.length = 0;
});

it('a parameter that is undefined is left out', async () => {
  await sds.odds('G', { market: undefined, period: 'game', format: undefined, at: undefined, operators: undefined });
  await sds.odds('G', { market: undefined });
  await sds.games({ league: undefined, status: 'STARTED' });
  await sds.games({ league: undefined });
  assert.deepEqual(asked, [
    '/v1/games/G/odds?period=game',
    '/v1/games/G/odds',
    '/v1/games?status=STARTED',
    '/v1/games',
  ]);
});

for (const [from, to] of [
  ['2026-02-30', '2026-03-01'],
  ['2026-02-01', '2026-13-01'],
  ['2026-2-1', '2026-03-01'],
  ['2026-02-01T00:00:00Z', '2026-03-01'],
  ['yesterday', 'today'],
] as const)
  it(`a history from ${from} to ${to} is refused, without a request`, async () => {
    await assert.rejects(sds.history('NBA', from, to, 'closing-lines'), RangeError);
    assert.deepEqual(asked, []);
  });

it('a history of longer than a year is asked for in parts, from its first to its last date', async () => {
  await sds.history('NBA', '2024-02-29', '2025-03-01', 'closing-lines');
  assert.deepEqual(asked, [
    '/v1/games?league=NBA&date_from=2024-02-29&date_to=2025-02-28',
    '/v1/games?league=NBA&date_from=2025-03-01&date_to=2025-03-01',
  ]);
});
