// Claim: a socket that sends slowly, in whichever part of its request, is ended within 12 seconds by both listeners as they are set by default,
// and other clients are answered meanwhile (SECURITY.md, S15). A violation would need a part of a request without a time of its own.
// How many sockets there may be is whole/listeners/connection-caps.e2e's; what 5,000 of them cost others `npm run bench -- j` prints.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { afterAll, it } from 'vitest';
import { startApi } from '../../support/http/api-http.ts';
import { event, startGateway } from '../../support/http/gateway-http.ts';
import { ownMs } from '../../support/processes/own-time.ts';

const mostMs = 12_000;
const ofEachKind = 60;
/** Only Linux has every 127.0.0.x without configuration. */
const addresses = process.platform === 'linux' ? 4 : 1;

const [api, gateway] = await Promise.all([startApi({ usualTimes: true }), startGateway({ timeouts: {} })]);
afterAll(() => Promise.all([api.close(), gateway.close()]));

/** What is sent at first; another byte follows twice a second. */
const kinds: readonly (readonly [what: string, url: string, head: string | null])[] = [
  ...[api.url, gateway.url].flatMap((url): [string, string, string | null][] => [
    ['nothing', url, null],
    ['a request line', url, 'GET /v1/'],
    ['a header', url, 'GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['a body that no key answers for', url, 'POST /v1/none HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n'],
  ]),
  ['a body of a read', api.url, 'GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n'],
  [
    'a push',
    gateway.url,
    `POST /v1/sources/feed/quotes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.key}\r\nContent-Type: application/json\r\nContent-Length: 90000\r\n\r\n`,
  ],
];

/**
 * How long the server keeps a slow socket open, in own time: on a busy machine its timers fire late, and own time runs
 * slower too.
 */
function endedAfterMs(url: string, head: string | null, place: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const localAddress = `127.0.0.${1 + (place % addresses)}`;
  return new Promise((resolve) => {
    let since = ownMs();
    const socket: Socket = connect({ host: hostname, port: Number(port), localAddress }, () => {
      since = ownMs();
      if (head !== null) socket.write(head);
    });
    const more = setInterval(() => head !== null && socket.writable && socket.write(' '), 500);
    socket.on('error', () => {}).resume();
    socket.once('close', () => {
      clearInterval(more);
      resolve(ownMs() - since);
    });
  });
}

it('slow sockets of every kind are gone within 12 seconds, and others are served meanwhile', async () => {
  const ending = kinds.map(async ([what, url, head]) => {
    const times = await Promise.all(Array.from({ length: ofEachKind }, (_, place) => endedAfterMs(url, head, place)));
    return [`${what}, ${url === api.url ? 'API' : 'gateway'}`, Math.max(...times)] as const;
  });
  const all = Promise.all(ending);
  let over = false;
  void all.then(() => {
    over = true;
  });
  let served = 0;
  while (!over) {
    assert.equal((await api.get('/v1/games')).status, 200);
    assert.equal((await gateway.push({ events: [event()] })).status, 202);
    served += 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const [what, ms] of await all) assert.ok(ms <= mostMs, `${what}: ${ms.toFixed(0)} ms`);
  assert.ok(served > 50, `${served} served`);
});
