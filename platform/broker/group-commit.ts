// Concurrent appends go to the log together: while one flush is under way the next one collects, so the log is asked once per round
// trip and not once per record. One flush at a time keeps the order. A flush that fails fails everything that waits, so that a caller
// hears within the flush's own patience, and a flush that never answers lets nothing pass it.
import { BrokerUnavailable, type Ends } from '../../core/ports/broker.ts';
import type { Millis } from '../../core/units.ts';
import { sleep } from '../process/clock.ts';

export interface GroupCommit<Item> {
  /** Appends the items in order. Resolves when all are durable, with what their flushes answered. @throws BrokerUnavailable: none, some or all may be in the log. */
  append(items: readonly Item[]): Promise<Ends>;
  /** Refuses what comes, waits for the flush under way. */
  close(): Promise<void>;
}

export type GroupCommitOptions<Item> = {
  /** Makes the items durable, in order; answers where in the log they end. Rejects with BrokerUnavailable when that may work later. */
  flush(items: readonly Item[]): Promise<Ends>;
  sizeOf(item: Item): number;
  partitionOf(item: Item): number;
  /** Most bytes of one flush in one partition (an item larger than that goes alone), and most items in all. */
  maxPartitionBytes: number;
  maxItems: number;
  /** After this long without an answer the callers are told; the flush is still waited for. */
  patienceMs: Millis;
};

type Call<Item> = {
  items: readonly Item[];
  taken: number;
  durable: number;
  answered: boolean;
  ends: Map<number, number>;
  resolve(ends: Ends): void;
  reject(error: unknown): void;
};

export function openGroupCommit<Item>(options: GroupCommitOptions<Item>): GroupCommit<Item> {
  const queue: Call<Item>[] = [];
  let flushing: Promise<void> | null = null;
  let stuck = false;
  let closed = false;

  async function run(): Promise<void> {
    // A turn of the event loop: calls made in one go share the first flush.
    await Promise.resolve();
    while (queue.length > 0) await flushOnce();
    // In the same step as the last look at the queue: a call that comes a moment later starts the next run.
    flushing = null;
  }

  async function flushOnce(): Promise<void> {
    const { items, parts } = take(queue, options);
    const answered = new AbortController();
    const work = options.flush(items).finally(() => answered.abort());
    void sleep(options.patienceMs, answered.signal).then(() => {
      if (answered.signal.aborted) return;
      stuck = true;
      failAll(new BrokerUnavailable(`the log has not answered for ${options.patienceMs} ms`), parts);
    });
    try {
      const ends = await work;
      for (const [call, count] of parts) countDurable(call, count, ends);
    } catch (error) {
      failAll(error, parts);
    } finally {
      stuck = false;
    }
  }

  function countDurable(call: Call<Item>, count: number, ends: Ends): void {
    call.durable += count;
    for (const [partition, end] of ends) call.ends.set(partition, end);
    if (call.durable < call.items.length || call.answered) return;
    call.answered = true;
    call.resolve(call.ends);
  }

  function failAll(error: unknown, parts: ReadonlyMap<Call<Item>, number>): void {
    for (const call of [...parts.keys(), ...queue.splice(0)]) {
      if (call.answered) continue;
      call.answered = true;
      call.reject(error);
    }
  }

  return {
    append(items) {
      if (closed) return Promise.reject(new BrokerUnavailable('the broker is closed'));
      if (stuck) return Promise.reject(new BrokerUnavailable('the log does not answer'));
      if (items.length === 0) return Promise.resolve(new Map());
      const { promise, resolve, reject } = Promise.withResolvers<Ends>();
      queue.push({ items, taken: 0, durable: 0, answered: false, ends: new Map(), resolve, reject });
      flushing ??= run();
      return promise;
    },
    async close() {
      closed = true;
      await flushing;
    },
  };
}

/** Takes from the front of the queue what fits one flush; a call may be taken in parts. */
function take<Item>(queue: Call<Item>[], options: GroupCommitOptions<Item>) {
  const items: Item[] = [];
  const parts = new Map<Call<Item>, number>();
  const bytes = new Map<number, number>();
  for (let call = queue[0]; call !== undefined; call = queue[0]) {
    const from = call.taken;
    while (call.taken < call.items.length && items.length < options.maxItems) {
      const item = call.items[call.taken] as Item;
      const partition = options.partitionOf(item);
      const before = bytes.get(partition) ?? 0;
      const after = before + options.sizeOf(item);
      if (before > 0 && after > options.maxPartitionBytes) break;
      bytes.set(partition, after);
      items.push(item);
      call.taken += 1;
    }
    if (call.taken > from) parts.set(call, call.taken - from);
    if (call.taken < call.items.length) break;
    queue.shift();
  }
  return { items, parts };
}
