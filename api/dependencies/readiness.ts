// Whether this instance can serve now: whether the catalog and the object store answer, each asked by a read of its own.
import type { CalendarCatalog } from '../../core/ports/catalog/calendar.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { type NamedObjects, probeKey } from '../../core/ports/object-store.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { openReadiness, type Readiness } from '../../http/readiness.ts';
import { type Deadlines, type Dependency, Unavailable } from './deadlines.ts';

export type ApiReadiness = Readiness<Dependency>;

export function openApiReadiness(options: {
  calendar: CalendarCatalog;
  objects: NamedObjects;
  deadlines: Deadlines;
  clock: Clock;
  log: Log;
  everyMs: Millis;
}): ApiReadiness {
  const { calendar, objects, deadlines, clock, log, everyMs } = options;
  return openReadiness({
    asks: {
      catalog: () => deadlines.catalog(() => calendar.calendar()).then(() => true),
      objects: () => deadlines.objects(() => objects.get(probeKey)).then(() => true),
    },
    isOutage: (error) => error instanceof Unavailable,
    patienceMs: 2_000,
    ...{ everyMs, clock, log },
  });
}
