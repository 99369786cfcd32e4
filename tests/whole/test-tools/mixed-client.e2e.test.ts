// A client of the campaign meets nothing where a machine that stood still had it answered 408, and does not stay quiet where that never ends.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'vitest';
import { seededRandom } from '../../oracle/random.ts';
import { MixedClient, MixedTally, mixedManners } from '../../support/campaigns/mixed-client.ts';
import { until } from '../../support/services/until.ts';

const listing = JSON.stringify({ cursor: '1:1', rows: [], segments: [] });
const isRead = (read: readonly string[]) => read.some((path) => path.includes('/sportsbook-lines/'));

/** What a client has met that is answered 408 so many times before each answer; `read`: paths that had an answer. */
async function metBy(
  late: number,
  manner: 'events' | 'wait' | 'poll',
  isOver: (read: string[], tally: MixedTally) => boolean,
) {
  const asked = new Map<string, number>();
  const read: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    const times = (asked.get(path) ?? 0) + 1;
    asked.set(path, times > late ? 0 : times);
    if (times <= late) return void response.writeHead(408, { connection: 'close' }).end('{"type":"malformed-request"}');
    read.push(path);
    const applied = { 'preference-applied': String(request.headers.prefer) };
    if (path !== '/v1/events') return void response.writeHead(200, applied).end(listing);
    response.writeHead(200).end('event: head\ndata: {"game_id":"A","cursor":"1:1"}\n\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const tally = new MixedTally();
  const stopped = new AbortController();
  const client = new MixedClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: 'key',
    random: seededRandom(7),
    tally,
    manner,
    games: () => ['A'],
    isSteady: () => true,
  });
  const reading = client.readUntil(stopped.signal);
  await until('it is over', () => isOver(read, tally));
  stopped.abort();
  await reading;
  server.closeAllConnections();
  server.close();
  return tally.violations;
}

for (const manner of mixedManners) {
  it(`one that reads by ${manner} repeats what is answered 408`, async () => {
    const streamed = (read: string[]) => manner !== 'events' || read.includes('/v1/events');
    assert.deepEqual(await metBy(2, manner, (read) => isRead(read) && streamed(read)), []);
  });
}

it('one that is answered 408 every time says so', async () => {
  const [first = ''] = await metBy(1_000, 'poll', (_, { violations }) => violations.length > 0);
  assert.match(first, /: 408 /);
});

it('a wait that is answered late is met, unless other answers came as late', () => {
  const tally = new MixedTally();
  Object.assign(tally, { longestOverMs: 14_000, longestPlainMs: 4_000 });
  assert.deepEqual(tally.met(), []);
  tally.longestOverMs += 1;
  assert.match(tally.met().join(), /answered 14001 ms late/);
});
