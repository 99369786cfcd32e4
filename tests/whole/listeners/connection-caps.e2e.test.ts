// Both listeners cap sockets, in all and per address, by one rule: many idle sockets block no other client, and a request under way is not
// ended for others.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, it } from 'vitest';
import type { ConnectionCaps } from '../../../core/connections/connection-table.ts';
import { startApi } from '../../support/http/api-http.ts';
import { event, startGateway } from '../../support/http/gateway-http.ts';
import { until } from '../../support/services/until.ts';

/** `ask`: whether a request on a connection of its own is answered. */
type Listener = { url: string; ask(): Promise<boolean>; close(): Promise<void> };

async function api({ all, ofAddress }: ConnectionCaps, proxyHops = 0): Promise<Listener> {
  const limits = {
    connections: all,
    connectionsOfAddress: ofAddress,
    headersTimeoutMs: 60_000,
    requestTimeoutMs: 60_000,
  };
  const started = await startApi({ limits, proxyHops });
  const ask = async () => (await fetch(`${started.url}/health`, { headers: { connection: 'close' } })).status === 200;
  return { url: started.url, ask, close: () => started.close() };
}

async function gateway(connections: ConnectionCaps): Promise<Listener> {
  const started = await startGateway({ connections, timeouts: { headersMs: 60_000, requestMs: 60_000 } });
  const closing = { headers: { connection: 'close' } };
  const ask = async () => (await started.push({ events: [event()] }, closing)).status === 202;
  return { url: started.url, ask, close: () => started.close() };
}

const opened: (Socket | Listener)[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await ('ask' in each ? each.close() : each.destroy());
});

/** A socket with half a request. */
function silent({ url }: Pick<Listener, 'url'>): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => resolve(socket));
    socket.on('error', () => {});
    socket.write('GET /health HTTP/1.1\r\nHost: x\r\n');
    opened.push(socket);
  });
}

const many = 1_000;
const few = 20;
for (const [name, start, caps] of [
  ['the API, in all', api, { all: few, ofAddress: many }],
  ['the API, of an address', api, { all: many, ofAddress: few }],
  ['the API behind our own proxies', (each: ConnectionCaps) => api(each, 1), { all: few, ofAddress: 1 }],
  ['the gateway, in all', gateway, { all: few, ofAddress: many }],
  ['the gateway, of an address', gateway, { all: many, ofAddress: few }],
] as const) {
  it(`beyond the cap idle ones end, oldest first, and who asks is answered: ${name}`, async () => {
    const listener = await start(caps);
    opened.push(listener);
    const held: Socket[] = [];
    for (let count = 0; count < 3 * few; count += 1) held.push(await silent(listener));
    await until('all but twenty have ended', () => held.filter(({ closed }) => closed).length === 2 * few);
    assert.ok(
      held.slice(0, 2 * few).every(({ closed }) => closed),
      'the oldest',
    );
    for (let round = 0; round < 5; round += 1) assert.ok(await listener.ask());
  });
}

describe('what is under way', () => {
  it('at the gateway is not ended for others', async () => {
    const started = await startGateway({ connections: { all: 3, ofAddress: 3 } });
    opened.push({ ...started, ask: async () => true });
    const gate = Promise.withResolvers<void>();
    started.broker.gate = gate.promise;
    let asked = 0;
    const { broker } = started;
    const produce = broker.produce.bind(broker);
    broker.produce = (topic, records) => {
      asked += 1;
      return produce(topic, records);
    };
    const pushes = [1, 2, 3].map(() => started.push({ events: [event()] }));
    await until('they are under way', () => asked === 3);
    for (let count = 0; count < 5; count += 1) await silent(started).catch(() => {});
    gate.resolve();
    assert.deepEqual(
      (await Promise.all(pushes)).map(({ status }) => status),
      [202, 202, 202],
    );
  });

  it('at the API is not ended for others', async () => {
    const started = await startApi({ limits: { connections: 3, connectionsOfAddress: 3 } });
    opened.push({ ...started, ask: async () => true });
    const gate = Promise.withResolvers<void>();
    let asked = 0;
    const { catalog } = started;
    const find = catalog.find.bind(catalog);
    catalog.find = async (id) => {
      asked += 1;
      await gate.promise;
      return find(id);
    };
    const reads = [1, 2, 3].map((nth) => started.get(`/v1/games/NFL_A_B_2026010${nth}`));
    await until('they are under way', () => asked === 3);
    const held: Socket[] = [];
    for (let count = 0; count < 5; count += 1) held.push(await silent(started));
    await until('what came later has ended', () => held.every(({ closed }) => closed));
    gate.resolve();
    for (const read of reads) assert.equal((await read).status, 404);
  });
});
