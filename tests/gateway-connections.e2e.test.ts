// Connections and requests that no key answers for: they are bounded, and keep out neither pushes nor the probes of a balancer.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { event, kindOf, startGateway, type TestGateway } from './support/gateway-http.ts';
import { until } from './support/services/until.ts';

let gateway: TestGateway;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await gateway?.close();
});

function silent(): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => resolve(socket));
    socket.on('error', () => {});
    socket.write('POST /v1/sources/feed/quotes HTTP/1.1\r\nHost: x\r\n');
    sockets.push(socket);
  });
}

describe('connections', () => {
  for (const caps of [
    { all: 1_000, ofAddress: 20 },
    { all: 20, ofAddress: 1_000 },
  ])
    it(`beyond ${caps.all} in all, ${caps.ofAddress} of an address: idle ones end, oldest first, and pushes go on`, async () => {
      gateway = await startGateway({ connections: caps, timeouts: { headersMs: 60_000, requestMs: 60_000 } });
      const held: Socket[] = [];
      for (let count = 0; count < 60; count += 1) held.push(await silent());
      await until('all but twenty have ended', () => held.filter(({ closed }) => closed).length === 40);
      assert.ok(
        held.slice(0, 40).every(({ closed }) => closed),
        'the oldest',
      );
      for (let round = 0; round < 5; round += 1)
        assert.equal((await gateway.push({ events: [event()] }, { headers: { connection: 'close' } })).status, 202);
    });

  it('on which a push is under way are not ended for others', async () => {
    gateway = await startGateway({ connections: { all: 3, ofAddress: 3 } });
    const opened = Promise.withResolvers<void>();
    gateway.broker.gate = opened.promise;
    let asked = 0;
    const { broker } = gateway;
    const produce = broker.produce.bind(broker);
    broker.produce = (topic, records) => {
      asked += 1;
      return produce(topic, records);
    };
    const pushes = [1, 2, 3].map(() => gateway.push({ events: [event()] }));
    await until('they are under way', () => asked === 3);
    for (let count = 0; count < 5; count += 1) await silent().catch(() => {});
    opened.resolve();
    assert.deepEqual(
      (await Promise.all(pushes)).map(({ status }) => status),
      [202, 202, 202],
    );
  });
});

describe('requests that no key answers for', () => {
  it('are limited by address; pushes and the health from there are not', async () => {
    gateway = await startGateway({ strangerLimit: 10 });
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      const path = ['/v1/nothing', '/problems/rate-limited', '/v1/receipts/x'][count % 3] as string;
      statuses.push((await gateway.get(path, 'svc_feed_wrong')).status);
    }
    assert.deepEqual(statuses, [404, 200, 401, 404, 200, 401, 404, 200, 401, 404, 429, 429]);
    const { headers, body } = await gateway.get('/v1/nothing');
    assert.equal(kindOf(body), 'rate-limited');
    const wait = Number(headers.get('retry-after'));
    assert.ok(wait > 50 && wait <= 60, `${wait}`);
    for (let count = 0; count < 20; count += 1) {
      assert.equal((await gateway.push({ events: [] })).status, 202);
      assert.equal((await gateway.get('/health')).status, 200);
      assert.equal((await gateway.get('/health/ready')).status, 200);
    }
  });
});
