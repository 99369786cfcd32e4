// How a partition waits for a dependency that does not answer: it repeats the call after a growing pause until there is an answer or the partition
// is given up. Meanwhile it takes no records, so nothing piles up. Errors that are no outage — a defect, a fence, an altered object — are
// thrown at once.
import { firstPauseMs, longerPause } from '../../core/backoff.ts';
import { BrokerUnavailable } from '../../core/ports/broker.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { ObjectConflict, ObjectDamaged, type ObjectStore, ObjectTruncated } from '../../core/ports/object-store.ts';
import type { Log } from '../../core/ports/telemetry.ts';

/** `givenUp` ends every wait, also for a call under way; its reason is what they reject with. */
export type Patience = { clock: Clock; log: Log; givenUp?: AbortSignal };

/** Calls the catalog until it answers. */
export function untilCatalogAnswers<T>(tools: Patience, call: () => Promise<T>): Promise<T> {
  return retry(tools, 'catalog', (error) => error instanceof CatalogUnavailable, call);
}

/** Calls the broker until it answers. */
export function untilBrokerAnswers<T>(tools: Patience, call: () => Promise<T>): Promise<T> {
  return retry(tools, 'broker', (error) => error instanceof BrokerUnavailable, call);
}

/** Calls the object store until it answers. Its verdict on an object, such as other bytes or too few, is final. */
function untilStoreAnswers<T>(tools: Patience, call: () => Promise<T>): Promise<T> {
  return retry(tools, 'object store', isStoreOutage, call);
}

const finalAnswers = [ObjectConflict, ObjectDamaged, ObjectTruncated];

function isStoreOutage(error: unknown): boolean {
  return !finalAnswers.some((answer) => error instanceof answer);
}

/** `store` with puts and gets that wait until an outage is over. */
export function patientStore(tools: Patience, store: ObjectStore): Pick<ObjectStore, 'put' | 'get'> {
  return {
    put: (key, bytes) => untilStoreAnswers(tools, () => store.put(key, bytes)),
    get: (key, part) => untilStoreAnswers(tools, () => store.get(key, part)),
  };
}

/** The object store gave no answer; the same call may succeed later. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** `store` for work that can be postponed: throws StoreUnavailable at once instead of waiting. */
export function impatientStore(store: Pick<ObjectStore, 'put' | 'get'>): Pick<ObjectStore, 'put' | 'get'> {
  const asOutage = (error: unknown): never => {
    if (!isStoreOutage(error)) throw error;
    throw new StoreUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
  };
  return {
    put: (key, bytes) => store.put(key, bytes).catch(asOutage),
    get: (key, part) => store.get(key, part).catch(asOutage),
  };
}

async function retry<T>(
  tools: Patience,
  dependency: string,
  isOutage: (error: unknown) => boolean,
  call: () => Promise<T>,
): Promise<T> {
  const { givenUp } = tools;
  for (let pauseMs = firstPauseMs; ; pauseMs = longerPause(pauseMs)) {
    givenUp?.throwIfAborted();
    try {
      return await (givenUp === undefined ? call() : unlessGivenUp(givenUp, call));
    } catch (error) {
      if (givenUp?.aborted || !isOutage(error)) throw error;
      tools.log.warn('waiting for a dependency', {
        dependency,
        error: error instanceof Error ? error.message : String(error),
        pause_ms: pauseMs,
      });
      await tools.clock.sleep(pauseMs, givenUp);
    }
  }
}

/** The answer of a call that may hang for longer than anybody waits. */
async function unlessGivenUp<T>(givenUp: AbortSignal, call: () => Promise<T>): Promise<T> {
  const leave = Promise.withResolvers<never>();
  const onGivenUp = (): void => leave.reject(givenUp.reason);
  givenUp.addEventListener('abort', onGivenUp, { once: true });
  try {
    return await Promise.race([call(), leave.promise]);
  } finally {
    givenUp.removeEventListener('abort', onGivenUp);
  }
}
