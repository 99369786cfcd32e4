// u) Event streams: what 10,000 idle ones cost an instance in memory and its other clients in time, and how old a head
// is when it reaches its reader, counted from the 202 of the push. The embedded edition, whose one process holds all
// roles.
import { type ClientRequest, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { silentLog } from '../../core/ports/telemetry.ts';
import { openCatalogs } from '../../ops/service/catalogs.ts';
import { openDatabase } from '../../ops/service/drivers.ts';
import { mintApiKey } from '../../ops/service/new-keys.ts';
import { readPeppers } from '../../ops/service/peppers.ts';
import { readSettings } from '../../platform/config/settings.ts';
import { newUuid } from '../../platform/process/ids.ts';
import { type Bench, quantile, type Run, short } from './bench.ts';
import { measureCrowd } from './crowds.ts';
import { foundGames, measure } from './freshness.ts';
import { closeConnections } from './http.ts';
import { publishGame } from './serving.ts';
import { type StartedService, startService } from './started-service.ts';

const target = { p50: 25, p99: 150 };
const rate = 5_000;
const streams = 10_000;
const streamsOfKey = 100;
const keysOfAccount = 10;
const mostMb = 400;
const givenUpMs = 15_000;

export const eventStreams: Bench = {
  letter: 'u',
  title: 'streams of events, embedded edition',
  async run(run) {
    await measureHeads(run);
    await measureIdle(run);
    closeConnections();
  },
};

async function measureIdle(run: Run): Promise<void> {
  // As behind a proxy, where only the cap on all connections applies.
  await using crowded = await startService({ SDS_PROXY_HOPS: '1' });
  await using quiet = await startService({});
  run.say('filling a game of each');
  const [base, control] = [await publishGame(crowded), await publishGame(quiet)];
  const wanted = run.toy ? 50 : streams;
  const keys = await mintKeys(crowded, Math.ceil(wanted / streamsOfKey));
  const both = [
    { url: `${base}/segments`, key: crowded.ready.api_key },
    { url: `${control}/segments`, key: quiet.ready.api_key },
  ] as const;
  const path = `${crowded.ready.api_url}/v1/events?league=MLB`;
  const crowd = { kind: 'idle', what: 'idle streams', wanted, path, keys, mostMb } as const;
  await measureCrowd(run, crowded, both, crowd);
}

/** Mints `count` API keys, each of an account of its own, in the catalog of the running service. */
async function mintKeys({ dataDir }: StartedService, count: number): Promise<string[]> {
  const settings = readSettings({ SDS_DATA_DIR: dataDir });
  const database = await openDatabase(settings, silentLog);
  try {
    const { keys } = openCatalogs(database.sql);
    const minted: string[] = [];
    let account = '';
    for (let at = 0; at < count; at += 1) {
      if (at % keysOfAccount === 0) {
        account = newUuid();
        await keys.createAccount({ id: account, name: `bench ${at}`, tier: 'PRO', entitled: true, monthlyRows: null });
      }
      const key = await mintApiKey(keys, readPeppers(dataDir), account);
      if (key.kind !== 'minted') throw new Error(`the catalog minted no key: ${key.kind}`);
      minted.push(key.plaintext);
    }
    return minted;
  } finally {
    await database.close();
  }
}

async function measureHeads(run: Run): Promise<void> {
  const seconds = run.toy ? 1 : 12;
  await using service = await startService({});
  const { pushers, ids } = await foundGames(run, service);
  const idOf = (start: string) => ids.find((id) => id.startsWith(start)) ?? '';
  /** For each game, the rows of the accepted pushes whose head has not come yet, in order. */
  const awaited = new Map(ids.map((id) => [id, [] as { rows: number; acceptedAt: number }[]]));
  const seen = new Map<string, number>();
  const ages: number[] = [];
  const settle = (id: string, now: number): void => {
    const [waiting, rows] = [awaited.get(id) ?? [], seen.get(id) ?? 0];
    // The head may come before the answer to its push.
    while (waiting[0] !== undefined && waiting[0].rows <= rows)
      ages.push(Math.max(0, now - waiting.shift()!.acceptedAt));
  };
  const stream = await openStream(service, ids, (id, rows) => {
    seen.set(id, rows);
    settle(id, performance.now());
  });
  run.say(`${short(rate)} quotes/s for ${seconds} s`);
  const accepted = await pushers.push(run.toy ? 1_000 : rate, seconds, ({ games, acceptedAt }) => {
    for (const { idStart, rows } of games) {
      const id = idOf(idStart);
      awaited.get(id)?.push({ rows, acceptedAt });
      settle(id, acceptedAt);
    }
  });
  const missing = () => [...awaited.values()].reduce((sum, waiting) => sum + waiting.length, 0);
  const pushedAt = performance.now();
  while (missing() > 0 && performance.now() - pushedAt < givenUpMs) await delay(20);
  stream.close();
  const [p50, p99] = [quantile(ages, 0.5), quantile(ages, 0.99)];
  run.figure({
    what: `push accepted → head at the client, ${short(accepted)} quotes/s: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms of ${ages.length}`,
    target: `p50 ≤ ${target.p50} ms, p99 ≤ ${target.p99} ms`,
    met: p50 <= target.p50 && p99 <= target.p99 && missing() === 0,
  });
  if (missing() > 0) run.note([`${missing()} pushes never reached the stream`]);
  // The same load as a polling reader sees it, measured as c) does.
  const polled = (await measure(service, pushers, ids, run.toy ? 1_000 : rate, seconds)).ages;
  const polledP50 = quantile(polled, 0.5);
  run.note([
    `rows by polling: p50 ${polledP50.toFixed(0)} ms, p99 ${quantile(polled, 0.99).toFixed(0)} ms; head ÷ rows, p50: ${(p50 / polledP50).toFixed(2)}`,
  ]);
}

/** Opens a stream of these games and calls back with the rows of each head. */
function openStream({ ready }: StartedService, ids: readonly string[], onHead: (id: string, rows: number) => void) {
  const url = `${ready.api_url}/v1/events?games=${ids.slice(0, 50).join()}`;
  return new Promise<{ close(): void }>((resolve, reject) => {
    let text = '';
    const asked: ClientRequest = get(
      url,
      { agent: false, headers: { authorization: `Bearer ${ready.api_key}` } },
      (reply) => {
        if (reply.statusCode !== 200) return reject(new Error(`events: ${reply.statusCode}`));
        reply.setEncoding('utf8').on('data', (chunk: string) => {
          const events = (text + chunk).split('\n\n');
          text = events.pop() ?? '';
          for (const event of events) {
            const data = /^event: head\ndata: (.*)$/m.exec(event)?.[1];
            if (data === undefined) continue;
            const head = JSON.parse(data) as { game_id: string; rows?: number };
            if (head.rows !== undefined) onHead(head.game_id, head.rows);
          }
        });
        reply.on('error', () => {});
        resolve({ close: () => asked.destroy() });
      },
    );
    asked.on('error', reject);
  });
}
