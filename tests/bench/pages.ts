// p) Pages of 10,000 records: how long one takes, and how much memory many at once add to the service, read at full
// speed and by readers who pause. A service that collects a whole page before sending it would add many times its size.
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/services/until.ts';
import { type Bench, median, type Run } from './bench.ts';
import { memoryOf, type StartedService, startService } from './started-service.ts';

const mebibyte = 1024 * 1024;
/** The most memory that a request for a large page may add (SECURITY.md). */
const mostPerRequestMb = 4;

export const pages: Bench = {
  letter: 'p',
  title: 'pages of 10,000 records',
  async run(run) {
    await using service = await startService({});
    const records = run.toy ? 300 : 10_000;
    await pushGames(run, service, records);
    await pushPlayers(run, service, records);
    for (const path of ['/v1/games', '/v1/players']) await measure(run, service, `${path}?limit=10000`, records);
  },
};

async function measure(run: Run, service: StartedService, path: string, records: number): Promise<void> {
  const times: number[] = [];
  let bytes = 0;
  for (let round = 0; round < (run.toy ? 1 : 5); round += 1) {
    const startedAt = performance.now();
    bytes = await read(service, path, records);
    times.push(performance.now() - startedAt);
  }
  run.figure({ what: `${path}: ${(bytes / mebibyte).toFixed(1)} MiB in ${median(times).toFixed(0)} ms` });

  const many = run.toy ? 4 : 16;
  const before = memoryOf(service.pid).ours;
  const fast = await peakDuring(service, async () => {
    for (let round = 0; round < (run.toy ? 1 : 2); round += 1)
      await Promise.all(Array.from({ length: many }, () => read(service, path, records)));
  });
  print(run, `${many} at once`, many, before, fast);
  const again = memoryOf(service.pid).ours;
  const readers: (() => void)[] = [];
  const slow = await peakDuring(service, async () => {
    for (let round = 0; round < (run.toy ? 1 : 4); round += 1)
      readers.push(...(await Promise.all(Array.from({ length: many }, () => readNothing(service, path)))));
    for (const stop of readers) stop();
  });
  print(run, `${readers.length} who take nothing`, readers.length, again, slow);
}

function print(run: Run, who: string, many: number, before: number, peak: number): void {
  const each = Math.max(0, peak - before) / many;
  run.figure({
    what: `${who}: from ${before.toFixed(0)} to ${peak.toFixed(0)} MB, ${each.toFixed(2)} MB each`,
    target: `≤ ${mostPerRequestMb} MB`,
    met: each <= mostPerRequestMb,
  });
}

async function peakDuring(service: StartedService, work: () => Promise<void>): Promise<number> {
  let peak = 0;
  let over = false;
  const looking = (async () => {
    while (!over) {
      peak = Math.max(peak, memoryOf(service.pid).ours);
      await delay(20);
    }
  })();
  await work();
  over = true;
  await looking;
  return peak;
}

async function read({ ready }: StartedService, path: string, records: number): Promise<number> {
  const response = await fetch(ready.api_url + path, { headers: { authorization: `Bearer ${ready.api_key}` } });
  const body = await response.text();
  const { data } = JSON.parse(body) as { data: unknown[] };
  if (response.status !== 200 || data.length !== records) throw new Error(`${response.status}, ${data.length} records`);
  return body.length;
}

/** Requests a page and stops reading after its head. */
function readNothing({ ready }: StartedService, path: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${ready.api_key}` };
    const asked = request(ready.api_url + path, { headers, agent: false }, (response) => {
      response.pause();
      resolve(() => asked.destroy());
    });
    asked.on('error', reject);
    asked.end();
  });
}

async function pushGames(run: Run, service: StartedService, count: number): Promise<void> {
  run.say(`${count} games`);
  const start = Date.UTC(2031, 0, 1);
  const elements = Array.from({ length: count }, (_, at) => ({
    id: `g${at}`,
    sport_key: 'basketball_ncaab',
    commence_time: new Date(start + at * 40 * 60_000).toISOString(),
    home_team: `College ${at % 50}`,
    away_team: `University ${at % 71}`,
    bookmakers: [],
  }));
  for (let at = 0; at < count; at += 2_000) await push(service, 'the-odds-api-v4', elements.slice(at, at + 2_000));
}

async function pushPlayers(run: Run, service: StartedService, count: number): Promise<void> {
  run.say(`${count} players`);
  const players = Array.from({ length: count }, (_, id) => ({
    id,
    league: 'NFL',
    first_name: `First ${id}`,
    last_name: `Last ${id}`,
    position: 'QB',
    team: id % 3 === 0 ? null : 'PHI',
  }));
  await push(service, 'reference', { players });
  await until('the players are listed', async () => {
    const response = await fetch(`${service.ready.api_url}/v1/players?limit=${count}`, {
      headers: { authorization: `Bearer ${service.ready.api_key}` },
    });
    return ((await response.json()) as { data: unknown[] }).data.length === count;
  });
}

async function push({ ready }: StartedService, route: string, body: unknown): Promise<void> {
  const response = await fetch(`${ready.ingest_url}/v1/sources/bench/${route}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ready.feed_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
  const { rejected } = (await response.json()) as { rejected: unknown[] };
  if (rejected.length > 0) throw new Error(JSON.stringify(rejected[0]));
}
