// q) What each kind of large body costs the push gateway: resident memory above that of a warm process, and CPU time
// that blocks the event loop. Each body is sent to a gateway of its own first, then all of them one after another to a
// single gateway.
import { denseBodies } from '../support/builders/dense-bodies.ts';
import { hostileBodies } from '../support/builders/hostile-bodies.ts';
import type { LargeBody } from '../support/builders/large-bodies.ts';
import { type GatewayProcess, startGatewayProcess } from '../support/processes/gateway-process.ts';
import type { Bench, Run } from './bench.ts';

const mebibyte = 1024 * 1024;
const mostMebibytes = 64;

export const bodyCosts: Bench = {
  letter: 'q',
  title: 'what each large body costs the push gateway',
  async run(run) {
    const bodies = [...hostileBodies, ...denseBodies];
    const chosen = run.toy ? bodies.slice(0, 2) : bodies;
    await eachAlone(run, chosen);
    await allInARow(run, chosen);
  },
};

type Cost = { name: string; status: number; mebibytes: number; heldMs: number };

async function eachAlone(run: Run, bodies: readonly LargeBody[]): Promise<void> {
  const costs: Cost[] = [];
  for (const body of bodies) {
    run.say(`alone: ${body.name}`);
    await using gateway = await startGatewayProcess();
    await gateway.warmUp();
    costs.push(await costOf(gateway, body, await gateway.bytesNow()));
  }
  print(run, 'alone in a process', costs);
}

async function allInARow(run: Run, bodies: readonly LargeBody[]): Promise<void> {
  await using gateway = await startGatewayProcess();
  await gateway.warmUp();
  const base = await gateway.bytesNow();
  run.say(`one after another, base ${Math.round(base / mebibyte)} MiB`);
  const costs: Cost[] = [];
  for (const body of bodies) costs.push(await costOf(gateway, body, base));
  print(run, 'one behind the other', costs);
}

async function costOf(gateway: GatewayProcess, body: LargeBody, base: number): Promise<Cost> {
  const bytes = body.make();
  await gateway.bytesNow();
  const status = await gateway.push(body.path, bytes, body.headers);
  const { peakBytes, heldMs } = await gateway.costs();
  return { name: body.name, status, mebibytes: (peakBytes - base) / mebibyte, heldMs };
}

function print(run: Run, how: string, costs: readonly Cost[]): void {
  const worst = Math.max(...costs.map(({ mebibytes }) => mebibytes));
  const longest = Math.max(...costs.map(({ heldMs }) => heldMs));
  run.figure({
    what: `${costs.length} bodies, ${how}: at most ${worst.toFixed(0)} MiB above base, the loop held for at most ${longest.toFixed(0)} ms`,
    target: `≤ ${mostMebibytes} MiB`,
    met: worst <= mostMebibytes,
  });
  run.note(
    costs.map(({ name, status, mebibytes, heldMs }) => {
      const cost = `${mebibytes.toFixed(0).padStart(4)} MiB ${heldMs.toFixed(0).padStart(4)} ms`;
      return `${cost}  ${status}  ${name}`;
    }),
  );
}
