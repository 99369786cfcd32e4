// A key ring over a catalog in memory, with minted keys.
import { KeyRing } from '../../../api/access/key-ring.ts';
import { defaultLimits } from '../../../api/compose/resource-limits.ts';
import { openDeadlines } from '../../../api/dependencies/deadlines.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { MovableClock, pepper } from '../http/api-http.ts';
import { FakeCatalog } from './api-fakes.ts';

/** `reals`: `count` minted keys, none of which the ring has looked up yet. */
export function openKeyRing(count: number): { ring: KeyRing; catalog: FakeCatalog; reals: string[] } {
  const [catalog, clock] = [new FakeCatalog(), new MovableClock()];
  const deadlines = openDeadlines(clock, silentLog, { catalog: 250, objects: 250 });
  const ring = new KeyRing({
    keys: catalog,
    deadlines,
    clock,
    log: silentLog,
    peppers: [pepper],
    limits: defaultLimits,
  });
  return { ring, catalog, reals: Array.from({ length: count }, () => catalog.mint(pepper)) };
}
