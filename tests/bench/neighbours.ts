// n) What others notice of a key that floods: the p99 of another key's pushes until they are visible, and of a reader, beside a flood and
// without one, in turns. The flood comes from a process of its own, which the service's processors also have to serve. At last, what games
// notice of a slow one in their partition.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { defaultFeedLimits, shareNames } from '../../core/limits/token-bucket.ts';
import { type Bench, quantile, type Run } from './bench.ts';
import { type FloodKind, floodKinds } from './flood-bodies.ts';
import { publishedIds } from './freshness.ts';
import { closeConnections, request } from './http.ts';
import { besideSlowGame } from './slow-game.ts';
import { cpuSecondsOf, type StartedService, startService } from './started-service.ts';
import { mint, push, type Tenant } from './tenant.ts';

const mostTimes = 2;
const rounds = 3;
const connections = 16;

type Times = { pushes: number[]; reads: number[] };

export const neighbours: Bench = {
  letter: 'n',
  title: "another key's pushes and readers, beside a key that floods",
  async run(run) {
    const limits = shareNames.map((name) => `${name}:${defaultFeedLimits[name]}`).join(',');
    await using service = await startService({ SDS_FEED_LIMITS: limits });
    const [honest, flooding] = [await mint(service, 'honest'), await mint(service, 'flooding')];
    await push(service, honest, 0);
    const [id] = await publishedIds(service);
    const board = `${service.ready.api_url}/v1/games/${id}/sportsbook-lines/board`;
    const measureFor = (seconds: number) => measure(service, honest, board, seconds);
    run.say('warming up');
    await measureFor(run.toy ? 0.5 : 5);
    for (const kind of run.toy ? floodKinds.slice(0, 1) : floodKinds)
      await beside(run, service, flooding, kind, measureFor);
    await besideSlowGame(run);
    closeConnections();
  },
};

async function beside(
  run: Run,
  service: StartedService,
  flooding: Tenant,
  kind: FloodKind,
  measureFor: (seconds: number) => Promise<Times>,
): Promise<void> {
  const seconds = run.toy ? 1 : 8;
  const quiet: Times = { pushes: [], reads: [] };
  const flooded: Times = { pushes: [], reads: [] };
  const told: string[] = [];
  for (let round = 1; round <= (run.toy ? 1 : rounds); round += 1) {
    run.say(`${kind}: ${round} of ${rounds}`);
    add(quiet, await measureFor(seconds));
    const cpu = cpuSecondsOf(service.pid);
    const flood = await startFlood(service, flooding, kind);
    await delay(run.toy ? 100 : 1_000);
    add(flooded, await measureFor(seconds));
    told.push(`${await flood.stop()}; the service ${(cpuSecondsOf(service.pid) - cpu).toFixed(1)} s of CPU`);
    // What the flood has in the log is folded first.
    for (let settled = 0; settled < 5; settled += 1) await measureFor(0.1);
  }
  for (const [of, what] of [
    ['pushes', 'pushes until visible'],
    ['reads', 'reads'],
  ] as const) {
    const [alone, among] = [quantile(quiet[of], 0.99), quantile(flooded[of], 0.99)];
    const times = among / alone;
    run.figure({
      what: `${kind}: ${what} p99 ${among.toFixed(0)} ms of ${flooded[of].length}, quiet ${alone.toFixed(0)} ms of ${quiet[of].length}: ${times.toFixed(2)} times`,
      target: `≤ ${mostTimes}`,
      met: times <= mostTimes,
    });
  }
  run.note(told);
}

function add(all: Times, { pushes, reads }: Times): void {
  all.pushes.push(...pushes);
  all.reads.push(...reads);
}

/** One push after the other until each is visible, and beside them a reader. */
async function measure(service: StartedService, tenant: Tenant, board: string, seconds: number): Promise<Times> {
  const times: Times = { pushes: [], reads: [] };
  const endsAt = performance.now() + seconds * 1_000;
  const pushing = async (): Promise<void> => {
    for (let turn = 1; performance.now() < endsAt; turn += 1) {
      times.pushes.push(await push(service, tenant, turn));
      await delay(10);
    }
  };
  const reading = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const began = performance.now();
      const { status } = await request(board, service.ready.api_key);
      if (status !== 200) throw new Error(`board: ${status}`);
      times.reads.push(performance.now() - began);
      await delay(10);
    }
  };
  await Promise.all([pushing(), reading()]);
  return times;
}

const client = fileURLToPath(new URL('flood-client.ts', import.meta.url));

async function startFlood(
  { ready }: StartedService,
  { source, key }: Tenant,
  kind: FloodKind,
): Promise<{ stop(): Promise<string> }> {
  const url = `${ready.ingest_url}/v1/sources/${source}/quotes`;
  const child = spawn(process.execPath, [client, url, key, kind, String(connections)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return {
    async stop() {
      const gone = once(child, 'exit');
      child.stdin.end();
      const { value } = await lines.next();
      await gone;
      return `answers to the flood ${String(value)}`;
    },
  };
}
