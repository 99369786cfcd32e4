// c) How old a change is when a consumer can read it: from the 202 of a push to the first 200 of the segment that has
// its rows. The embedded edition as `npm start` runs it, fifty games, at growing rates until it falls behind. The URLs
// ask for new `rows`, which no cache holds.
import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, quantile, type Run, short } from './bench.ts';
import { closeConnections, request } from './http.ts';
import { openPushers, type PushedGame, type Pushers } from './pushers.ts';
import { profiledService, type StartedService, startService } from './started-service.ts';

const target = { p50: 250, p99: 1_000 };
/** The rates that have targets; the others find the rate at which it falls behind. */
const judged = [1_000, 5_000];
const rates = [1_000, 2_500, 5_000, 10_000, 20_000, 40_000];
const probeEveryMs = 4;
/** The most probes at a time: they are load as well. */
const maxProbes = 6;
const givenUpMs = 15_000;

type Point = { rate: number; accepted: number; ages: number[] };

export const freshness: Bench = {
  letter: 'c',
  title: 'push accepted → visible through HTTP, embedded edition, 50 games',
  async run(run) {
    const seconds = run.toy ? 1 : 12;
    await using service = await startService({});
    const { pushers, ids } = await foundGames(run, service);
    for (const rate of run.toy ? rates.slice(0, 1) : rates) {
      run.say(`${short(rate)} quotes/s for ${seconds} s`);
      const point = await measure(service, pushers, ids, rate, seconds);
      const met = print(run, point);
      if (!met && !run.toy) run.note(await profiledService((own) => load(own, rate)));
      if (isBroken(point) && rate >= Math.max(...judged)) break;
    }
    closeConnections();
  },
};

/** Pushes at the rate, and every few milliseconds asks for the rows of accepted pushes. */
export async function measure(
  { ready }: StartedService,
  pushers: Pushers,
  ids: readonly string[],
  rate: number,
  seconds: number,
): Promise<Point> {
  const ages: number[] = [];
  const probes = new Set<Promise<void>>();
  let turn = 0;
  const probe = async (game: PushedGame, acceptedAt: number): Promise<void> => {
    const id = ids.find((each) => each.startsWith(game.idStart));
    if (id === undefined) throw new Error(`${game.idStart} is not published`);
    const url = `${ready.api_url}/v1/games/${id}/sportsbook-lines/segments/1?rows=${game.rows}`;
    while (performance.now() - acceptedAt < givenUpMs) {
      const { status } = await request(url, ready.api_key);
      if (status === 200) break;
      if (status !== 409) throw new Error(`${url}: ${status}`);
      await delay(probeEveryMs);
    }
    ages.push(performance.now() - acceptedAt);
  };
  const accepted = await pushers.push(rate, seconds, ({ games, acceptedAt }) => {
    turn += 1;
    const game = games[turn % games.length];
    if (game === undefined || probes.size >= maxProbes) return;
    const probing = probe(game, acceptedAt).finally(() => probes.delete(probing));
    probes.add(probing);
  });
  await Promise.all(probes);
  return { rate, accepted, ages };
}

function isBroken({ rate, accepted, ages }: Point): boolean {
  return accepted < 0.9 * rate || quantile(ages, 0.99) > target.p99;
}

/** Only pushes, for a profile. */
async function load({ ready }: StartedService, rate: number): Promise<void> {
  const pushers = openPushers(ready.ingest_url, ready.feed_key, 50);
  await pushers.push(rate, 10, () => {});
}

/** Prints the figure; answers false when it misses a target. */
function print(run: Run, point: Point): boolean {
  const [p50, p99] = [quantile(point.ages, 0.5), quantile(point.ages, 0.99)];
  const broken = isBroken(point) ? ': breaks here' : '';
  const isJudged = judged.includes(point.rate);
  const met = p50 <= target.p50 && p99 <= target.p99;
  run.figure({
    what: `${short(point.rate)} quotes/s offered, ${short(point.accepted)} accepted: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms of ${point.ages.length}${broken}`,
    ...(isJudged ? { target: `p50 ≤ ${target.p50} ms, p99 ≤ ${target.p99} ms`, met } : {}),
  });
  return met || !isJudged;
}

/** Pushes 50 games, 5 at a toy size; answers their pushers and public ids. */
export async function foundGames(run: Run, service: StartedService): Promise<{ pushers: Pushers; ids: string[] }> {
  const pushers = openPushers(service.ready.ingest_url, service.ready.feed_key, run.toy ? 5 : 50);
  run.say('founding the games');
  await pushers.push(1_000, run.toy ? 0.5 : 4, () => {});
  return { pushers, ids: await publishedIds(service) };
}

/** The public ids of the games: the catalog has them before their push is answered. */
export async function publishedIds({ ready }: StartedService): Promise<string[]> {
  const { status, body } = await request(`${ready.api_url}/v1/games?limit=200`, ready.api_key);
  if (status !== 200) throw new Error(`games: ${status} ${body}`);
  return (JSON.parse(body) as { data: { id: string }[] }).data.map((game) => game.id);
}
