// A key's refusals go out one after another also over HTTP: those of its limits, and those of bodies that hold too much.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, it } from 'vitest';
import { startGateway, type TestGateway } from '../../support/http/gateway-http.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

it('sends the 413 answers of a key 50 ms apart', async () => {
  const tooMany = `{"events":[${'0,'.repeat(60_000)}0]}`;
  const beganAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 21 }, () => gateway.push(tooMany)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([413]));
  const tookMs = performance.now() - beganAt;
  assert.ok(tookMs >= 20 * 50 - 5, `${tookMs} ms`);
});
