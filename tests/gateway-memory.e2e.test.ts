// What one body may cost the gateway beside everybody else's (S20): memory above what its process has already, and time for which its loop is
// held. The process works as it does after hours of pushes; what stands behind the gateway keeps nothing.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { denseBodies } from './support/dense-bodies.ts';
import { event, quote } from './support/gateway-http.ts';
import { type GatewayProcess, peakSkip, startGatewayProcess } from './support/gateway-process.ts';
import { hostileBodies } from './support/hostile-bodies.ts';

const mebibyte = 1024 * 1024;
/** Of CPU, with the garbage collector, which stops the loop as well. */
const mostHeldMs = 300;

async function push(
  { url, key }: GatewayProcess,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const sent = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers };
  const reply = await fetch(url + path, { method: 'POST', headers: sent, body });
  await reply.arrayBuffer();
  return reply.status;
}

/** Pushes as sources make them, until the process has the memory that it works with. */
async function warmUp(gateway: GatewayProcess): Promise<void> {
  const quotes = Array.from({ length: 100 }, (_, at) =>
    quote({ market: 'player_points', player: `P ${at}`, line: at }),
  );
  const usual = JSON.stringify({
    events: Array.from({ length: 10 }, (_, at) => event({ operator: `b${at}`, quotes })),
  });
  for (let round = 0; round < 60; round += 1) {
    const pushes = Array.from({ length: 4 }, () => push(gateway, '/v1/sources/feed/quotes', usual));
    assert.deepEqual(await Promise.all(pushes), [202, 202, 202, 202]);
  }
}

describe('a body raises the memory of the gateway by at most 64 MiB, many records by at most 128', {
  skip: peakSkip,
}, () => {
  let gateway: GatewayProcess;
  before(async () => {
    gateway = await startGatewayProcess();
    await warmUp(gateway);
  });
  after(() => gateway[Symbol.asyncDispose]());

  for (const { name, path, headers, make, statuses, mostMebibytes = 64 } of [...hostileBodies, ...denseBodies]) {
    it(name, async () => {
      const body = make();
      await gateway.costs();
      const { peakBytes: usual } = await gateway.costs();
      const status = await push(gateway, path, body, headers);
      assert.ok(statuses.includes(status), String(status));
      const { peakBytes, heldMs } = await gateway.costs();
      const rise = (peakBytes - usual) / mebibyte;
      assert.ok(rise <= mostMebibytes, `it took ${Math.round(rise)} MiB`);
      assert.ok(heldMs <= mostHeldMs, `it held the loop for ${Math.round(heldMs)} ms`);
    });
  }
});
