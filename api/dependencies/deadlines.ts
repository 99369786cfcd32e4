// Calls to dependencies, each with a deadline, and how the last call of each kind ended. A dependency that fails or is too slow becomes
// `Unavailable`, which is answered with 503; any other error is a bug.
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';

export type Dependency = 'catalog' | 'objects';

/** A dependency cannot answer now. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  readonly dependency: Dependency;
  constructor(dependency: Dependency, cause?: unknown) {
    super(`${dependency} unavailable`, { cause });
    this.dependency = dependency;
  }
}

/** Makes calls, each within the deadline of its dependency. @throws Unavailable */
export type Deadlines = {
  catalog<T>(call: () => Promise<T>): Promise<T>;
  objects<T>(call: () => Promise<T>): Promise<T>;
  /** The dependencies whose last call failed. */
  degraded(): Dependency[];
};

const late = Symbol('late');

export function openDeadlines(clock: Clock, log: Log, longest: Readonly<Record<Dependency, Millis>>): Deadlines {
  const failing = new Set<Dependency>();

  async function call<T>(dependency: Dependency, work: () => Promise<T>): Promise<T> {
    const over = new AbortController();
    try {
      const answer = await Promise.race([work(), clock.sleep(longest[dependency], over.signal).then(() => late)]);
      if (answer === late) throw new Unavailable(dependency, 'deadline');
      if (failing.delete(dependency)) log.info('dependency is back', { dependency });
      return answer as T;
    } catch (error) {
      // The catalog's driver distinguishes bugs from outages; errors of the object store are always outages.
      if (dependency === 'catalog' && !(error instanceof CatalogUnavailable) && !(error instanceof Unavailable)) {
        throw error;
      }
      if (!failing.has(dependency)) {
        failing.add(dependency);
        log.warn('dependency is unavailable', { dependency, error: messageOf(error) });
      }
      throw error instanceof Unavailable ? error : new Unavailable(dependency, error);
    } finally {
      over.abort();
    }
  }

  return {
    catalog: (work) => call('catalog', work),
    objects: (work) => call('objects', work),
    degraded: () => [...failing].sort(),
  };
}

/** The message of an error, for the log. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
