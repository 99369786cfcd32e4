// Tells the topics what the commits left in the outbox: publications and dead letters. Works beside the projectors and never in their way:
// nothing in the service reads these topics, so an outage of the broker delays them and loses none. One forwarder works at a time; one that
// dies between telling and noting it tells again (at least once).
import { type Broker, BrokerUnavailable } from '../core/ports/broker.ts';
import { CatalogUnavailable } from '../core/ports/catalog/errors.ts';
import type { OutboxCatalog } from '../core/ports/catalog/outbox.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Log } from '../core/ports/telemetry.ts';
import type { Millis } from '../core/units.ts';
import { topics } from '../schemas/events/topics.ts';

export type ForwarderTools = { broker: Pick<Broker, 'produce'>; outbox: OutboxCatalog; clock: Clock; log: Log };

const everyMs: Millis = 500;
const batch = 1_000;

/** Starts forwarding; the answer stops it. */
export function startForwarder(tools: ForwarderTools): () => Promise<void> {
  const stopped = new AbortController();
  const done = (async () => {
    while (!stopped.signal.aborted) {
      let told = 0;
      try {
        if (await tools.outbox.holdForwarder()) told = await forwardOnce(tools);
      } catch (error) {
        if (!(error instanceof BrokerUnavailable || error instanceof CatalogUnavailable)) throw error;
        tools.log.warn('forwarding put off', { error: error.message });
      }
      if (told < batch) await tools.clock.sleep(everyMs, stopped.signal);
    }
  })();
  return async () => {
    stopped.abort();
    await done;
  };
}

/** Tells the oldest batch of each kind. Returns how many there were. */
export async function forwardOnce({ broker, outbox }: Pick<ForwarderTools, 'broker' | 'outbox'>): Promise<number> {
  const publications = await outbox.publications(batch);
  const deadLetters = await outbox.untoldDeadLetters(batch);
  if (publications.length > 0)
    await broker.produce(
      topics.publications,
      publications.map(({ value }) => ({ key: value.game_uuid, value })),
    );
  if (deadLetters.length > 0)
    await broker.produce(
      topics.deadLetters,
      deadLetters.map((value) => ({ key: value.source ?? String(value.id), value })),
    );
  const told = publications.length + deadLetters.length;
  if (told > 0)
    await outbox.told(
      publications.map(({ id }) => id),
      deadLetters.map(({ id }) => id),
    );
  return told;
}
