// What one body may cost the gateway beside everybody else's (S20): memory above what its process has already, and time for which its loop is
// held. The process works as it does after hours of pushes; what stands behind the gateway keeps nothing.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { denseBodies } from '../../support/builders/dense-bodies.ts';
import { hostileBodies } from '../../support/builders/hostile-bodies.ts';
import { quotes } from '../../support/builders/large-bodies.ts';
import { type GatewayProcess, peakSkip, startGatewayProcess } from '../../support/processes/gateway-process.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const mebibyte = 1024 * 1024;
const mostMebibytes = 64;
/**
 * Sent one behind the other, without a pause: what is freed of one is not yet given back while the next is worked on. Bodies of MSF that are
 * one element, which come last, are parsed whole.
 */
const mostInARow = { quotes: 64, all: 88 };
/** Of CPU, with the garbage collector, which stops the loop as well. */
const mostHeldMs = 300;

const bodies = [...hostileBodies, ...denseBodies];
const lastOfQuotes = bodies.findLastIndex(({ path }) => path === quotes);

describe('a body raises the memory of a gateway in a process of its own by at most 64 MiB', skipFor(peakSkip), () => {
  let gateway: GatewayProcess;
  let base = 0;
  beforeAll(async () => {
    gateway = await startGatewayProcess();
    await gateway.warmUp();
    base = await gateway.bytesNow();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  for (const [at, { name, path, headers, make, statuses }] of bodies.entries()) {
    it(name, async () => {
      const body = make();
      const usual = await gateway.bytesNow();
      const status = await gateway.push(path, body, headers);
      assert.ok(statuses.includes(status), String(status));
      const { peakBytes, heldMs } = await gateway.costs();
      const rise = Math.round((peakBytes - usual) / mebibyte);
      assert.ok(rise <= mostMebibytes, `it took ${rise} MiB`);
      const above = Math.round((peakBytes - base) / mebibyte);
      assert.ok(
        above <= (at <= lastOfQuotes ? mostInARow.quotes : mostInARow.all),
        `with what the bodies before it have left it took ${above} MiB`,
      );
      assert.ok(heldMs <= mostHeldMs, `it held the loop for ${Math.round(heldMs)} ms`);
    });
  }
});
