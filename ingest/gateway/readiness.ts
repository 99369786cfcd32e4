// Whether pushes can be taken now: the catalog and the log are asked now and then, in the background, and probes are answered from memory. So
// none waits for what hangs, and a flood of probes asks nothing of either.
import type { Broker } from '../../core/ports/broker.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';

/** What no push can do without. */
export type Dependency = 'catalog' | 'log';

export type Readiness = {
  /** What could not be reached at the last look, by name. */
  missing(): readonly Dependency[];
  /** Looks once, and goes on looking until it is stopped. */
  start(): Promise<void>;
  stop(): void;
};

export const usualLookMs: Millis = 1_000;
const patienceMs: Millis = 1_000;

type Asked = { broker: Pick<Broker, 'healthy'>; live: Pick<LiveCatalog, 'now'>; clock: Clock; log: Log };

export function openReadiness({ broker, live, clock, log }: Asked, everyMs: Millis = usualLookMs): Readiness {
  const stopped = new AbortController();
  let missing: readonly Dependency[] = [];

  async function answers(dependency: Dependency, ask: () => Promise<boolean>): Promise<boolean> {
    const over = new AbortController();
    try {
      return await Promise.race([ask(), clock.sleep(patienceMs, over.signal).then(() => false)]);
    } catch (error) {
      if (!(error instanceof CatalogUnavailable))
        log.error('readiness cannot be told', { dependency, error: String(error) });
      return false;
    } finally {
      over.abort();
    }
  }

  async function look(): Promise<void> {
    const [catalog, appends] = await Promise.all([
      answers('catalog', () => live.now().then(() => true)),
      answers('log', () => broker.healthy()),
    ]);
    if (stopped.signal.aborted) return;
    const before = missing;
    missing = [...(catalog ? [] : (['catalog'] as const)), ...(appends ? [] : (['log'] as const))];
    if (missing.join() === before.join()) return;
    if (missing.length === 0) log.info('pushes can be taken again', {});
    else log.warn('no push can be taken', { missing: missing.join(' ') });
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
