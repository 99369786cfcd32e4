// A member of a consumer group on kafkajs that keeps the port's promises. Offsets come from the handlers, never from the group. A partition
// that this member keeps over a rebalance continues undisturbed, but only if the member took part in every rebalance in between; otherwise
// it is revoked and assigned again. Heartbeats do not depend on the handlers: fetched messages wait in a queue.
import type kafkajs from 'kafkajs';
import type { Consumer, ConsumerHandlers } from '../../core/ports/broker.ts';
import { BrokerUnavailable, Halted, OffsetOutOfRange } from '../../core/ports/broker.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import type { Decoded } from '../avro/codec.ts';
import type { WriterSchemas } from '../avro/writer-schemas.ts';
import { asError } from '../broker/unavailable.ts';
import { sleep } from '../process/clock.ts';
import { deliveredRecord } from './delivered-records.ts';
import { asBrokerError } from './errors.ts';
import { type Fetching, passEmptyBatch, type StartedBatch, takeBatch } from './fetch-positions.ts';
import type { KafkaAdmin } from './kafka-admin.ts';
import type { ClientRole, LibraryLine } from './kafkajs-client.ts';
import { isWithoutCoordinator, startOver } from './lost-coordinator.ts';
import { offsetCommits } from './offset-commits.ts';
import { PartitionQueue } from './partition-queue.ts';
import { stickyAssigner } from './sticky-assigner.ts';

type GroupTools = {
  /** A client for this consumer alone: kafkajs keeps a group's offsets per client. */
  newClient(role: ClientRole): kafkajs.Kafka;
  admin: KafkaAdmin;
  schemas: WriterSchemas;
  log: Log;
  sessionMs: Millis;
};

type Held = Fetching & {
  partition: number;
  /** Null until the handlers have returned the starting offset. */
  started: boolean;
  paused: boolean;
  checking: boolean;
  stop: AbortController;
  ended: Promise<void>;
};

const heartbeatMs: Millis = 1_000;
/**
 * Joining waits for no handler, so a member that takes longer is stuck or gone, and others do not wait for the end of its session. After a
 * restart of the broker every member joins under a new name, and the old names are such members.
 */
const longestJoinMs: Millis = 5_000;
/** Joins, seeks and the consumer's end wait for a fetch in progress. */
const maxFetchWaitMs: Millis = 100;
/** After this long a member notices partitions that were added to the topic, and the group shares them out. */
const metadataMaxAgeMs: Millis = 5_000;
const leavePatienceMs: Millis = 1_500;
const retryMs: Millis = 500;

const role = {
  connectionTimeoutMs: 2_000,
  requestTimeoutMs: 10_000,
  retry: { initialRetryTime: 100, maxRetryTime: 2_000, retries: 5 },
};

export async function startGroupConsumer(
  tools: GroupTools,
  topic: string,
  groupId: string,
  handlers: ConsumerHandlers,
): Promise<Consumer> {
  const { admin, log } = tools;
  const held = new Map<number, Held>();
  /** The end of each partition's previous assignment: the next one waits for its handler. */
  const before = new Map<number, Promise<void>>();
  let member = '';
  let joins = 0;
  let stopped: Promise<void> | null = null;

  const consumer = tools.newClient({ ...role, onLine: noticeJump }).consumer({
    groupId,
    partitionAssigners: [
      stickyAssigner(() => {
        joins += 1;
        return [...held.keys()];
      }),
    ],
    sessionTimeout: tools.sessionMs,
    rebalanceTimeout: Math.min(tools.sessionMs, longestJoinMs),
    heartbeatInterval: heartbeatMs,
    maxWaitTimeInMs: maxFetchWaitMs,
    allowAutoTopicCreation: false,
    metadataMaxAge: metadataMaxAgeMs,
    retry: { ...role.retry, restartOnFailure: async () => stopped === null },
  });

  function onJoin({ memberId, memberAssignment }: { memberId: string; memberAssignment: kafkajs.Assignment }): void {
    const stayed = memberId === member && joins === 1;
    member = memberId;
    joins = 0;
    if (stopped !== null) return;
    const assigned = memberAssignment[topic] ?? [];
    for (const each of [...held.values()]) if (!stayed || !assigned.includes(each.partition)) drop(each);
    for (const partition of assigned) {
      const kept = held.get(partition);
      if (kept === undefined) hold(partition);
      // The library has lost its position.
      else if (kept.started) consumer.seek({ topic, partition, offset: String(kept.position) });
    }
  }

  /** After a crash the library leaves its group. It stays out until it rejoins as a new member. */
  function onLeft(): void {
    if (stopped === null) for (const each of [...held.values()]) drop(each);
  }

  function drop(each: Held): void {
    held.delete(each.partition);
    each.stop.abort();
    each.queue.close();
    handlers.revoked(each.partition);
  }

  function hold(partition: number): void {
    consumer.pause([{ topic, partitions: [partition] }]);
    const fresh: Held = {
      partition,
      position: 0,
      queue: new PartitionQueue(),
      started: false,
      paused: true,
      checking: false,
      stop: new AbortController(),
      ended: Promise.resolve(),
    };
    held.set(partition, fresh);
    const earlier = before.get(partition) ?? Promise.resolve();
    fresh.ended = earlier
      .then(() => handOver(fresh))
      .catch((error: unknown) => {
        if (!fresh.stop.signal.aborted) endOne(fresh, asError(error));
      });
    before.set(partition, fresh.ended);
  }

  /** Keep a partition whose error is its own: another member would only hit the same error. Stop fetching it. */
  function endOne(each: Held, error: Error): void {
    const alone = error instanceof Halted || (error instanceof OffsetOutOfRange && handlers.outOfRange !== undefined);
    if (!alone) {
      fail(error);
      return;
    }
    each.started = false;
    each.queue.close();
    pause(each);
    if (error instanceof OffsetOutOfRange) handlers.outOfRange?.(error);
  }

  /** One partition from its assignment to its end. */
  async function handOver(each: Held): Promise<void> {
    const { partition, queue, stop } = each;
    if (stop.signal.aborted) return;
    each.position = await handlers.assigned(partition);
    if (!(await isHeldByKafka(each)) || stop.signal.aborted) return;
    each.started = true;
    seekAndResume(each);
    let from = each.position;
    for (let next = await queue.take(); next !== null; next = await queue.take()) {
      if (stop.signal.aborted) return;
      if (each.paused && !each.checking && queue.hasRoom) resume(each);
      const values = await tools.schemas.decodeAll(
        next.messages.map((message) => message.value),
        stop.signal,
      );
      if (stop.signal.aborted) return;
      const records = next.messages.map((message, index) => {
        return deliveredRecord(message, values[index] as Decoded);
      });
      await handlers.batch({ topic, partition, records, from, highWatermark: next.highWatermark });
      from = (records.at(-1)?.offset ?? from) + 1;
    }
  }

  function seekAndResume(each: Held): void {
    consumer.seek({ topic, partition: each.partition, offset: String(each.position) });
    resume(each);
  }

  function resume(each: Held): void {
    each.paused = false;
    consumer.resume([{ topic, partitions: [each.partition] }]);
  }

  function pause(each: Held): void {
    each.paused = true;
    consumer.pause([{ topic, partitions: [each.partition] }]);
  }

  /** Whether Kafka holds our position; waits while Kafka does not answer. */
  async function isHeldByKafka(each: Held): Promise<boolean> {
    while (!each.stop.signal.aborted) {
      try {
        const range = (await admin.ranges(topic)).find(({ partition }) => partition === each.partition);
        // A broker that was asked may not have heard yet of a partition that was added.
        if (range === undefined) throw new BrokerUnavailable(`Kafka does not show partition ${each.partition} yet`);
        if (range.low <= each.position && each.position <= range.high) return true;
        throw new OffsetOutOfRange(each.partition, each.position);
      } catch (error) {
        if (error instanceof OffsetOutOfRange) throw error;
        await sleep(retryMs, each.stop.signal);
      }
    }
    return false;
  }

  /** The library has continued from another position than ours. */
  function check(each: Held): void {
    if (each.checking || !each.started) return;
    each.checking = true;
    pause(each);
    void isHeldByKafka(each).then(
      (holds) => {
        each.checking = false;
        if (holds && !each.stop.signal.aborted) seekAndResume(each);
      },
      (error: unknown) => {
        if (!each.stop.signal.aborted) endOne(each, asError(error));
      },
    );
  }

  /** kafkajs reports an offset out of range only in its log. */
  function noticeJump(line: LibraryLine): void {
    if (!line.message.startsWith('Offset out of range') || line.topic !== topic) return;
    const each = held.get(Number(line.partition));
    if (each !== undefined) check(each);
  }

  async function eachBatch({ batch }: kafkajs.EachBatchPayload): Promise<void> {
    const each = held.get(batch.partition);
    if (each === undefined || !each.started || each.checking) return;
    if (!takeBatch(each, batch)) check(each);
    else if (each.queue.isFull && !each.paused) pause(each);
  }

  function onBatchStart(started: StartedBatch & { partition: number }): void {
    const each = held.get(started.partition);
    if (each?.started && !each.checking) passEmptyBatch(each, started);
  }

  async function end(): Promise<void> {
    for (const each of held.values()) {
      each.stop.abort();
      each.queue.close();
    }
    await Promise.all(before.values());
    const late = new AbortController();
    const gone = consumer.disconnect().then(
      () => late.abort(),
      () => late.abort(),
    );
    await Promise.race([gone, sleep(leavePatienceMs, late.signal)]);
  }

  const isOver = () => stopped !== null;
  const acknowledge = offsetCommits(consumer, topic, isOver);
  const running = { autoCommit: false, partitionsConsumedConcurrently: 1, eachBatch };

  function fail(error: Error): void {
    if (stopped !== null) return;
    log.error('consumer stops', { topic, group: groupId, error: error.message });
    stopped = end();
    void stopped.then(() => handlers.failed(error));
  }

  const { events } = consumer;
  consumer.on(events.GROUP_JOIN, ({ payload }) => onJoin(payload));
  consumer.on(events.STOP, onLeft);
  consumer.on(events.START_BATCH_PROCESS, ({ payload }) => onBatchStart(payload));
  consumer.on(events.CRASH, ({ payload }) => {
    if (payload.restart || stopped !== null) return;
    if (isWithoutCoordinator(payload.error)) void startOver(consumer, running, retryMs, isOver);
    else fail(payload.error);
  });
  try {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run(running);
  } catch (error) {
    await consumer.disconnect().catch(() => {});
    throw asBrokerError(error);
  }
  return {
    async acknowledge(partition, nextOffset) {
      acknowledge(partition, nextOffset);
    },
    stop() {
      stopped ??= end();
      return stopped;
    },
  };
}
