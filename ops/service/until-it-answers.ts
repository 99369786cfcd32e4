// Waits, at the start, for the services it depends on: retries for as long as they do not answer.
import { firstPauseMs, longerPause } from '../../core/backoff.ts';
import { BrokerUnavailable } from '../../core/ports/broker.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { sleep } from '../../platform/process/clock.ts';

/** Repeats the call while the catalog or the broker is unavailable. */
export async function untilItAnswers<T>(log: Log, call: () => Promise<T>): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = longerPause(pauseMs)) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof CatalogUnavailable || error instanceof BrokerUnavailable)) throw error;
      const dependency = error instanceof CatalogUnavailable ? 'catalog' : 'broker';
      log.warn('waiting for a dependency', { dependency, error: error.message, pause_ms: pauseMs });
      await sleep(pauseMs);
    }
  }
}
