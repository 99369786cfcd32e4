// Whether this instance can serve now: the catalog and the object store are asked once a second, in the background, and probes are answered
// from memory. So no probe waits for a dependency that hangs, and however many probes come, neither is asked more often.
import type { CalendarCatalog } from '../../core/ports/catalog/calendar.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { type NamedObjects, probeKey } from '../../core/ports/object-store.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { type Deadlines, type Dependency, messageOf, Unavailable } from './deadlines.ts';

export type Readiness = {
  /** The dependencies that could not be reached at the last look. */
  missing(): readonly Dependency[];
  /** Looks once, and goes on looking until it is stopped. */
  start(): Promise<void>;
  stop(): void;
};

const patienceMs: Millis = 2_000;

export function openReadiness(options: {
  calendar: CalendarCatalog;
  objects: NamedObjects;
  deadlines: Deadlines;
  clock: Clock;
  log: Log;
  everyMs: Millis;
}): Readiness {
  const { calendar, objects, deadlines, clock, log, everyMs } = options;
  const stopped = new AbortController();
  let missing: readonly Dependency[] = [];

  async function isReached(dependency: Dependency, ask: () => Promise<unknown>): Promise<boolean> {
    const over = new AbortController();
    try {
      return await Promise.race([ask().then(() => true), clock.sleep(patienceMs, over.signal).then(() => false)]);
    } catch (error) {
      if (!(error instanceof Unavailable))
        log.error('readiness cannot be told', { dependency, error: messageOf(error) });
      return false;
    } finally {
      over.abort();
    }
  }

  async function look(): Promise<void> {
    const [catalog, files] = await Promise.all([
      isReached('catalog', () => deadlines.catalog(() => calendar.calendar())),
      isReached('objects', () => deadlines.objects(() => objects.get(probeKey))),
    ]);
    missing = [...(catalog ? [] : (['catalog'] as const)), ...(files ? [] : (['objects'] as const))];
  }

  async function keepLooking(): Promise<void> {
    for (;;) {
      await clock.sleep(everyMs, stopped.signal);
      if (stopped.signal.aborted) return;
      await look();
    }
  }

  return {
    missing: () => missing,
    async start() {
      await look();
      void keepLooking();
    },
    stop: () => stopped.abort(),
  };
}
