// Whether the service has recovered for its users: a new push of each game is readable through both APIs, and each NBA
// game has a newer revision.
import { setTimeout as delay } from 'node:timers/promises';
import type { GameDocument } from '../../../schemas/http/games.ts';
import { type Pushing, pushToEither } from './drill-load.ts';

export type FreshPushes = {
  /** Pushes each game anew; answers the milliseconds until all of it was readable, or null if `withinMs` passed. */
  readable(withinMs: number): Promise<number | null>;
  /** What was not readable the last time. */
  missing: readonly string[];
  acknowledged: { receipt: string; accepted: number }[];
};

type Listed = Pick<GameDocument, 'id' | 'league' | 'home_team' | 'away_team' | 'scheduled_start'>;

type Options = { apis: readonly string[]; apiKey: string; pushing: Pushing; nbaGames: readonly string[] };

const operator = 'DRILL';

export function openFreshPushes({ apis, apiKey, pushing, nbaGames }: Options): FreshPushes {
  let number = 0;
  let games: readonly Listed[] = [];

  async function get<T>(api: string, path: string): Promise<T | null> {
    const headers = { authorization: `Bearer ${apiKey}` };
    const response = await fetch(api + path, { headers, signal: AbortSignal.timeout(2_000) }).catch(() => null);
    if (response?.status === 200) return (await response.json().catch(() => null)) as T | null;
    await response?.arrayBuffer().catch(() => {});
    return null;
  }

  async function priceIn(api: string, id: string): Promise<number | null> {
    type Odds = { selections: { operators: { price_american: number }[] }[] };
    const odds = await get<Odds>(api, `/v1/games/${id}/odds?operators=${operator}`);
    return odds?.selections[0]?.operators[0]?.price_american ?? null;
  }

  async function revisionIn(api: string, id: string): Promise<string | null> {
    const head = await get<{ stream_epoch: string; revision: number }>(api, `/v1/games/${id}/plays/snapshot`);
    return head === null ? null : `${head.stream_epoch} ${head.revision}`;
  }

  async function listed(): Promise<readonly Listed[]> {
    for (const api of apis) {
      const found = await get<{ data: Listed[] }>(api, '/v1/games?league=MLB&limit=100');
      if (found !== null) return found.data;
    }
    return [];
  }

  const fresh: FreshPushes = {
    missing: [],
    acknowledged: [],
    async readable(withinMs) {
      const startedAt = performance.now();
      const over = AbortSignal.timeout(withinMs);
      while (games.length === 0 && !over.aborted) games = await listed();
      number += 1;
      const price = 100 + number;
      const events = games.map(({ league, home_team, away_team, scheduled_start }) => ({
        kind: 'image',
        operator,
        game: {
          league,
          event_id: `${away_team}-${home_team}-${scheduled_start}`,
          home_team,
          away_team,
          commence_time: scheduled_start,
        },
        quotes: [{ market: 'moneyline', selection: 'home', price: { american: price } }],
      }));
      const pushed = await pushToEither(pushing, { path: 'drill/quotes', body: JSON.stringify({ events }) }, over);
      if (pushed !== null) fresh.acknowledged.push(pushed);
      const waiting = new Map<string, () => Promise<boolean>>();
      for (const [index, api] of apis.entries()) {
        for (const { id } of games)
          waiting.set(`${id} in API ${index + 1}`, async () => (await priceIn(api, id)) === price);
        for (const id of nbaGames) {
          let first: string | null = null;
          waiting.set(`plays of ${id} in API ${index + 1}`, async () => {
            const revision = await revisionIn(api, id);
            first ??= revision;
            return revision !== null && revision !== first;
          });
        }
      }
      while (waiting.size > 0 && !over.aborted) {
        await Promise.all(
          [...waiting].map(async ([name, isReadable]) => {
            if (await isReadable()) waiting.delete(name);
          }),
        );
        await delay(200);
      }
      fresh.missing = pushed === null ? ['no gateway took the push'] : [...waiting.keys()];
      return fresh.missing.length > 0 ? null : performance.now() - startedAt;
    },
  };
  return fresh;
}
