// Tells the topics what the commits left in the outbox: publications, dead letters, and what a game's quotes are folded with — its start and
// statuses, as MSF and the administrator tell them —, and his statuses to the fold of MSF's observations too. Works beside the projectors and never
// in their way: an outage of the broker delays notices and loses none. One forwarder works at a time; one that dies between telling and noting
// it tells again, in the same order (at least once).
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
/** Of each kind: more would hold the loop of its process for longer than a flush takes. */
const batch = 500;
const rests = 7;
const releasePatienceMs: Millis = 1_000;

/** What a dead letter repeats of a hostile record may be as long as the record: its texts are cut, or the topic would not take it. */
const longestText = 1_000;

/** Starts forwarding; the answer stops it. */
export function startForwarder(tools: ForwarderTools): () => Promise<void> {
  const stopped = new AbortController();
  const done = (async () => {
    while (!stopped.signal.aborted) {
      let told = 0;
      const began = tools.clock.now();
      try {
        if (await tools.leases.hold('forwarder')) told = await forwardOnce(tools);
      } catch (error) {
        // Nothing that cannot be told is worth the projectors of this process: it waits, and a person hears of it.
        const outage = error instanceof BrokerUnavailable || error instanceof CatalogUnavailable;
        const reason = error instanceof Error ? error.message : String(error);
        tools.log[outage ? 'warn' : 'error']('forwarding put off', { error: reason });
      }
      // A backlog takes an eighth of the forwarder's time: the projectors of its process and the database have the rest.
      const took = (tools.clock.now() - began) / 1_000;
      await tools.clock.sleep(told < batch ? everyMs : Math.min(rests * took, everyMs), stopped.signal);
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
 * Tells the oldest batch of each kind; what a topic has taken is noted before the next is asked, so that a topic that refuses makes no other
 * hear anything twice. Returns how many were told. @throws What the first kind that failed came to, when all were tried.
 */
export async function forwardOnce({
  broker,
  outbox,
  leases,
}: Pick<ForwarderTools, 'broker' | 'outbox' | 'leases'>): Promise<number> {
  const failures: unknown[] = [];
  let told = 0;
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
      await kind.told(outgoing.map(({ id }) => id));
      told += outgoing.length;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return told;
}

type Kind = {
  topic: string;
  oldest(): Promise<readonly { id: number; record: OutgoingRecord }[]>;
  told(ids: readonly number[]): Promise<void>;
};

function kindsOf(outbox: OutboxCatalog): readonly Kind[] {
  return [
    {
      topic: topics.quotes,
      async oldest() {
        const oldest = await outbox.quotes(batch);
        return oldest.map(({ id, value }) => {
          return { id, record: { key: value.game_uuid, value, headers: { source: value.source } } };
        });
      },
      told: (ids) => outbox.markPublished(ids, []),
    },
    {
      topic: topics.observations,
      async oldest() {
        const oldest = await outbox.observations(batch);
        return oldest.map(({ id, value }) => {
          return { id, record: { key: value.scope_uuid, value, headers: { source: value.source } } };
        });
      },
      told: (ids) => outbox.markPublished(ids, []),
    },
    {
      topic: topics.publications,
      async oldest() {
        const oldest = await outbox.publications(batch);
        return oldest.map(({ id, value }) => ({ id, record: { key: value.game_uuid, value } }));
      },
      told: (ids) => outbox.markPublished(ids, []),
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
      told: (ids) => outbox.markPublished([], ids),
    },
  ];
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
