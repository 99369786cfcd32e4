// The share of a feed key at the gateway (docs/operations.md#push-gateway): a push beyond it is 429 with the time to wait, does not affect
// other keys, and nothing of it is accepted.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, it } from 'vitest';
import type { FeedLimits } from '../../../core/limits/token-bucket.ts';
import { event, kindOf, type Reply, startGateway, type TestGateway } from '../../support/http/gateway-http.ts';

const plenty: FeedLimits = { requests: 1e6, bytes: 1e9, elements: 1e6 };
let gateway: TestGateway;
afterEach(() => gateway?.close());

function assertBeyond({ status, headers, body }: Reply, seconds: number, detail: RegExp): void {
  assert.deepEqual([status, kindOf(body)], [429, 'rate-limited']);
  const retryAfter = Number(headers.get('retry-after'));
  assert.ok(retryAfter >= seconds - 1 && retryAfter <= seconds && retryAfter >= 1, `Retry-After: ${retryAfter}`);
  assert.match(String(body.detail), detail);
}

const events = (count: number) => ({ events: Array.from({ length: count }, () => event()) });
const path = '/v1/sources/feed/quotes';

describe('the share of a feed key', () => {
  it('of requests is taken before the body is read; another key has its own', async () => {
    gateway = await startGateway({ feedLimits: { ...plenty, requests: 0.1 } });
    const other = gateway.mint(['*'], ['push', 'backfill']).plaintext;
    assert.equal((await gateway.push({ events: [] })).status, 202);
    assertBeyond(await gateway.push({ events: [] }), 10, /may send 0\.1 requests a second, and 1 at once/);
    // Announces five million bytes and sends one.
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.key}\r\nContent-Type: application/json\r\n`;
    assert.match(await gateway.raw(`${head}Content-Length: 5000000\r\n\r\n{`), /^HTTP\/1.1 429 /);
    assert.equal((await gateway.get('/v1/receipts/none')).status, 429, 'reading receipts is a request too');
    assert.equal((await gateway.push({ events: [] }, { key: other })).status, 202);
  });

  it('of bytes is of inflated ones, and what was inflated is paid for', async () => {
    gateway = await startGateway({ feedLimits: { ...plenty, bytes: 1_000 } });
    const body = `{"events":[]}${' '.repeat(7_000)}`;
    const headers = { 'content-encoding': 'gzip' };
    assert.equal((await gateway.push(gzipSync(body), { headers })).status, 202);
    assertBeyond(
      await gateway.push(gzipSync(body), { headers }),
      11,
      /may send 1000 bytes of bodies, inflated, a second/,
    );
    assertBeyond(await gateway.push('{}'), 5, /bytes/);
  });

  it('of bytes refuses by the length that is announced', async () => {
    gateway = await startGateway({ feedLimits: { ...plenty, bytes: 1_000 } });
    const body = `{"events":[]}${' '.repeat(6_000)}`;
    assert.equal((await gateway.push(body)).status, 202);
    assertBeyond(await gateway.push(body), 3, /bytes/);
    assert.equal((await gateway.push({ events: [] })).status, 202, 'a push that fits is accepted');
  });

  it('of elements is of those of the body: nothing is accepted of a push beyond it', async () => {
    gateway = await startGateway({ feedLimits: { ...plenty, elements: 1 } });
    assert.equal((await gateway.push(events(6))).status, 202);
    const before = gateway.broker.records.length;
    const headers = { 'idempotency-key': 'k1' };
    assertBeyond(await gateway.push(events(6), { headers }), 2, /may send 1 elements a second, and 10 at once/);
    assert.equal(gateway.broker.records.length, before);
    assert.equal(gateway.catalogs.letters.length, 0);
    assert.equal((await gateway.push(events(4), { headers })).status, 202, 'its Idempotency-Key is free again');
  });

  it('takes a push that is larger than it can ever be, once it is whole', async () => {
    gateway = await startGateway({ feedLimits: { ...plenty, elements: 1 } });
    assert.equal((await gateway.push(events(30))).status, 202);
    assertBeyond(await gateway.push(events(1)), 21, /elements/);
  });

  it('says in its health that it cannot be counted together', async () => {
    gateway = await startGateway();
    assert.deepEqual((await gateway.get('/health')).body, { status: 'ok', degraded: [] });
    gateway.shares.degraded = () => true;
    const { since, ...health } = (await gateway.get('/health')).body;
    assert.deepEqual(health, { status: 'degraded', degraded: ['ratelimit'] });
    assert.deepEqual(Object.keys(since as object), ['ratelimit']);
  });
});
