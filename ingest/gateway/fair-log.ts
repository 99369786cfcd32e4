// The log as keys share it (docs/operations.md#turns-at-the-log). Behind it nothing can be put in another order, so what a key appends beyond its part
// waits here, before it: the keys that wait come one after the other, as the partitions are folded. Those of which too much waits are told to
// come back; a key that is alone never waits. How far a partition is folded is asked for while something of it is not.
import { type Cost, Unfolded } from '../../core/access/unfolded.ts';
import { KeyedQueue } from '../../core/keyed-queue.ts';
import type { Broker, Ends, OutgoingRecord } from '../../core/ports/broker.ts';
import type { ProgressCatalog } from '../../core/ports/catalog/checkpoints.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Millis } from '../../core/units.ts';
import type { ObservationsRecord } from '../../schemas/events/observations.ts';
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import { topics } from '../../schemas/events/topics.ts';
import { comeBack, type Problem } from './problem.ts';

export type FairLog = {
  /** Appends the records in order, for the key. @throws BrokerUnavailable: then some of them may be in the log. */
  append(key: string, topic: string, records: readonly OutgoingRecord[]): Promise<void>;
  /** Why nothing more of the key is taken on now; null where it may come. */
  refusal(key: string): Problem | null;
  close(): void;
};

export type FairLogTools = {
  broker: Pick<Broker, 'partitionOf' | 'produce'>;
  progress: ProgressCatalog;
  clock: Pick<Clock, 'now' | 'elapsed' | 'sleep'>;
};

/** Pushes of a key that may wait at once. */
const mostWaiting = 4;
/** How often it is asked how far the partitions are; sooner while pushes wait. */
const looks: { everyMs: Millis; whileWaitingMs: Millis } = { everyMs: 100, whileWaitingMs: 40 };
/** For how long a key that has pushed counts among those that push. */
const activeForMs: Millis = 60_000;

type Placed = { record: OutgoingRecord; partition: number; cost: Cost };
type Waiting = { cost: Cost; go: () => void };
type Lane = { unfolded: Unfolded; waiting: KeyedQueue<Waiting> };

export function openFairLog({ broker, progress, clock }: FairLogTools): FairLog {
  const lanes = new Map<string, Map<number, Lane>>();
  const waitingOf = new Map<string, number>();
  /** When each key pushed last, the last at the end. */
  const seen = new Map<string, Millis>();
  const closed = new AbortController();
  let watching = false;
  const now = (): Millis => (clock.elapsed?.() ?? clock.now()) / 1_000;
  const all = (): Lane[] => [...lanes.values()].flatMap((ofTopic) => [...ofTopic.values()]);

  function laneOf(topic: string, partition: number): Lane {
    const ofTopic = lanes.get(topic) ?? new Map<number, Lane>();
    lanes.set(topic, ofTopic);
    const lane = ofTopic.get(partition) ?? { unfolded: new Unfolded(), waiting: new KeyedQueue() };
    ofTopic.set(partition, lane);
    return lane;
  }

  function noteSeen(key: string): void {
    seen.delete(key);
    seen.set(key, now());
    for (const [other, at] of seen) {
      if (now() - at <= activeForMs) return;
      seen.delete(other);
    }
  }

  /** Begins to append a record where the key may do so now. */
  function begins({ unfolded }: Lane, key: string, cost: Cost): boolean {
    const may = closed.signal.aborted || seen.size < 2 || unfolded.admits(key, cost, now());
    if (may) unfolded.begin(key, cost, now());
    return may;
  }

  /** As `begins`, behind what of the key waits there. */
  function beginsNow(lane: Lane, key: string, cost: Cost): boolean {
    return !lane.waiting.has(key) && begins(lane, key, cost);
  }

  async function untilItMay(lane: Lane, key: string, cost: Cost): Promise<void> {
    if (beginsNow(lane, key, cost)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    waitingOf.set(key, (waitingOf.get(key) ?? 0) + 1);
    lane.waiting.add(key, { cost, go: resolve });
    await promise;
    const left = (waitingOf.get(key) ?? 1) - 1;
    if (left === 0) waitingOf.delete(key);
    else waitingOf.set(key, left);
  }

  function wake(): void {
    for (const lane of all()) {
      for (let next = lane.waiting.peek(); next !== null; next = lane.waiting.peek()) {
        if (!begins(lane, next.key, next.item.cost)) break;
        lane.waiting.take();
        next.item.go();
      }
    }
  }

  async function look(topic: string, ofTopic: ReadonlyMap<number, Lane>): Promise<void> {
    if ([...ofTopic.values()].every(({ unfolded }) => unfolded.isEmpty)) return;
    const offsets = await progress.nextOffsets(foldedBy[topic]?.projector ?? '', topic);
    for (const [partition, { unfolded }] of ofTopic) unfolded.folded(offsets.get(partition) ?? 0, now());
  }

  async function watch(): Promise<void> {
    watching = true;
    while (!closed.signal.aborted && all().some(({ unfolded }) => !unfolded.isEmpty)) {
      await clock.sleep(waitingOf.size > 0 ? looks.whileWaitingMs : looks.everyMs, closed.signal);
      for (const [topic, ofTopic] of lanes) {
        await look(topic, ofTopic).catch((error: unknown) => {
          // What is asked while it is closed may find the catalog closed too.
          if (!(error instanceof CatalogUnavailable) && !closed.signal.aborted) throw error;
        });
      }
      wake();
    }
    watching = false;
  }

  async function place(topic: string, records: readonly OutgoingRecord[]): Promise<Placed[]> {
    const partitions = new Map<string, number>();
    for (const { key } of records) if (!partitions.has(key)) partitions.set(key, await broker.partitionOf(topic, key));
    const costOf = foldedBy[topic]?.costOf ?? (() => 1);
    return records.map((record) => ({
      record,
      partition: record.partition ?? (partitions.get(record.key) as number),
      cost: costOf(record.value),
    }));
  }

  /** Appends what was begun. */
  async function appendBegun(key: string, topic: string, begun: readonly Placed[]): Promise<void> {
    if (!watching) void watch();
    let ends: Ends | null = null;
    try {
      ends = await broker.produce(
        topic,
        begun.map(({ record }) => record),
      );
    } finally {
      for (const [partition, some] of Map.groupBy(begun, (each) => each.partition)) {
        const { unfolded } = laneOf(topic, partition);
        const cost = some.reduce((sum, each) => sum + each.cost, 0);
        if (ends === null) unfolded.failed(key, cost);
        else unfolded.appended(key, cost, ends.get(partition) ?? 0, now());
      }
    }
  }

  return {
    async append(key, topic, records) {
      noteSeen(key);
      const placed = await place(topic, records);
      for (let from = 0; from < placed.length; ) {
        const first = placed[from] as Placed;
        await untilItMay(laneOf(topic, first.partition), key, first.cost);
        let to = from + 1;
        for (let next = placed[to]; next !== undefined; next = placed[to]) {
          if (!beginsNow(laneOf(topic, next.partition), key, next.cost)) break;
          to += 1;
        }
        await appendBegun(key, topic, placed.slice(from, to));
        from = to;
      }
    },
    refusal(key) {
      if ((waitingOf.get(key) ?? 0) < mostWaiting) return null;
      return comeBack(
        'rate-limited',
        `${mostWaiting} pushes of the key wait for the log: it has pushed more than its part of what is being folded, and other keys push as well. Nothing was accepted; send it again after the seconds of Retry-After, in fewer or smaller pushes.`,
        { limit: 'turns' },
      );
    },
    close() {
      closed.abort();
      wake();
    },
  };
}

type FoldedBy = { projector: string; costOf(value: unknown): Cost };

/** Who folds what is pushed, and at what cost: that of a quote is 1. */
const foldedBy: Readonly<Record<string, FoldedBy>> = {
  [topics.quotes]: { projector: 'live', costOf: (value) => costOfQuotes(value as QuotesRecord) },
  [topics.observations]: { projector: 'revisions', costOf: (value) => costOfElement(value as ObservationsRecord) },
};

/** An operator is a board, which is a file. */
function costOfQuotes({ observation }: QuotesRecord): Cost {
  const operators = observation?.operators ?? [];
  return operators.reduce((sum, { quotes }) => sum + 15 + quotes.length, 5);
}

const bytesOfQuote = 100;

function costOfElement({ observation }: ObservationsRecord): Cost {
  const bytes = observation?.element?.length ?? observation?.held?.size ?? 0;
  return 20 + Math.ceil(bytes / bytesOfQuote);
}
