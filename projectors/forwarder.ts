// Tells the topics what the commits left in the outbox: publications, dead letters, and what a game's quotes are folded with — its start and
// statuses, as MSF tells them. Works beside the projectors and never in their way: an outage of the broker delays what is told and loses
// none. One forwarder works at a time; one that dies between telling and noting it tells again, in the same order (at least once).
import { type Broker, BrokerUnavailable } from '../core/ports/broker.ts';
import { CatalogUnavailable } from '../core/ports/catalog/errors.ts';
import type { OutboxCatalog } from '../core/ports/catalog/outbox.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Log } from '../core/ports/telemetry.ts';
import type { Millis } from '../core/units.ts';
import type { DeadLetterRecord } from '../schemas/events/dead-letters.ts';
import { topics } from '../schemas/events/topics.ts';

export type ForwarderTools = { broker: Pick<Broker, 'produce'>; outbox: OutboxCatalog; clock: Clock; log: Log };

const everyMs: Millis = 500;
const batch = 1_000;

/** What a letter repeats of a hostile record may be as long as the record: its texts are cut, or the topic would not take it. */
const longestText = 1_000;

/** Starts forwarding; the answer stops it. */
export function startForwarder(tools: ForwarderTools): () => Promise<void> {
  const stopped = new AbortController();
  const done = (async () => {
    while (!stopped.signal.aborted) {
      let told = 0;
      try {
        if (await tools.outbox.holdForwarder()) told = await forwardOnce(tools);
      } catch (error) {
        // Nothing that cannot be told is worth the projectors of this process: it waits, and a person hears of it.
        const outage = error instanceof BrokerUnavailable || error instanceof CatalogUnavailable;
        const reason = error instanceof Error ? error.message : String(error);
        tools.log[outage ? 'warn' : 'error']('forwarding put off', { error: reason });
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
  const quotes = await outbox.quotes(batch);
  const publications = await outbox.publications(batch);
  const deadLetters = await outbox.untoldDeadLetters(batch);
  if (quotes.length > 0)
    await broker.produce(
      topics.quotes,
      quotes.map(({ value }) => ({ key: value.game_uuid, value, headers: { source: value.source } })),
    );
  if (publications.length > 0)
    await broker.produce(
      topics.publications,
      publications.map(({ value }) => ({ key: value.game_uuid, value })),
    );
  if (deadLetters.length > 0)
    await broker.produce(
      topics.deadLetters,
      deadLetters.map((letter) => {
        const value = shortened(letter);
        return { key: value.source ?? String(value.id), value };
      }),
    );
  const outgoing = [...quotes, ...publications];
  const told = outgoing.length + deadLetters.length;
  if (told > 0)
    await outbox.told(
      outgoing.map(({ id }) => id),
      deadLetters.map(({ id }) => id),
    );
  return told;
}

function shortened(letter: DeadLetterRecord): DeadLetterRecord {
  const cut = (text: string | null) => (text === null ? null : text.slice(0, longestText));
  return {
    ...letter,
    detail: letter.detail.slice(0, longestText),
    pointer: letter.pointer.slice(0, longestText),
    source: cut(letter.source),
    game_id: cut(letter.game_id),
    receipt: cut(letter.receipt),
  };
}
