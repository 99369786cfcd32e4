// The cost of one body for the gateway (S20): memory above the working set of its process, and the time for which it blocks the event loop.
// The process is warmed up as after hours of pushes, so memory that it released and takes again does not count as the body's. The fakes
// behind the gateway keep nothing.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { denseBodies } from '../../support/builders/dense-bodies.ts';
import { hostileBodies } from '../../support/builders/hostile-bodies.ts';
import { type GatewayProcess, peakSkip, startGatewayProcess } from '../../support/processes/gateway-process.ts';
import { caseOutOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const mebibyte = 1024 * 1024;
const mostMebibytes = 64;
/**
 * A limit of CPU, garbage collection included because it blocks the loop too: this many times what parsing a plain body
 * of 8 MiB takes on this machine.
 */
const mostTimesParsing = 10;
const plain = JSON.stringify(
  Array.from({ length: 90_000 }, (_, id) => ({ id, name: `Player ${id}`, price: { american: -110 }, line: 21.5 })),
).padEnd(8 * mebibyte);

/** The CPU for parsing the plain body, the best of three. */
function parsingMs(): number {
  const times = [1, 2, 3].map(() => {
    const before = process.threadCpuUsage();
    JSON.parse(plain);
    const after = process.threadCpuUsage();
    return (after.user + after.system - before.user - before.system) / 1_000;
  });
  return Math.min(...times);
}

const bodies = [...hostileBodies, ...denseBodies];
/** The MSF bodies once more in another order: they leave most memory behind. */
const ofMsf = bodies
  .filter(({ path }) => path.includes('/msf/'))
  .map((body) => ({ ...body, name: `${body.name}, behind all others` }))
  .reverse();

// Without pauses: freed memory of one body is not yet returned when the next one comes.
describe(
  'a body raises the memory of a gateway in a process of its own by at most 64 MiB, alone and behind others',
  skipFor(peakSkip),
  () => {
    let gateway: GatewayProcess;
    let base = 0;
    beforeAll(async () => {
      gateway = await startGatewayProcess();
      await gateway.warmUp();
      base = await gateway.bytesNow();
    });
    afterAll(() => gateway[Symbol.asyncDispose]());

    for (const [place, { name, path, headers, make, statuses }] of [...bodies, ...ofMsf].entries()) {
      it(name, skipFor(caseOutOfTurn(place, 6)), async () => {
        const body = make();
        await gateway.bytesNow();
        const status = await gateway.push(path, body, headers);
        assert.ok(statuses.includes(status), String(status));
        const { peakBytes, heldMs } = await gateway.costs();
        const above = Math.round((peakBytes - base) / mebibyte);
        assert.ok(above <= mostMebibytes, `together with what earlier bodies left, it took ${above} MiB`);
        const times = heldMs / parsingMs();
        assert.ok(times <= mostTimesParsing, `it blocked the loop ${times.toFixed(1)} times as long as parsing takes`);
      });
    }
  },
);
