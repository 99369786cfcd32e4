// The service's own clock as events: one tick a second to each game with an open offer whose newest record was receive-timed
// (quotes.md, Folding 11). One ticker works at a time; a missed second is no loss, only a later look at staleness.
import { type Broker, BrokerUnavailable } from '../core/ports/broker.ts';
import { CatalogUnavailable } from '../core/ports/catalog/errors.ts';
import type { LiveCatalog } from '../core/ports/catalog/live.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Log } from '../core/ports/telemetry.ts';
import { topics } from '../schemas/events/topics.ts';
import { tickRecords } from './tick-records.ts';

const everyMs = 1_000;

export type TickerTools = {
  broker: Broker;
  live: Pick<LiveCatalog, 'tickingGames' | 'holdTicker'>;
  clock: Clock;
  log: Log;
};

/** Starts ticking; the answer stops it. */
export function startTicker(tools: TickerTools): () => Promise<void> {
  const stopped = new AbortController();
  const done = (async () => {
    while (!stopped.signal.aborted) {
      try {
        if (await tools.live.holdTicker()) await tickOnce(tools);
      } catch (error) {
        if (!(error instanceof BrokerUnavailable || error instanceof CatalogUnavailable)) throw error;
        tools.log.warn('a tick was missed', { error: error.message });
      }
      await tools.clock.sleep(everyMs - ((tools.clock.now() / 1_000) % everyMs), stopped.signal);
    }
  })();
  return async () => {
    stopped.abort();
    await done;
  };
}

/** One tick to every game that is due. */
export async function tickOnce(tools: Pick<TickerTools, 'broker' | 'live' | 'clock'>): Promise<number> {
  const games = await tools.live.tickingGames();
  if (games.length > 0) await tools.broker.produce(topics.quotes, tickRecords(games, tools.clock.now()));
  return games.length;
}
