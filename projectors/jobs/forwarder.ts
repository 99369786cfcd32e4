// Publishes what commits left in the outbox to the topics: publications, dead letters, and the facts that the quotes' fold needs of a game, which
// are its start and its statuses from MSF and the administrator; the administrator's statuses also go to the fold of MSF's observations. Runs beside
// the projectors without holding them up: an outage of the broker delays records and loses none. One forwarder works at a time. If it dies between
// appending and noting it, the next one appends again, in the same order (at least once).
import { type Appender, BrokerUnavailable, type OutgoingRecord } from '../../core/ports/broker.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { LeasesCatalog } from '../../core/ports/catalog/leases.ts';
import type { OutboxCatalog } from '../../core/ports/catalog/outbox.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import type { DeadLetterRecord } from '../../schemas/events/dead-letters.ts';
import { topics } from '../../schemas/events/topics.ts';

type ForwarderTools = {
  broker: Appender;
  outbox: OutboxCatalog;
  leases: LeasesCatalog;
  clock: Clock;
  log: Log;
};

const everyMs: Millis = 500;
/** Per kind. More would block the event loop for longer than a flush takes. */
const batch = 500;
const rests = 7;
const releasePatienceMs: Millis = 1_000;

/** A dead letter may repeat texts of a hostile record that are as long as the record: they are cut, or the topic would refuse it. */
const longestText = 1_000;

/** Starts forwarding; the answer stops it. */
export function startForwarder(tools: ForwarderTools): () => Promise<void> {
  const stopped = new AbortController();
  const done = (async () => {
    while (!stopped.signal.aborted) {
      let published = 0;
      const began = tools.clock.now();
      try {
        if (await tools.leases.hold('forwarder')) published = await forwardOnce(tools);
      } catch (error) {
        // A record that cannot be published must not stop the projectors of this process: it waits, and the log reports it.
        const outage = error instanceof BrokerUnavailable || error instanceof CatalogUnavailable;
        const reason = error instanceof Error ? error.message : String(error);
        tools.log[outage ? 'warn' : 'error']('forwarding put off', { error: reason });
      }
      // A backlog takes an eighth of the forwarder's time: the projectors of its process and the database have the rest.
      const took = (tools.clock.now() - began) / 1_000;
      await tools.clock.sleep(published < batch ? everyMs : Math.min(rests * took, everyMs), stopped.signal);
    }
  })();
  return async () => {
    stopped.abort();
    await done;
    // The next one need not wait for the lease to run out; if the catalog is away it has to, and this stop does not wait.
    const given = tools.leases.release('forwarder').catch(() => {});
    await Promise.race([given, tools.clock.sleep(releasePatienceMs)]);
  };
}

/**
 * Publishes the oldest batch of each kind. Notes what a topic has taken before it tries the next topic, so that a failing topic causes no repeats in
 * the others. Returns the number of records published. @throws The first failure, after all kinds were tried.
 */
export async function forwardOnce({
  broker,
  outbox,
  leases,
}: Pick<ForwarderTools, 'broker' | 'outbox' | 'leases'>): Promise<number> {
  const failures: unknown[] = [];
  let published = 0;
  for (const kind of kindsOf(outbox)) {
    try {
      const outgoing = await kind.oldest();
      if (outgoing.length === 0) continue;
      // The last thing before the append: what is appended later than the next forwarder's would replace what is newer.
      if (!(await leases.hold('forwarder'))) break;
      await broker.produce(
        kind.topic,
        outgoing.map(({ record }) => record),
      );
      await kind.published(outgoing.map(({ id }) => id));
      published += outgoing.length;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return published;
}

type Kind = {
  topic: string;
  oldest(): Promise<readonly { id: number; record: OutgoingRecord }[]>;
  published(ids: readonly number[]): Promise<void>;
};

function kindsOf(outbox: OutboxCatalog): readonly Kind[] {
  return [
    {
      topic: topics.quotes,
      async oldest() {
        const oldest = await outbox.quotes(batch);
        return oldest.map(({ id, value, traceparent }) => {
          // The fold knows by the number what a forwarder tells again, that was frozen past its lease.
          const numbered = { ...value, outbox_id: id };
          const headers = { source: value.source, ...traceHeader(traceparent) };
          return { id, record: { key: value.game_uuid, value: numbered, headers } };
        });
      },
      published: (ids) => outbox.markPublished(ids, []),
    },
    {
      topic: topics.observations,
      async oldest() {
        const oldest = await outbox.observations(batch);
        return oldest.map(({ id, value, traceparent }) => {
          const headers = { source: value.source, ...traceHeader(traceparent) };
          return { id, record: { key: value.scope_uuid, value, headers } };
        });
      },
      published: (ids) => outbox.markPublished(ids, []),
    },
    {
      topic: topics.publications,
      async oldest() {
        const oldest = await outbox.publications(batch);
        return oldest.map(({ id, value, traceparent }) => {
          return { id, record: { key: value.game_uuid, value, headers: traceHeader(traceparent) } };
        });
      },
      published: (ids) => outbox.markPublished(ids, []),
    },
    {
      topic: topics.deadLetters,
      async oldest() {
        const oldest = await outbox.unpublishedDeadLetters(batch);
        return oldest.map((deadLetter) => {
          const value = shortened(deadLetter);
          return { id: deadLetter.id, record: { key: value.source ?? String(value.id), value } };
        });
      },
      published: (ids) => outbox.markPublished([], ids),
    },
  ];
}

function traceHeader(traceparent: string | null): Readonly<Record<string, string>> {
  return traceparent === null ? {} : { traceparent };
}

function shortened(deadLetter: DeadLetterRecord): DeadLetterRecord {
  const cut = (text: string | null) => (text === null ? null : text.slice(0, longestText));
  return {
    ...deadLetter,
    detail: deadLetter.detail.slice(0, longestText),
    pointer: deadLetter.pointer.slice(0, longestText),
    source: cut(deadLetter.source),
    game_id: cut(deadLetter.game_id),
    receipt: cut(deadLetter.receipt),
  };
}
