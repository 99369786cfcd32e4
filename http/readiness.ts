// Whether a listener can do its work now. Its dependencies are checked repeatedly in the background, and probes are answered from memory.
// So no probe waits for a dependency that hangs, and the number of probes does not change how often dependencies are checked.
import type { Clock } from '../core/ports/clock.ts';
import type { Log } from '../core/ports/telemetry.ts';
import type { Millis } from '../core/units.ts';

export type Readiness<Dependency extends string> = {
  /** The dependencies that were unreachable at the last check. */
  missing(): readonly Dependency[];
  /** Checks once, and then repeatedly until it is stopped. */
  start(): Promise<void>;
  stop(): void;
};

type ReadinessNeeds<Dependency extends string> = {
  /** Checks each dependency; false or a rejection if it is unreachable. */
  asks: Readonly<Record<Dependency, () => Promise<boolean>>>;
  /** Whether a rejection means that a dependency is unreachable. Any other is logged as a bug. */
  isOutage(error: unknown): boolean;
  everyMs: Millis;
  /** How long a check waits for an answer. */
  patienceMs: Millis;
  /** Called after a check whose result differs from the previous one. */
  changed?(missing: readonly Dependency[]): void;
  /** Called after each check. */
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
      if (!isOutage(error)) log.error('readiness cannot be determined', { dependency, error: String(error) });
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
