// Group commit: appends that arrive during one flush are collected for the next, so the log is called once per round trip and not once per
// record. Only one flush runs at a time, which keeps the order. If a flush fails, all waiting appends fail too, so that callers get an
// answer within the flush's own time limit; if a flush never answers, nothing overtakes it.
import { BrokerUnavailable, type Ends } from '../../core/ports/broker.ts';
import type { Millis } from '../../core/units.ts';
import { sleep } from '../process/clock.ts';

export interface GroupCommit<Item> {
  /**
   * Appends the items in order. Resolves when all are durable, with the ends that their flushes returned. @throws BrokerUnavailable: none,
   * some or all may be in the log.
   */
  append(items: readonly Item[]): Promise<Ends>;
  /** Refuses new appends and waits for the flush in progress. */
  close(): Promise<void>;
}

type GroupCommitOptions<Item> = {
  /** Makes the items durable, in order; returns the ends of the partitions. Rejects with BrokerUnavailable if a retry may succeed. */
  flush(items: readonly Item[]): Promise<Ends>;
  sizeOf(item: Item): number;
  partitionOf(item: Item): number;
  /** Most bytes of one flush per partition (a larger item goes alone), and most items in total. */
  maxPartitionBytes: number;
  maxItems: number;
  /** After this long without an answer the callers get an error; the queue still waits for the flush. */
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
    // Wait one microtask, so that calls made together share the first flush.
    await Promise.resolve();
    while (queue.length > 0) await flushOnce();
    // No await since the queue was found empty, so a later call starts the next run.
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

/** Takes the items for one flush from the front of the queue; a call may be split. */
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
