// i) What others notice of a crowd: the p99 of clients who ask now and then, beside 10,000 sockets that idle, and beside 2,000 readers who take
// nothing of what they have asked for; and of the same clients of a service without a crowd. Prints what the limit of open files allowed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Bench, median, quantile, type Run } from './bench.ts';
import { closeConnections, request } from './http.ts';
import { publishGame } from './serving.ts';
import { memoryOf, type StartedService, startService } from './started-service.ts';

const mostTimes = 2;
const rounds = 9;
/** Below this, what is measured is this process. */
const floorMs = 5;
/** For the service's own files and connections. */
const spareFiles = 500;

export type Crowd = {
  kind: 'idle' | 'slow' | 'trickle';
  what: string;
  wanted: number;
  path: string;
  /** With which they ask in turn; left out: that of the service. */
  keys?: readonly string[];
  /** What the service may hold of memory beside them. */
  mostMb?: number;
};

export const crowds: Bench = {
  letter: 'i',
  title: "others' p99 beside a crowd",
  async run(run) {
    // As behind a proxy, whose connections count in all only: a crowd of one address would meet the cap of one.
    await using crowded = await startService({ SDS_PROXY_HOPS: '1' });
    await using quiet = await startService({});
    run.say('filling a game of each');
    const [base, control] = [await publishGame(crowded), await publishGame(quiet)];
    const both = [
      { url: `${base}/segments`, key: crowded.ready.api_key },
      { url: `${control}/segments`, key: quiet.ready.api_key },
    ] as const;
    const [idle, slow] = run.toy ? [50, 10] : [10_000, 2_000];
    const health = `${crowded.ready.api_url}/health`;
    await beside(run, crowded, both, { kind: 'idle', what: 'idle sockets', wanted: idle, path: health });
    const segment = `${base}/segments/1`;
    await beside(run, crowded, both, { kind: 'slow', what: 'readers who take nothing', wanted: slow, path: segment });
    closeConnections();
  },
};

/** With `body` a push, else a read. */
export type Asked = { url: string; key: string; body?: string };

/** Beside it a service without a crowd is asked in turns, so that what else the machine does counts for both. */
export async function beside(
  run: Run,
  service: StartedService,
  both: readonly [Asked, Asked],
  crowd: Crowd,
): Promise<void> {
  const count = Math.min(crowd.wanted, openFilesLimit() - spareFiles);
  const before = memoryOf(service.pid).ours;
  run.say(`${count} ${crowd.what} come`);
  const { there, leave } = await gather(crowd, count, crowd.keys ?? [service.ready.api_key]);
  const found: [number[], number[]] = [[], []];
  for (let round = 0; round < (run.toy ? 2 : rounds); round += 1) {
    run.say(`${there} ${crowd.what}: ${round + 1} of ${rounds}`);
    for (const at of [0, 1] as const) found[at].push(await p99(run, both[at]));
  }
  const memory = memoryOf(service.pid).ours;
  const still = await leave();
  const [among, alone] = [median(found[0]), median(found[1])];
  const times = among / Math.max(alone, floorMs);
  run.figure({
    what: `beside ${there} ${crowd.what} p99 ${among.toFixed(1)} ms, beside nobody ${alone.toFixed(1)} ms: ${times.toFixed(2)} times`,
    target: `< ${mostTimes}, counted from ${floorMs} ms`,
    met: times < mostTimes,
  });
  const { mostMb } = crowd;
  if (mostMb !== undefined)
    run.figure({
      what: `the service holds ${memory.toFixed(0)} MB beside ${there} ${crowd.what}, ${before.toFixed(0)} MB before them`,
      target: `< ${mostMb} MB`,
      met: memory < mostMb && there === crowd.wanted,
    });
  const limited =
    count < crowd.wanted ? `; ${crowd.wanted} were wanted, the limit of open files is ${openFilesLimit()}` : '';
  run.note([`${still} of them are there at the end; service ${before.toFixed(0)} → ${memory.toFixed(0)} MB${limited}`]);
}

/** Of four clients who ask every few milliseconds, for a second. */
async function p99(run: Run, { url, key, body }: Asked): Promise<number> {
  const method = body === undefined ? 'GET' : 'POST';
  const times: number[] = [];
  const endsAt = performance.now() + (run.toy ? 100 : 1_000);
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (performance.now() < endsAt) {
        const startedAt = performance.now();
        const { status } = await request(url, key, { method, body });
        times.push(performance.now() - startedAt);
        if (status >= 300) throw new Error(`${status}`);
        await delay(5);
      }
    }),
  );
  return quantile(times, 0.99);
}

/** How many files a process may have open: a crowd is as many sockets. */
function openFilesLimit(): number {
  return Number(
    /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Number.POSITIVE_INFINITY,
  );
}

const client = fileURLToPath(new URL('crowd-client.ts', import.meta.url));

async function gather(
  { kind, path }: Crowd,
  count: number,
  keys: readonly string[],
): Promise<{ there: number; leave(): Promise<number> }> {
  const child = spawn(process.execPath, [client, path, keys.join(), String(count), kind], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const told = async () => JSON.parse((await lines.next()).value as string) as { there: number; still: number };
  const { there } = await told();
  return {
    there,
    async leave() {
      const gone = once(child, 'exit');
      child.stdin.end();
      const { still } = await told();
      await gone;
      return still;
    },
  };
}
