// The demo slate: a client of the push gateway like anyone's. Its world is a function of the seed and the hour, so that a restart, or a
// gateway that was away for a while, finds it where it is by then.
import type { Pepper } from '../../core/access/key-format.ts';
import type { KeysCatalog } from '../../core/ports/catalog/keys.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import { microsPerSecond } from '../../core/units.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { gatewayClient } from '../replay/gateway-client.ts';
import { renewFeedKey } from '../service/own-feed-key.ts';
import { directBody, heartbeatBody, pollBody } from './bodies.ts';
import { feedPushesAt, playersPushes } from './feed-pushes.ts';
import { teamsBody, teamsIn } from './rosters.ts';
import { type DemoGame, gamesAt } from './slate.ts';

export type DemoTools = {
  keys: KeysCatalog;
  peppers: readonly Pepper[];
  /** Where the demo remembers its key. */
  dataDir: string;
  url: string;
  seed: number;
  log: Log;
  clock?: Clock;
};

/** Seconds between two sightings: in play a quote is suspect after fifteen. */
const pollEvery = 5;
const imageEvery = 4;
const heartbeatEvery = 2;

/** Starts pushing; the answer stops it and gives its key back. */
export async function startDemo(tools: DemoTools): Promise<() => Promise<void>> {
  const clock = tools.clock ?? systemClock;
  const sources = ['demo-odds', 'demo-direct', 'demo-msf'] as const;
  const key = await renewFeedKey(tools.keys, tools.peppers, tools.dataDir, 'demo', sources);
  const [odds, direct, feeds] = sources.map((source) =>
    gatewayClient({ url: tools.url, key: key.plaintext, source }, clock),
  );
  /** As if it had been asked for at this moment. */
  const pushFeed = async (route: string, body: object): Promise<void> => {
    await feeds?.push(route, JSON.stringify(body), { requestStartedAt: formatMicros(clock.now()) });
  };
  const stopped = new AbortController();
  const told = new Set<string>();
  const tellRosters = async (games: readonly DemoGame[], now: number): Promise<void> => {
    const teams = teamsIn(games).filter(({ league, name }) => !told.has(`${league} ${name}`));
    if (teams.length === 0) return;
    await direct?.push('reference', JSON.stringify(teamsBody(teams)));
    for (const { route, body } of playersPushes(tools.seed, teams, now)) await pushFeed(route, body);
    for (const { league, name } of teams) told.add(`${league} ${name}`);
  };
  const done = (async () => {
    for (let round = 0; !stopped.signal.aborted; round += 1) {
      const now = Math.floor(clock.now() / microsPerSecond);
      const games = gamesAt(tools.seed, now);
      try {
        await tellRosters(games, now);
        if (round % pollEvery === 0)
          await odds?.push('the-odds-api-v4', JSON.stringify(pollBody(tools.seed, games, now)));
        if (round % imageEvery === 1) await direct?.push('quotes', JSON.stringify(directBody(tools.seed, games, now)));
        else if (round % heartbeatEvery === 1)
          await direct?.push('quotes', JSON.stringify(heartbeatBody(tools.seed, games, now)));
        for (const { route, body } of feedPushesAt(tools.seed, games, now, round)) await pushFeed(route, body);
      } catch (error) {
        tools.log.warn('the demo could not push', { error: error instanceof Error ? error.message : String(error) });
      }
      await clock.sleep(1_000 - ((clock.now() / 1_000) % 1_000), stopped.signal);
    }
  })();
  return async () => {
    stopped.abort();
    await done;
    await tools.keys.revokeFeedKey(key.id);
  };
}
