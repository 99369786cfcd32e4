// i) What a crowd costs other clients: the p99 of clients that send a request now and then, beside 10,000 idle sockets,
// and beside 2,000 readers who read nothing of what they requested. The baseline is a service without a crowd. Prints
// how many connections the limit of open files allowed.
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
/** Times below this are those of the measuring process. */
const floorMs = 5;
/** Open files left for everything but the crowd. */
const spareFiles = 500;

export type Crowd = {
  kind: 'idle' | 'slow' | 'trickle';
  what: string;
  wanted: number;
  path: string;
  /** The keys the crowd uses in turn; by default the service's own. */
  keys?: readonly string[];
  /** The most memory the service may take with the crowd connected. */
  mostMb?: number;
};

export const crowds: Bench = {
  letter: 'i',
  title: "others' p99 beside a crowd",
  async run(run) {
    // As behind a proxy, where only the cap on all connections applies. This crowd comes from one address and would hit
    // the cap per address.
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
    await measureCrowd(run, crowded, both, { kind: 'idle', what: 'idle sockets', wanted: idle, path: health });
    const segment = `${base}/segments/1`;
    await measureCrowd(run, crowded, both, {
      kind: 'slow',
      what: 'readers who take nothing',
      wanted: slow,
      path: segment,
    });
    closeConnections();
  },
};

/** A push if it has a `body`, otherwise a read. */
export type Asked = { url: string; key: string; body?: string };

/**
 * Measures the service with a crowd in turns with a service without one, so that other load on the machine affects
 * both.
 */
export async function measureCrowd(
  run: Run,
  service: StartedService,
  both: readonly [Asked, Asked],
  crowd: Crowd,
): Promise<void> {
  const count = Math.min(crowd.wanted, openFilesLimit() - spareFiles);
  const before = memoryOf(service.pid).ours;
  run.say(`${count} ${crowd.what} are connecting`);
  const { there, leave } = await gather(crowd, count, crowd.keys ?? [service.ready.api_key]);
  const found: [number[], number[]] = [[], []];
  for (let round = 0; round < (run.toy ? 2 : rounds); round += 1) {
    run.say(`${there} ${crowd.what}: ${round + 1} of ${rounds}`);
    for (const at of [0, 1] as const) found[at].push(await p99(run, both[at]));
  }
  const memory = memoryOf(service.pid).ours;
  const still = await leave();
  const [crowded, alone] = [median(found[0]), median(found[1])];
  const times = crowded / Math.max(alone, floorMs);
  run.figure({
    what: `p99 beside ${there} ${crowd.what} ${crowded.toFixed(1)} ms, without them ${alone.toFixed(1)} ms: ${times.toFixed(2)} times`,
    target: `< ${mostTimes}; below ${floorMs} ms counts as ${floorMs} ms`,
    met: times < mostTimes,
  });
  const { mostMb } = crowd;
  if (mostMb !== undefined)
    run.figure({
      what: `memory of the service: ${memory.toFixed(0)} MB with ${there} ${crowd.what}, ${before.toFixed(0)} MB before`,
      target: `< ${mostMb} MB`,
      met: memory < mostMb && there === crowd.wanted,
    });
  const limited =
    count < crowd.wanted ? `; ${crowd.wanted} were wanted, the limit of open files is ${openFilesLimit()}` : '';
  run.note([
    `${still} of them were still connected at the end; service ${before.toFixed(0)} → ${memory.toFixed(0)} MB${limited}`,
  ]);
}

/** The p99 of four clients that each send a request every few milliseconds, for a second. */
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

/** How many files this process may open; each connection of the crowd takes one. */
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
  const readReport = async () => JSON.parse((await lines.next()).value as string) as { there: number; still: number };
  const { there } = await readReport();
  return {
    there,
    async leave() {
      const gone = once(child, 'exit');
      child.stdin.end();
      const { still } = await readReport();
      await gone;
      return still;
    },
  };
}
