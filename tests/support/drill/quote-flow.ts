// A steady flow of quotes, and a reader that measures for each push how long after the acknowledgement it is readable.
// The reader asks both APIs in turns, so it uses the other one when one does not answer.
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../../bench/bench.ts';
import type { Scene } from './drill-fault.ts';
import { pushToEither } from './drill-load.ts';

export type QuoteFlow = {
  /**
   * Waits until everything is readable, then stops. Answers the p99 of the milliseconds until then; null if something
   * was not readable within `withinMs`.
   */
  conclude(withinMs: number): Promise<number | null>;
};

const pairs = [
  ['ARI', 'ATL'],
  ['BAL', 'BOS'],
  ['CHC', 'CIN'],
  ['CLE', 'COL'],
] as const;
const operator = 'FLOW';
const quotesOfGame = 25;
/** Gives a thousand quotes a second. */
const pushEveryMs = 100;
const askEveryMs = 50;
const startsInMs = 5 * 3_600_000;
/** What an API may answer besides 200: it is about to stop, or cannot tell yet. */
const allowed = [429, 503];

export async function startQuoteFlow({ fleet, pushing, apiKey, load }: Scene): Promise<QuoteFlow> {
  const apis = fleet.urls('api');
  const commenceTime = new Date(Date.now() + startsInMs).toISOString();
  const given = new AbortController();
  const ended = new AbortController();
  const waiting: { price: number; acknowledgedAt: number }[] = [];
  const times: number[] = [];
  const prices = new Map<string, number>();
  let pushes = 0;
  let asked = 0;

  async function push(): Promise<void> {
    pushes += 1;
    const price = 100 + pushes;
    const body = JSON.stringify({ events: pairs.map((teams) => imageOf(teams, commenceTime, price)) });
    const failed = (status: number, text: string): void => {
      if (status >= 400 && status < 500 && status !== 429) load.surprises.push(`flow: ${status} ${text}`);
    };
    const acknowledged = await pushToEither(pushing, { path: 'flow/quotes', body }, ended.signal, failed);
    if (acknowledged === null) return;
    load.acknowledged.push(acknowledged);
    waiting.push({ price, acknowledgedAt: performance.now() });
    for (const { game_id } of acknowledged.games ?? []) if (!prices.has(game_id)) prices.set(game_id, 0);
  }

  async function priceOf(game: string): Promise<number | null> {
    asked += 1;
    const url = `${apis[asked % apis.length]}/v1/games/${game}/odds?operators=${operator}`;
    const headers = { authorization: `Bearer ${apiKey}` };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(2_000) }).catch(() => null);
    const text = await response?.text().catch(() => null);
    if (response == null || text == null || allowed.includes(response.status)) return null;
    // The game is not readable at all yet.
    if (response.status === 404) return null;
    if (response.status !== 200) load.surprises.push(`flow: ${url} answered ${response.status} ${text}`);
    type Odds = { selections?: { operators: { price_american: number }[] }[] };
    return (JSON.parse(text) as Odds).selections?.[0]?.operators[0]?.price_american ?? null;
  }

  async function reading(): Promise<void> {
    while (!ended.signal.aborted) {
      const games = [...prices.keys()];
      const answers = await Promise.all(games.map(async (game) => [game, await priceOf(game)] as const));
      for (const [game, price] of answers) prices.set(game, Math.max(prices.get(game) ?? 0, price ?? 0));
      const readable = Math.min(...prices.values());
      const now = performance.now();
      for (const pushed of waiting.splice(0)) {
        if (pushed.price <= readable) times.push(now - pushed.acknowledgedAt);
        else waiting.push(pushed);
      }
      await delay(askEveryMs);
    }
  }

  async function flowing(): Promise<void> {
    const underWay: Promise<void>[] = [];
    while (!given.signal.aborted) {
      underWay.push(push());
      await delay(pushEveryMs, undefined, { signal: given.signal }).catch(() => {});
    }
    await Promise.all(underWay);
  }

  await push();
  const [pushed, read] = [flowing(), reading()];
  return {
    async conclude(withinMs) {
      given.abort();
      const over = AbortSignal.timeout(withinMs);
      await pushed;
      // Several pushes may share the newest time of the log; this one is newer than all.
      await push();
      while (waiting.length > 0 && !over.aborted) await delay(askEveryMs);
      ended.abort();
      await read;
      return waiting.length > 0 ? null : quantile(times, 0.99);
    },
  };
}

function imageOf([away, home]: readonly [string, string], commenceTime: string, price: number): object {
  return {
    kind: 'image',
    operator,
    game: {
      league: 'MLB',
      event_id: `flow-${away}-${home}`,
      away_team: away,
      home_team: home,
      commence_time: commenceTime,
    },
    quotes: Array.from({ length: quotesOfGame }, (_, at) => ({
      market: 'player_hits',
      selection: 'over',
      player: `Player ${at}`,
      line: 0.5,
      price: { american: price },
    })),
  };
}
