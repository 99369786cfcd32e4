// Claim: no text in a parameter, a path, a header or a body makes a request expensive (SECURITY.md; `npm run bench -- h` prints the
// figure beside its budget of 50 ms). A violation would need a pattern, or a loop, that takes more than a few times as long as the text is.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import { hostileTextRequests } from '../../support/builders/hostile-texts.ts';
import { startMeasuredServers } from '../../support/processes/measured-servers.ts';

/**
 * Ten times the budget: a busy machine does not add to a request's CPU, and a pattern that backtracks exceeds any
 * limit.
 */
const mostMs = 500;

it('no hostile text costs a request more CPU than its length is worth', async () => {
  await using servers = await startMeasuredServers();
  const statuses = new Map<number, number>();
  for (const asked of fc.sample(hostileTextRequests, 1_000)) {
    const { status, cpuMs } = await servers.askAgainBeyond(mostMs, asked);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const shown = `${asked.method} ${asked.path.slice(0, 200)} ${JSON.stringify(asked.headers).slice(0, 200)} ${asked.body?.slice(0, 2_000)}`;
    assert.ok(cpuMs < mostMs, `${cpuMs.toFixed(0)} ms of CPU, ${status}: ${shown}`);
    assert.ok(status < 500, `${status}: ${shown}`);
  }
  for (const status of [200, 202, 400, 404]) assert.ok(statuses.has(status), JSON.stringify([...statuses]));
});
