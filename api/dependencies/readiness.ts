// Whether this instance can serve now, checked by reading from the catalog and the object store. All instances share both, so another
// instance could do no better: while one of them is unreachable, an instance stays ready as long as it can answer from memory.
import type { CalendarCatalog } from '../../core/ports/catalog/calendar.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { type NamedObjects, probeKey } from '../../core/ports/object-store.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { openReadiness, type Readiness } from '../../http/readiness.ts';
import { type Deadlines, type Dependency, Unavailable } from './deadlines.ts';

export type ApiReadiness = Pick<Readiness<Dependency>, 'start' | 'stop'> & {
  /** Why it cannot serve anything now; empty: it can. */
  missing(): readonly Dependency[];
};

export function openApiReadiness(options: {
  calendar: CalendarCatalog;
  objects: NamedObjects;
  deadlines: Deadlines;
  clock: Clock;
  log: Log;
  everyMs: Millis;
  /** Whether requests can be answered without the catalog. */
  answersFromMemory(): boolean;
  looked(): void;
}): ApiReadiness {
  const { calendar, objects, deadlines, clock, log, everyMs, answersFromMemory, looked } = options;
  const { missing, start, stop } = openReadiness({
    asks: {
      catalog: () => deadlines.catalog(() => calendar.calendar()).then(() => true),
      objects: () => deadlines.objects(() => objects.get(probeKey)).then(() => true),
    },
    isOutage: (error) => error instanceof Unavailable,
    patienceMs: 2_000,
    ...{ everyMs, clock, log, looked },
  });
  return {
    missing: () => (missing().includes('catalog') && !answersFromMemory() ? missing() : []),
    start,
    stop,
  };
}
