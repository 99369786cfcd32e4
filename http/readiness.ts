// Whether a listener can do its work now: what it depends on is asked again and again in the background, and probes are answered from memory.
// So no probe waits for a dependency that hangs, and however many probes come, no dependency is asked more often.
import type { Clock } from '../core/ports/clock.ts';
import type { Log } from '../core/ports/telemetry.ts';
import type { Millis } from '../core/units.ts';

export type Readiness<Dependency extends string> = {
  /** The dependencies that could not be reached at the last look. */
  missing(): readonly Dependency[];
  /** Looks once, and goes on looking until it is stopped. */
  start(): Promise<void>;
  stop(): void;
};

type ReadinessNeeds<Dependency extends string> = {
  /** Asks each dependency; false, or a rejection, where it cannot be reached. */
  asks: Readonly<Record<Dependency, () => Promise<boolean>>>;
  /** Whether a rejection says that a dependency cannot be reached. Any other is logged as a defect. */
  isOutage(error: unknown): boolean;
  everyMs: Millis;
  /** How long a look waits for an answer. */
  patienceMs: Millis;
  /** Called after a look that found other dependencies missing than the one before. */
  changed?(missing: readonly Dependency[]): void;
  /** Called after each look. */
  looked?(): void;
  clock: Pick<Clock, 'sleep'>;
  log: Pick<Log, 'error'>;
};

export function openReadiness<Dependency extends string>(needs: ReadinessNeeds<Dependency>): Readiness<Dependency> {
  const { asks, isOutage, everyMs, patienceMs, changed, looked, clock, log } = needs;
  const dependencies = Object.keys(asks) as Dependency[];
  const stopped = new AbortController();
  let missing: readonly Dependency[] = [];

  async function isReached(dependency: Dependency): Promise<boolean> {
    const over = new AbortController();
    try {
      return await Promise.race([asks[dependency](), clock.sleep(patienceMs, over.signal).then(() => false)]);
    } catch (error) {
      if (!isOutage(error)) log.error('readiness cannot be told', { dependency, error: String(error) });
      return false;
    } finally {
      over.abort();
    }
  }

  async function look(): Promise<void> {
    const reached = await Promise.all(dependencies.map(isReached));
    if (stopped.signal.aborted) return;
    const before = missing;
    missing = dependencies.filter((_, at) => !reached[at]);
    if (missing.join() !== before.join()) changed?.(missing);
    looked?.();
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
