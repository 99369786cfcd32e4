// Keeps the time of the games that the poller follows (docs/quotes.md#ticks). Game lines carry their source's own times, and ticks of a
// partition do not reach a game whose newest observation does; the poller is the source, so it says what time it is. It does so only in games
// that it follows now: the time of a recording is that of its records.
import { msfSource } from '../../core/msf/ids.ts';
import type { Polling } from '../../core/msf/polling/polling.ts';
import { type Broker, BrokerUnavailable } from '../../core/ports/broker.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { topics } from '../../schemas/events/topics.ts';
import { tickRecords } from '../ticker/tick-records.ts';

export type TimeKeeping = {
  live: Pick<LiveCatalog, 'gamesWithoutTicks'>;
  broker: Pick<Broker, 'produce'>;
  clock: Clock;
  log: Log;
};

const everyMs: Millis = 60_000;

/** Ticks once a minute until `stopped`. A missed tick only delays what depends on time. */
export async function keepTime(
  tools: TimeKeeping,
  polling: Pick<Polling, 'eventsFollowed'>,
  stopped: AbortSignal,
): Promise<void> {
  while (!stopped.aborted) {
    try {
      await tickFollowed(tools, polling);
    } catch (error) {
      if (!(error instanceof BrokerUnavailable || error instanceof CatalogUnavailable)) throw error;
      tools.log.warn('a tick of polled games was missed', { error: error.message });
    }
    await tools.clock.sleep(everyMs, stopped);
  }
}

async function tickFollowed(
  { live, broker, clock }: TimeKeeping,
  polling: Pick<Polling, 'eventsFollowed'>,
): Promise<void> {
  const events = polling.eventsFollowed(clock.now());
  if (events.length === 0) return;
  const games = await live.gamesWithoutTicks(msfSource, events);
  if (games.length > 0) await broker.produce(topics.quotes, tickRecords(games, clock.now()));
}
