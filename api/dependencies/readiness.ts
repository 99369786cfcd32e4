// Whether this instance can serve now: each answer comes from a call to the catalog and one to the object store. One attempt runs at a time,
// however many clients ask, and its result is reused for a moment, so that health checks put no load on either.
import type { CalendarCatalog } from '../../core/ports/catalog/calendar.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { type NamedObjects, probeKey } from '../../core/ports/object-store.ts';
import { type Micros, type Millis, microsPerSecond } from '../../core/units.ts';
import { type Deadlines, type Dependency, Unavailable } from './deadlines.ts';

export type Readiness = {
  /** The dependencies that cannot be reached now. */
  missing(): Promise<readonly Dependency[]>;
};

const deadlineMs: Millis = 2_000;
const holdsFor: Micros = microsPerSecond;

export function openReadiness(options: {
  calendar: CalendarCatalog;
  objects: NamedObjects;
  deadlines: Deadlines;
  clock: Clock;
}): Readiness {
  const { calendar, objects, deadlines, clock } = options;
  let known: { missing: readonly Dependency[]; askedAt: Micros } | null = null;
  let asking: Promise<readonly Dependency[]> | null = null;

  async function isReached(call: () => Promise<unknown>): Promise<boolean> {
    const over = new AbortController();
    try {
      return await Promise.race([call().then(() => true), clock.sleep(deadlineMs, over.signal).then(() => false)]);
    } catch (error) {
      if (error instanceof Unavailable) return false;
      throw error;
    } finally {
      over.abort();
    }
  }

  async function ask(): Promise<readonly Dependency[]> {
    const askedAt = clock.now();
    const [catalog, files] = await Promise.all([
      isReached(() => deadlines.catalog(() => calendar.calendar())),
      isReached(() => deadlines.objects(() => objects.get(probeKey))),
    ]);
    const missing: Dependency[] = [
      ...(catalog ? [] : (['catalog'] as const)),
      ...(files ? [] : (['objects'] as const)),
    ];
    known = { missing, askedAt };
    return missing;
  }

  return {
    async missing() {
      const age = known === null ? holdsFor : clock.now() - known.askedAt;
      if (known !== null && age >= 0 && age < holdsFor) return known.missing;
      asking ??= ask().finally(() => {
        asking = null;
      });
      return asking;
    },
  };
}
