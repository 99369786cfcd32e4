// Requests without a valid key are limited, and block neither pushes nor the probes of a load balancer.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'vitest';
import { kindOf, startGateway, type TestGateway } from '../../support/http/gateway-http.ts';

let gateway: TestGateway;
afterEach(() => gateway?.close());

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
