// Turns the service's clock into events: one tick per second for each partition of quotes with a game that takes ticks
// (docs/quotes.md#ticks; the fold decides which games do), and one per minute for each scope of MSF that waits for time
// (docs/revisions.md#archives). One ticker works at a time. A missed tick loses nothing; it only delays what depends on time. The catalog
// stores when the newest tick was made; its age is part of health.
import { type Broker, BrokerUnavailable } from '../../core/ports/broker.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { LeasedWork, LeasesCatalog } from '../../core/ports/catalog/leases.ts';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { MsfCatalog } from '../../core/ports/catalog/msf.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { type Millis, microsPerMinute } from '../../core/units.ts';
import { topics } from '../../schemas/events/topics.ts';
import { partitionTickRecords, scopeTickRecords } from './tick-records.ts';

const everyMs: Millis = 1_000;
const releasePatienceMs: Millis = 1_000;

type TickerTools = {
  broker: Broker;
  live: Pick<LiveCatalog, 'tickingPartitions'>;
  msf: Pick<MsfCatalog, 'tickingScopes'>;
  leases: LeasesCatalog & LeasedWork;
  clock: Clock;
  log: Log;
};

/** Starts ticking; the returned function stops it. */
export function startTicker(tools: TickerTools): () => Promise<void> {
  const stopped = new AbortController();
  let tickedMinute: number | null = null;
  const tick = async (): Promise<void> => {
    if (!(await tools.leases.hold('ticker'))) return;
    await tickOnce(tools);
    await tools.leases.worked('ticker');
    const minute = Math.floor(tools.clock.now() / microsPerMinute);
    if (minute === tickedMinute) return;
    await tickScopes(tools);
    tickedMinute = minute;
  };
  const done = (async () => {
    while (!stopped.signal.aborted) {
      try {
        await tick();
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
    // The next one need not wait for the lease to run out; if the catalog is away it has to, and this stop does not wait.
    const given = tools.leases.release('ticker').catch(() => {});
    await Promise.race([given, tools.clock.sleep(releasePatienceMs)]);
  };
}

/** One tick for every partition that is due. Returns how many. */
export async function tickOnce(tools: Pick<TickerTools, 'broker' | 'live' | 'clock'>): Promise<number> {
  const partitions = await tools.live.tickingPartitions();
  if (partitions.length > 0) {
    await tools.broker.produce(topics.quotes, partitionTickRecords(partitions, tools.clock.now()));
  }
  return partitions.length;
}

/** One tick for every scope that is due. Returns how many. */
async function tickScopes(tools: Pick<TickerTools, 'broker' | 'msf' | 'clock'>): Promise<number> {
  const scopes = await tools.msf.tickingScopes();
  if (scopes.length > 0) await tools.broker.produce(topics.observations, scopeTickRecords(scopes, tools.clock.now()));
  return scopes.length;
}
