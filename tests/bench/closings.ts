// g) What settlement costs live readers: how old a change is when it can be read, while 1,000 games close within a
// minute and are settled; the baseline is the same load without closings. Runs the embedded edition as `npm start`
// does.
import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, quantile, short } from './bench.ts';
import { measure, publishedIds } from './freshness.ts';
import { closeConnections, request } from './http.ts';
import { openPushers } from './pushers.ts';
import { type StartedService, startService } from './started-service.ts';

const rate = 1_000;
const targetRatio = 2;
const dayMs = 86_400_000;
const firstStart = Date.UTC(2019, 8, 1, 17);
/** The games that close in one second. They belong to one source, so one call of its ticks closes them all. */
const gamesOfSource = 17;

export const closings: Bench = {
  letter: 'g',
  title: '1,000 games closing in one minute beside live pushes, embedded edition',
  async run(run) {
    const seconds = run.toy ? 2 : 60;
    await using service = await startService({});
    const pushers = openPushers(service.ready.ingest_url, service.ready.feed_key, run.toy ? 5 : 50);
    run.say('founding the live games');
    await pushers.push(rate, run.toy ? 0.5 : 4, () => {});
    const ids = await publishedIds(service);
    run.say(`bringing ${seconds * gamesOfSource} games to their end`);
    for (let source = 0; source < seconds; source += 1) await bringToEnd(service, source);
    run.say('live pushes alone');
    const alone = await measure(service, pushers, ids, rate, seconds);
    run.say('live pushes while games close');
    const closing = closeAll(service, seconds);
    const beside = await measure(service, pushers, ids, rate, seconds);
    await closing;
    const settled = await settledGames(service, seconds);
    const [before, after] = [alone, beside].map(({ ages }) => quantile(ages, 0.99)) as [number, number];
    run.figure({
      what: `${short(settled)} games settled beside ${short(rate)} quotes/s: p99 ${after.toFixed(0)} ms, alone ${before.toFixed(0)} ms: ${(after / before).toFixed(2)}×`,
      target: `< ${targetRatio}×`,
      met: after < targetRatio * before,
    });
    closeConnections();
  },
};

/**
 * Pushes quotes, a score and the status COMPLETED for each game of the source, all in the past. Only a tick is missing
 * for the games to close.
 */
async function bringToEnd({ ready }: StartedService, source: number): Promise<void> {
  const games = Array.from(
    { length: gamesOfSource },
    (_, index) => firstStart + (source * gamesOfSource + index) * dayMs,
  );
  const quote = (selection: string, american: number) => ({ market: 'moneyline', selection, price: { american } });
  const events = games.map((start) => ({
    kind: 'image',
    operator: 'BENCH',
    game: {
      league: 'NFL',
      event_id: `e${start}`,
      home_team: 'Kansas City Chiefs',
      away_team: 'Baltimore Ravens',
      commence_time: iso(start),
    },
    quotes: [quote('home', -145), quote('away', 125)],
  }));
  const last = games.at(-1) ?? 0;
  await post(ready, `closing-${source}/quotes`, { events }, iso(last + dayMs / 8));
  const schedule = (start: number) => ({
    id: start / 1_000,
    startTime: iso(start),
    awayTeam: { id: 56, abbreviation: 'BAL' },
    homeTeam: { id: 73, abbreviation: 'KC' },
    scheduleStatus: 'NORMAL',
    playedStatus: 'COMPLETED',
  });
  const body = {
    lastUpdatedOn: iso(last + dayMs / 6),
    games: games.map((start) => ({
      schedule: schedule(start),
      score: { awayScoreTotal: 20, homeScoreTotal: 27, quarters: [] },
    })),
  };
  await post(ready, 'msf/msf/NFL/2019-regular/games', body, iso(last + dayMs / 6));
}

/** Each second, ticks the clock of one more source past the end of its games. */
async function closeAll({ ready }: StartedService, seconds: number): Promise<void> {
  const startedAt = performance.now();
  for (let source = 0; source < seconds; source += 1) {
    await delay(Math.max(0, startedAt + source * 1_000 - performance.now()));
    const last = firstStart + ((source + 1) * gamesOfSource - 1) * dayMs;
    await post(ready, `closing-${source}/ticks`, { at: iso(last + dayMs / 4) }, null);
  }
}

/** How many of the games have their final lines. Waits until all have, for half a minute at most. */
async function settledGames({ ready }: StartedService, seconds: number): Promise<number> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    let settled = 0;
    for (let game = 0; game < seconds * gamesOfSource; game += 1) {
      const day = iso(firstStart + game * dayMs)
        .slice(0, 10)
        .replaceAll('-', '');
      const url = `${ready.api_url}/v1/games/NFL_BAL_KC_${day}/sportsbook-lines`;
      if ((await request(url, ready.api_key, { method: 'HEAD' })).status === 200) settled += 1;
    }
    if (settled === seconds * gamesOfSource || performance.now() > deadline) return settled;
    await delay(500);
  }
}

async function post(ready: StartedService['ready'], path: string, body: object, at: string | null): Promise<void> {
  const headers = { authorization: `Bearer ${ready.feed_key}`, 'content-type': 'application/json' };
  const response = await fetch(`${ready.ingest_url}/v1/sources/${path}`, {
    method: 'POST',
    headers: at === null ? headers : { ...headers, 'x-observed-at': at },
    body: JSON.stringify(body),
  });
  if (response.status !== 202) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
