// How long a game's rows wait for a slow game in the same partition: one whose source changes a third of the prices that a partition can fold,
// and one whose log is rebuilt. The embedded edition; the neighbour's pushes come one after the other.
import { setTimeout as delay } from 'node:timers/promises';
import { topics } from '../../schemas/events/topics.ts';
import { runSds } from '../support/processes/sds.ts';
import { quantile, type Run, short } from './bench.ts';
import { floodedGames, gameOf, quotesOf } from './flood-bodies.ts';
import { publishedIds } from './freshness.ts';
import { request } from './http.ts';
import { type StartedService, startService } from './started-service.ts';
import { mint, push, type Tenant } from './tenant.ts';

/** docs/durability.md#when-a-partition-flushes */
const mostMs = 500;
const slowBodies = { everyMs: 200, quotes: 4_000 };

export async function besideSlowGame(run: Run): Promise<void> {
  await using service = await startService({});
  const [neighbour, slow] = [await mint(service, 'neighbour'), await mint(service, 'slow')];
  run.say('a slow game in the partition');
  await push(service, slow, 0, gameOf(0));
  const [slowId = ''] = await publishedIds(service);
  const game = await gameBeside(service, slowId, neighbour);
  const pushUntil = (end: Promise<unknown>) => pushesUntil(service, neighbour, game, end);
  const seconds = run.toy ? 0.5 : 10;
  const alone = await pushUntil(delay(seconds * 1_000));
  const ended = new AbortController();
  const pushing = pushUntil(delay(seconds * 1_000)).finally(() => ended.abort());
  const [bodies, beside] = await Promise.all([change(service, slow, ended.signal), pushing]);
  const rate = (slowBodies.quotes * 1_000) / slowBodies.everyMs;
  const longest = Math.max(...beside);
  run.figure({
    what: `beside a game of ${short(rate)} changed prices/s in its partition: pushes until visible p99 ${quantile(beside, 0.99).toFixed(0)} ms, alone ${quantile(alone, 0.99).toFixed(0)} ms; longest ${longest.toFixed(0)} ms of ${beside.length}`,
    target: `longest ≤ ${mostMs} ms`,
    met: longest <= mostMs,
  });
  const rows = slowBodies.quotes * bodies;
  const during = await pushUntil(rebuild(service, slowId));
  run.figure({
    what: `while the log of ${short(rows)} rows of that game is rebuilt: longest ${Math.max(...during).toFixed(0)} ms of ${during.length}`,
  });
}

/** A game of the tenant in the partition of another game. */
async function gameBeside(service: StartedService, id: string, tenant: Tenant): Promise<object> {
  const partition = await partitionOf(service, id);
  const seen = new Set(await publishedIds(service));
  for (let nth = 1; nth < floodedGames; nth += 1) {
    await push(service, tenant, nth, gameOf(nth));
    const [founded = ''] = (await publishedIds(service)).filter((each) => !seen.has(each));
    if ((await partitionOf(service, founded)) === partition) return gameOf(nth);
    seen.add(founded);
  }
  throw new Error(`none of ${floodedGames} games is in partition ${partition}`);
}

async function partitionOf({ dataDir }: StartedService, id: string): Promise<number | undefined> {
  const { code, out, err } = await runSds({ SDS_DATA_DIR: dataDir }, ['games', 'show', id, '--json']);
  if (code !== 0) throw new Error(err);
  const { partitions } = JSON.parse(out) as { partitions: { topic: string; partition: number }[] };
  return partitions.find(({ topic }) => topic === topics.quotes)?.partition;
}

/** Changes every price of the slow game, body after body at its pace; answers how many bodies. */
async function change({ ready }: StartedService, { source, key }: Tenant, ended: AbortSignal): Promise<number> {
  const url = `${ready.ingest_url}/v1/sources/${source}/quotes`;
  let bodies = 0;
  for (let next = performance.now(); !ended.aborted; next += slowBodies.everyMs) {
    const event = { kind: 'image', operator: 'SLOW', game: gameOf(0), quotes: quotesOf(slowBodies.quotes, bodies) };
    const answer = await request(url, key, { method: 'POST', body: JSON.stringify({ events: [event] }) });
    if (answer.status !== 202) throw new Error(`push: ${answer.status} ${answer.body}`);
    bodies += 1;
    await delay(Math.max(0, next + slowBodies.everyMs - performance.now()));
  }
  return bodies;
}

/** One push of the tenant after the other until each is visible; the milliseconds of each. */
async function pushesUntil(
  service: StartedService,
  tenant: Tenant,
  game: object,
  end: Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  let ended = false;
  const ending = end.finally(() => {
    ended = true;
  });
  for (let turn = 1; !ended; turn += 1) {
    times.push(await push(service, tenant, turn, game));
    await delay(10);
  }
  await ending;
  return times;
}

async function rebuild({ dataDir }: StartedService, id: string): Promise<void> {
  const { code, err } = await runSds({ SDS_DATA_DIR: dataDir }, ['log', 'rebuild', id, '--yes']);
  if (code !== 0) throw new Error(err);
}
