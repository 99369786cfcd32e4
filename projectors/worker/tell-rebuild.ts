// Tells how far an order to rebuild a log is carried out, every two seconds: an order that is done sooner is not told about. Waits for no answer,
// and ignores a failure.
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { RebuildsCatalog } from '../../core/ports/catalog/rebuilds.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { type Micros, microsPerSecond } from '../../core/units.ts';

const tellEvery: Micros = 2 * microsPerSecond;

type Tools = { clock: Pick<Clock, 'now'>; rebuilds?: Pick<RebuildsCatalog, 'tellProgress'> };

/** The batches of the records [from, to), of which each is folded when the next is asked for. `key`: that of the order. */
export async function* tellRebuild<Batch extends readonly Pick<DeliveredRecord, 'offset'>[]>(
  { clock, rebuilds }: Tools,
  key: string,
  { from, to }: { from: number; to: number },
  batches: AsyncIterable<Batch>,
): AsyncGenerator<Batch> {
  const began = clock.now();
  let toldAt = began;
  for await (const batch of batches) {
    yield batch;
    const [now, last] = [clock.now(), batch.at(-1)];
    if (rebuilds === undefined || last === undefined || now - toldAt < tellEvery) continue;
    toldAt = now;
    rebuilds.tellProgress({ key, read: last.offset + 1 - from, all: to - from, took: now - began }).catch(() => {});
  }
}
