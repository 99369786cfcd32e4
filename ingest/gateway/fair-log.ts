// The log as keys share it (docs/operations.md#turns-at-the-log). Behind it nothing can be put in another order, so what a key appends beyond its part
// waits here, before it: the keys that wait come one after the other, as the partitions are folded. A key of which too much waits is
// refused with Retry-After; a key that is alone never waits. How far a partition is folded is asked for while something of it is not.
import { type Cost, ownPart, Unfolded } from '../../core/access/unfolded.ts';
import { KeyedQueue } from '../../core/keyed-queue.ts';
import type { Broker, OutgoingRecord } from '../../core/ports/broker.ts';
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

/** Of the records that are appended at once: some milliseconds of encoding, in which the process does nothing else. */
const mostAtOnce: Cost = 1_000;

/** Pushes of a key that may wait at once. */
const mostWaiting = 4;
/** How often it is asked how far the partitions are: often while several keys push, for what is seen late is measured as late. */
const looks: { everyMs: Millis; amongKeysMs: Millis } = { everyMs: 100, amongKeysMs: 20 };
/** For how long a key that has pushed counts among those that push. */
const activeForMs: Millis = 60_000;

type Placed = { record: OutgoingRecord; partition: number; cost: Cost };
/** One call of `append`. */
type Push = { key: string };
type Waiting = { push: Push; cost: Cost; go: () => void };
/** `goesOn`: of each key the push that has waited there last and goes on there; the others of the key are behind it. */
type Lane = { unfolded: Unfolded; waiting: KeyedQueue<Waiting>; goesOn: Map<string, Push> };

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
    const lane = ofTopic.get(partition) ?? { unfolded: new Unfolded(), waiting: new KeyedQueue(), goesOn: new Map() };
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

  const isAlone = (): boolean => seen.size < 2;

  /**
   * Whether a record is larger than the part of its key, which has another such in the log. A process folds all its partitions: one at a time
   * of each key, for a large image takes it a tenth of a second.
   */
  function isOneOfSeveral(key: string, cost: Cost): boolean {
    return cost > ownPart && all().some(({ unfolded }) => unfolded.isBeyond(key, now()));
  }

  /** Begins to append a record where the key may do so now. */
  function begins({ unfolded }: Lane, key: string, cost: Cost): boolean {
    const may = closed.signal.aborted || isAlone() || (!isOneOfSeveral(key, cost) && unfolded.admits(key, cost, now()));
    if (may) unfolded.begin(key, cost, now());
    return may;
  }

  /** As `begins`, behind what of the key came before; a push that has waited there takes turns with the other keys. */
  function beginsNow(lane: Lane, push: Push, cost: Cost): boolean {
    const { waiting, goesOn } = lane;
    const { key } = push;
    const isAloneThere = goesOn.size === 1 && waiting.size === (waiting.has(key) ? 1 : 0);
    const isNext = goesOn.has(key) ? goesOn.get(key) === push && isAloneThere : !waiting.has(key);
    return isNext && begins(lane, key, cost);
  }

  /** The push goes on in no lane any more, except in `here`. */
  function leaveLanes(push: Push, here: Lane | null): void {
    for (const lane of all()) if (lane !== here && lane.goesOn.get(push.key) === push) lane.goesOn.delete(push.key);
  }

  async function untilItMay(lane: Lane, push: Push, cost: Cost): Promise<void> {
    if (beginsNow(lane, push, cost)) return;
    const { key } = push;
    // Where it waits no longer it is in no other's way: two pushes that waited for each other would wait for ever.
    leaveLanes(push, lane);
    const { promise, resolve } = Promise.withResolvers<void>();
    waitingOf.set(key, (waitingOf.get(key) ?? 0) + 1);
    lane.waiting.add(key, { push, cost, go: resolve }, lane.goesOn.get(key) === push);
    await promise;
    const left = (waitingOf.get(key) ?? 1) - 1;
    if (left === 0) waitingOf.delete(key);
    else waitingOf.set(key, left);
  }

  function wake(): void {
    for (const lane of all()) {
      let passedOver = 0;
      for (let next = lane.waiting.peek(); next !== null; next = lane.waiting.peek()) {
        const { push, cost, go } = next.item;
        const isBehind = !closed.signal.aborted && (lane.goesOn.get(next.key) ?? push) !== push;
        if (!isBehind && begins(lane, next.key, cost)) {
          lane.waiting.take();
          lane.goesOn.set(next.key, push);
          go();
        } else if ((isBehind || isOneOfSeveral(next.key, cost)) && passedOver < lane.waiting.size) {
          lane.waiting.passOver();
          passedOver += 1;
        } else break;
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
      await clock.sleep(isAlone() && waitingOf.size === 0 ? looks.everyMs : looks.amongKeysMs, closed.signal);
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

  /** Appends what was begun, some of it at a time. */
  async function appendBegun(key: string, topic: string, begun: readonly Placed[]): Promise<void> {
    if (!watching) void watch();
    let left = [...begun];
    try {
      while (left.length > 0) {
        const some = left.slice(0, countAtOnce(left));
        const ends = await broker.produce(
          topic,
          some.map(({ record }) => record),
        );
        left = left.slice(some.length);
        for (const [partition, cost] of costsOf(some))
          laneOf(topic, partition).unfolded.appended(key, cost, ends.get(partition) ?? 0, now());
      }
    } finally {
      for (const [partition, cost] of costsOf(left)) laneOf(topic, partition).unfolded.failed(key, cost);
    }
  }

  async function appendPlaced(push: Push, topic: string, placed: readonly Placed[]): Promise<void> {
    for (let from = 0; from < placed.length; ) {
      const first = placed[from] as Placed;
      await untilItMay(laneOf(topic, first.partition), push, first.cost);
      let to = from + 1;
      for (let next = placed[to]; next !== undefined; next = placed[to]) {
        if (!beginsNow(laneOf(topic, next.partition), push, next.cost)) break;
        to += 1;
      }
      await appendBegun(push.key, topic, placed.slice(from, to));
      from = to;
    }
  }

  return {
    async append(key, topic, records) {
      noteSeen(key);
      const push = { key };
      try {
        await appendPlaced(push, topic, await place(topic, records));
      } finally {
        leaveLanes(push, null);
        wake();
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

/** How many of the first records are appended at once: one at least. */
function countAtOnce(placed: readonly Placed[]): number {
  let cost = 0;
  const beyond = placed.findIndex((each, index) => {
    cost += each.cost;
    return index > 0 && cost > mostAtOnce;
  });
  return beyond < 0 ? placed.length : beyond;
}

function costsOf(placed: readonly Placed[]): ReadonlyMap<number, Cost> {
  const costs = new Map<number, Cost>();
  for (const { partition, cost } of placed) costs.set(partition, (costs.get(partition) ?? 0) + cost);
  return costs;
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
