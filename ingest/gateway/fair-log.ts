// Shares the log fairly between keys (docs/operations.md#turns-at-the-log). Records cannot be reordered once they are in the log, so what a
// key appends beyond its share waits here: waiting keys take turns as the partitions are folded. A key with too many waiting pushes is
// refused with Retry-After; a key that is alone never waits. While records of a partition are unfolded, its progress is polled.
import type { Broker, OutgoingRecord } from '../../core/ports/broker.ts';
import type { ProgressCatalog } from '../../core/ports/catalog/checkpoints.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import { type Clock, elapsedBy } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { ActiveKeys } from '../../core/scheduling/active-keys.ts';
import { KeyedQueue } from '../../core/scheduling/keyed-queue.ts';
import { LargeRecords, largeCost } from '../../core/scheduling/large-records.ts';
import { type Cost, Unfolded } from '../../core/scheduling/unfolded.ts';
import type { Millis } from '../../core/units.ts';
import type { ObservationsRecord } from '../../schemas/events/observations.ts';
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import { topics } from '../../schemas/events/topics.ts';
import { comeBack, type GatewayRefusal } from './gateway-refusal.ts';

export type FairLog = {
  /**
   * Appends the records in order, for the key. Calls `kept` as soon as some are in the log. @throws BrokerUnavailable: some of them may be
   * in the log.
   */
  append(key: string, topic: string, records: readonly OutgoingRecord[], kept?: () => void): Promise<void>;
  /** Why no further push of the key is accepted now; null if it may come. */
  refusal(key: string): GatewayRefusal | null;
  close(): void;
};

type FairLogTools = {
  broker: Pick<Broker, 'partitionOf' | 'produce'>;
  progress: ProgressCatalog;
  clock: Pick<Clock, 'now' | 'elapsed' | 'sleep'>;
  log: Pick<Log, 'error'>;
};

/** Pushes of a key that may wait at once. */
const mostWaiting = 4;
/**
 * How often the progress of partitions is polled: often while several keys push, because delays of polling count as lateness. An answer is
 * awaited for at most `patienceMs`: while the catalog hangs, time alone admits records.
 */
const looks = { everyMs: 100, amongKeysMs: 20, patienceMs: 250 } as const satisfies Record<string, Millis>;
/** How long a key counts as active after its last push. */
const activeForMs: Millis = 60_000;
/**
 * Cost of the records that are appended at once while several keys push: some milliseconds of encoding, during which the process does
 * nothing else.
 */
const mostAtOnce: Cost = 1_000;

type CostedRecord = { record: OutgoingRecord; partition: number; cost: Cost };
type Waiting = { partition: number; cost: Cost; go: () => void };
/** `isAsked`: the query for its progress is not answered yet. */
type Topic = { unfolded: Unfolded; waiting: KeyedQueue<Waiting>; large: LargeRecords; isAsked: boolean };

export function openFairLog({ broker, progress, clock, log }: FairLogTools): FairLog {
  const shared = new Map<string, Topic>();
  const waitingOf = new Map<string, number>();
  /** By key, its append in progress that takes several parts. */
  const inParts = new Map<string, Promise<void>>();
  const active = new ActiveKeys(activeForMs);
  const closed = new AbortController();
  let watching = false;
  const now = (): Millis => elapsedBy(clock) / 1_000;
  const isSettled = ({ unfolded, waiting }: Topic): boolean => unfolded.isEmpty && waiting.size === 0;
  const isAlone = (): boolean => active.isAlone(now());

  function topicNamed(name: string): Topic {
    const topic = shared.get(name) ?? {
      unfolded: new Unfolded(),
      waiting: new KeyedQueue(),
      large: new LargeRecords(),
      isAsked: false,
    };
    shared.set(name, topic);
    return topic;
  }

  /** Whether the key has to wait for its own large record, unlike other keys. */
  function waitsForOwn({ large }: Topic, key: string, cost: Cost): boolean {
    return !closed.signal.aborted && !isAlone() && !large.admits(key, cost, now());
  }

  /** Begins to append a record if the key may do so now. */
  function begins(topic: Topic, key: string, { partition, cost }: Omit<Waiting, 'go'>): boolean {
    const { unfolded, large } = topic;
    if (waitsForOwn(topic, key, cost)) return false;
    if (!closed.signal.aborted && !isAlone() && !unfolded.admits(key, cost, now())) return false;
    unfolded.begin(key, partition, cost, now());
    large.begin(key, partition, cost, now());
    return true;
  }

  /** `begins`, unless other records of the key already wait. */
  function beginsNow(topic: Topic, key: string, record: CostedRecord): boolean {
    return !topic.waiting.has(key) && begins(topic, key, record);
  }

  async function untilItMay(topic: Topic, key: string, record: CostedRecord): Promise<void> {
    if (beginsNow(topic, key, record)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    waitingOf.set(key, (waitingOf.get(key) ?? 0) + 1);
    topic.waiting.add(key, { partition: record.partition, cost: record.cost, go: resolve });
    keepWatching();
    await promise;
    const left = (waitingOf.get(key) ?? 1) - 1;
    if (left === 0) waitingOf.delete(key);
    else waitingOf.set(key, left);
  }

  function wake(): void {
    for (const topic of shared.values()) {
      const { waiting } = topic;
      let passedOver = 0;
      for (let next = waiting.peek(); next !== null; next = waiting.peek()) {
        if (begins(topic, next.key, next.item)) {
          waiting.take();
          next.item.go();
        } else if (waitsForOwn(topic, next.key, next.item.cost) && passedOver < waiting.size) {
          waiting.passOver();
          passedOver += 1;
        } else break;
      }
    }
  }

  /** Polls the progress of the topic, unless a query is in progress. Returns early when `over` aborts. */
  async function look(name: string, topic: Topic, over: AbortSignal): Promise<void> {
    const { unfolded, large, isAsked } = topic;
    if (isAsked || isSettled(topic)) return;
    topic.isAsked = true;
    try {
      const offsets = await progress.nextOffsets(foldedBy[name]?.projector ?? '', name);
      unfolded.folded(offsets, now());
      large.folded(offsets, now());
    } catch (error) {
      // If the gateway is closing, the catalog may be closed as well.
      if (error instanceof CatalogUnavailable || closed.signal.aborted) return;
      if (!over.aborted) throw error;
      log.error('how far a topic is folded cannot be asked', { topic: name, error: String(error) });
    } finally {
      topic.isAsked = false;
    }
  }

  async function lookAtAll(): Promise<void> {
    const over = new AbortController();
    const asked = Promise.all(Array.from(shared, ([name, topic]) => look(name, topic, over.signal)));
    try {
      await Promise.race([asked, clock.sleep(looks.patienceMs, over.signal)]);
    } finally {
      over.abort();
    }
  }

  /** As long as a record waits or is unfolded: also one that rests behind the last of its key waits while nothing is unfolded. */
  function keepWatching(): void {
    if (!watching) void watch();
  }

  async function watch(): Promise<void> {
    watching = true;
    while (!closed.signal.aborted && ![...shared.values()].every(isSettled)) {
      await clock.sleep(isAlone() && waitingOf.size === 0 ? looks.everyMs : looks.amongKeysMs, closed.signal);
      await lookAtAll();
      wake();
    }
    watching = false;
  }

  async function place(topic: string, records: readonly OutgoingRecord[]): Promise<CostedRecord[]> {
    const keys = [...new Set(records.map(({ key }) => key))];
    const partitions = new Map(
      await Promise.all(keys.map(async (key) => [key, await broker.partitionOf(topic, key)] as const)),
    );
    const costOf = foldedBy[topic]?.costOf ?? (() => 1);
    return records.map((record) => ({
      record,
      partition: record.partition ?? (partitions.get(record.key) as number),
      cost: costOf(record.value),
    }));
  }

  /** Appends what was begun, in several parts while several keys push. */
  async function appendBegun(
    key: string,
    topic: string,
    begun: readonly CostedRecord[],
    kept: () => void,
  ): Promise<void> {
    keepWatching();
    const { unfolded, large } = topicNamed(topic);
    let left = [...begun];
    // Later records of the key must stay behind it.
    while (inParts.has(key)) await inParts.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    if (countAtOnce(left) < left.length) inParts.set(key, promise);
    try {
      while (left.length > 0) {
        const some = isAlone() ? left : left.slice(0, countAtOnce(left));
        const ends = await broker.produce(
          topic,
          some.map(({ record }) => record),
        );
        left = left.slice(some.length);
        for (const [partition, cost] of costsOf(some)) {
          unfolded.appended(key, partition, cost, ends.get(partition) ?? 0, now());
          if (some.some((each) => each.partition === partition && each.cost > largeCost))
            large.appended(key, partition, ends.get(partition) ?? 0);
        }
        kept();
      }
    } finally {
      if (inParts.get(key) === promise) inParts.delete(key);
      resolve();
      for (const [partition, cost] of costsOf(left)) {
        unfolded.failed(key, partition, cost);
        large.failed(key, partition);
      }
    }
  }

  return {
    async append(key, topic, records, kept = () => {}) {
      active.note(key, now());
      const placed = await place(topic, records);
      const shares = topicNamed(topic);
      for (let from = 0; from < placed.length; ) {
        await untilItMay(shares, key, placed[from] as CostedRecord);
        let to = from + 1;
        for (let next = placed[to]; next !== undefined; next = placed[to]) {
          if (!beginsNow(shares, key, next)) break;
          to += 1;
        }
        await appendBegun(key, topic, placed.slice(from, to), kept);
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

/** How many of the first records are appended at once; at least one. */
function countAtOnce(placed: readonly CostedRecord[]): number {
  let cost = 0;
  const beyond = placed.findIndex((each, index) => {
    cost += each.cost;
    return index > 0 && cost > mostAtOnce;
  });
  return beyond < 0 ? placed.length : beyond;
}

function costsOf(placed: readonly CostedRecord[]): ReadonlyMap<number, Cost> {
  const costs = new Map<number, Cost>();
  for (const { partition, cost } of placed) costs.set(partition, (costs.get(partition) ?? 0) + cost);
  return costs;
}

type FoldedBy = { projector: string; costOf(value: unknown): Cost };

/** The projector that folds each topic, and the cost of a record: a quote costs 1. */
const foldedBy: Readonly<Record<string, FoldedBy>> = {
  [topics.quotes]: { projector: 'live', costOf: (value) => costOfQuotes(value as QuotesRecord) },
  [topics.observations]: { projector: 'revisions', costOf: (value) => costOfElement(value as ObservationsRecord) },
};

/** What records cost beside their quotes. A sportsbook has a board, which is a file; a game that begins has files and rows of the catalog. */
const costs = { game: 60, operator: 30, record: 5 } as const satisfies Record<string, Cost>;

function costOfQuotes({ observation, start }: QuotesRecord): Cost {
  const operators = observation?.operators ?? [];
  const quotes = operators.reduce((sum, operator) => sum + operator.quotes.length, 0);
  return (start == null ? costs.record : costs.game) + costs.operator * operators.length + quotes;
}

const bytesOfQuote = 100;

function costOfElement({ observation }: ObservationsRecord): Cost {
  const bytes = observation?.element?.length ?? observation?.held?.size ?? 0;
  return 20 + Math.ceil(bytes / bytesOfQuote);
}
