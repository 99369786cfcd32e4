// d) How fast the API answers over loopback, with keys, limits and metering on, all in memory. The baseline is nginx,
// which serves the same bytes as static files from one worker process. The bodies: a game's manifest of some 2 KB and a
// closed segment of some 50 KB. A load generator in a process of its own asks both in turns, over as many connections;
// the service's memory has to stay flat.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { seededRandom } from '../oracle/random.ts';
import { findProgram } from '../support/services/installed.ts';
import { services } from '../support/services/services.ts';
import { until } from '../support/services/until.ts';
import { type Bench, median, type Run, short } from './bench.ts';
import { closeConnections, request } from './http.ts';
import { cpuSecondsOf, profiledService, type StartedService, startService } from './started-service.ts';

const target = 0.45;
const connections = 8;
/** Rows of the closed segment: about 50 KB with these random lines and prices. */
const rowsOfSegment = 8_000;
const rowsOfEvent = 400;
/** Further sportsbooks, with one event each. */
const books = 5;
/** More growth than this from the first to the last measurement is a leak. */
const flatMb = 24;

type Asked = { perSecond: number; cores: number };
/** What to request. `publish` publishes it and answers its URL without the path; by default `publishGame` does. */
export type Target = {
  what: string;
  path: string;
  static: string;
  publish?: (service: StartedService) => Promise<string>;
};

export const serving: Bench = {
  letter: 'd',
  title: 'API over loopback beside static files',
  async run(run) {
    const folder = mkdtempSync(join(tmpdir(), 'sds-bench-static-'));
    await using service = await startService({});
    try {
      run.say('filling a game');
      const base = await publishGame(service);
      await using files = await serveStatic(run, folder);
      const segment = await save(service, `${base}/segments/1`, join(folder, 'segment'));
      const manifest = await save(service, `${base}/segments`, join(folder, 'manifest'));
      closeConnections();
      const targets = [
        { what: `manifest (${manifest} bytes)`, path: '/segments', static: `${files.url}/manifest` },
        {
          what: `closed segment (${(segment / 1024).toFixed(0)} KB)`,
          path: '/segments/1',
          static: `${files.url}/segment`,
        },
      ];
      // Under load the heap first grows to its working size; from then on it has to stay.
      for (const { path } of targets) await ask(base + path, service.ready.api_key, run.toy ? 0.5 : 15);
      const first = rssMb(service.pid);
      for (const each of targets) await compare(run, service, base, files.name, each);
      const last = rssMb(service.pid);
      run.figure({
        what: `RSS of the service ${first.toFixed(0)} MB when warm, ${last.toFixed(0)} MB at the end`,
        target: `flat within ${flatMb} MB`,
        met: last - first <= flatMb,
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Requests both in turns. Without a target the ratio is printed for comparison. */
export async function compare(
  run: Run,
  { ready, pid }: StartedService,
  base: string,
  name: string,
  asked: Target,
  least: number | null = target,
): Promise<void> {
  const { what, path } = asked;
  const [rounds, seconds] = run.toy ? [1, 0.5] : [5, 4];
  const ours: Asked[] = [];
  const others: Asked[] = [];
  /** The service's CPU time for a request: other load on the machine hardly changes it, unlike a rate. */
  const micros: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    run.say(`${what}, ${round + 1} of ${rounds}`);
    const before = cpuSecondsOf(pid);
    ours.push(await ask(base + path, ready.api_key, seconds));
    micros.push(((cpuSecondsOf(pid) - before) * 1e6) / ((ours.at(-1)?.perSecond ?? 0) * seconds));
    others.push(await ask(asked.static, ready.api_key, seconds));
  }
  const rate = (each: readonly Asked[]) => median(each.map(({ perSecond }) => perSecond));
  const ratio = rate(ours) / rate(others);
  run.figure({
    what: `${what}: ${short(rate(ours))}/s ÷ ${name} ${short(rate(others))}/s = ${ratio.toFixed(2)}`,
    ...(least === null ? {} : { target: `≥ ${least}`, met: ratio >= least }),
  });
  run.note([`a request takes ${median(micros).toFixed(1)} µs of the service's CPU`]);
  const busy = (each: readonly Asked[]) => median(each.map(({ cores }) => cores));
  const generator = `the load generator takes ${busy(ours).toFixed(2)} cores against us, ${busy(others).toFixed(2)} against ${name}`;
  // wrk's CPU time is not measured.
  const bounds = busy(others) > 0.85 || ratio > 1;
  if (busy(ours) > 0 || bounds)
    run.note([
      bounds ? `${generator}: the generator or the machine is the bottleneck; ${name} could do more` : generator,
    ]);
  if (least === null || ratio >= least) return;
  run.note(
    await profiledService(async (service) => {
      const own = await (asked.publish ?? publishGame)(service);
      await ask(own + path, service.ready.api_key, run.toy ? 0.5 : 6);
    }),
  );
}

const client = fileURLToPath(new URL('load-client.ts', import.meta.url));
const execute = promisify(execFile);

export async function ask(url: string, key: string, seconds: number): Promise<Asked> {
  const wrk = findProgram('wrk');
  if (wrk === undefined) {
    const { stdout } = await execute(process.execPath, [client, url, key, String(connections), String(seconds)]);
    return JSON.parse(stdout) as Asked;
  }
  const load = ['-t1', `-c${connections}`, `-d${Math.ceil(seconds)}s`, '-H', `Authorization: Bearer ${key}`, url];
  const { stdout } = await execute(wrk, load);
  if (/Non-2xx/.test(stdout)) throw new Error(`${url}: ${stdout}`);
  return { perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]), cores: 0 };
}

type StaticFiles = AsyncDisposable & { name: string; url: string };

export async function serveStatic(run: Run, folder: string): Promise<StaticFiles> {
  const nginx = await services.nginx();
  if (nginx.skip === false) {
    const server = await nginx.serve(folder);
    return { name: 'nginx of one worker', url: server.url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  }
  run.note([`nginx cannot be used (${nginx.skip}): a bare node:http server stands in`]);
  const held = new Map<string, Buffer>();
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '';
    const bytes = held.get(path) ?? readFileSync(join(folder, path));
    held.set(path, bytes);
    response.setHeader('content-length', bytes.length);
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    name: 'node:http',
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}

export async function save({ ready }: StartedService, url: string, file: string): Promise<number> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${ready.api_key}` } });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  writeFileSync(file, bytes);
  return bytes.length;
}

/** Pushes a game, and closes its first segment by its age with a later push; answers the URL of its lines. */
export async function publishGame({ ready }: StartedService): Promise<string> {
  const start = Date.now() - 3 * 3_600_000;
  const commenceTime = new Date(Date.now() + 3_600_000).toISOString();
  const random = seededRandom(1);
  const push = async (seconds: number, operator = 'BENCHBOOK'): Promise<void> => {
    const quotes = Array.from({ length: rowsOfEvent }, (_, at) => ({
      market: `m${at >> 1}`,
      selection: at % 2 === 0 ? 'home' : 'away',
      line: random.integer(4_000) / 2,
      price: { american: (random.chance(0.5) ? 1 : -1) * (101 + random.integer(900)) },
    }));
    const game = {
      league: 'MLB',
      event_id: 'serving',
      home_team: 'NYY',
      away_team: 'STL',
      commence_time: commenceTime,
    };
    const observed = new Date(start + seconds * 1000).toISOString();
    const event = { kind: 'image', operator, game, observed_at: observed, quotes };
    const body = JSON.stringify({ events: [event] });
    const answer = await request(`${ready.ingest_url}/v1/sources/bench/quotes`, ready.feed_key, {
      method: 'POST',
      body,
    });
    if (answer.status !== 202) throw new Error(`push: ${answer.status} ${answer.body}`);
  };
  const events = rowsOfSegment / rowsOfEvent;
  for (let event = 0; event < events; event += 1) await push(event * 10);
  await push(1_200);
  // The manifest of a few operators has some 2 KB.
  for (let book = 1; book <= books; book += 1) await push(1_200 + book, `BOOK${book}`);
  const { body } = await request(`${ready.api_url}/v1/games`, ready.api_key);
  const id = (JSON.parse(body) as { data: { id: string }[] }).data[0]?.id;
  const base = `${ready.api_url}/v1/games/${id}/sportsbook-lines`;
  // nginx serves a copy of what is saved next, so the manifest has to have all rows first.
  const rows = rowsOfSegment + (1 + books) * rowsOfEvent;
  await until('all rows are published', async () => {
    const { status, body: manifest } = await request(`${base}/segments`, ready.api_key);
    return status === 200 && rowsIn(manifest) === rows;
  });
  return base;
}

function rowsIn(manifest: string): number {
  const { segments } = JSON.parse(manifest) as { segments: { rows: number }[] };
  return segments.reduce((sum, each) => sum + each.rows, 0);
}

function rssMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
