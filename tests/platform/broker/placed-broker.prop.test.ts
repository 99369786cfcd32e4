// Claim: whatever number of partitions are added, whenever, and however old a process's view of them is, all records of a game are in one
// partition; a game that is founded afterwards may be in a new one; and none is in a partition that had no owner when the game was founded
// (docs/operations.md#adding-partitions). A violation would need a process that places a key by the partitions of now.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { serviceUuid } from '../../../core/games/uuid.ts';
import { type Counts, planGrowth } from '../../../core/log-growth.ts';
import { partitionOfKey } from '../../../core/partition-of-key.ts';
import type { Broker, OutgoingRecord } from '../../../core/ports/broker.ts';
import type { LogLayout } from '../../../core/ports/catalog/log-layouts.ts';
import { placedBroker } from '../../../platform/broker/placed-broker.ts';
import { growingTopics, topics } from '../../../schemas/events/topics.ts';
import { MemoryLayouts } from '../../support/fakes/memory-layouts.ts';

type Put = { topic: string; key: string; partition: number };

/** A log that only records where records were put; all processes share its partitions. */
class NotedLog {
  readonly put: Put[] = [];
  readonly counts = new Map<string, number>();

  /** A process that uses the log. */
  open(): Broker {
    const unused = (): never => {
      throw new Error('the placed broker should not call this');
    };
    return {
      prepare: async () => {},
      partitions: async (topic) => this.counts.get(topic) ?? 0,
      addPartitions: async (topic, partitions) => void this.counts.set(topic, partitions),
      partitionOf: async (topic, key) => partitionOfKey(key, this.counts.get(topic) ?? 1),
      produce: async (topic, records) => {
        for (const { key, partition } of records) {
          const to = partition ?? partitionOfKey(key, this.counts.get(topic) ?? 1);
          assert.ok(to < (this.counts.get(topic) ?? 1), `${topic} has partition ${to}`);
          this.put.push({ topic, key, partition: to });
        }
        return new Map();
      },
      consume: unused,
      watermarks: unused,
      offsetAt: unused,
      read: unused,
      writerSchema: unused,
      healthy: async () => true,
      close: async () => {},
    };
  }
}

type Step =
  | { kind: 'found'; game: number }
  | { kind: 'send'; process: number; topic: (typeof growingTopics)[number]; games: number[] }
  /** Someone else adds partitions without a layout. */
  | { kind: 'alter'; by: number }
  | { kind: 'grow'; by: number }
  | { kind: 'restart'; process: number };

const processes = 3;
const games = fc.integer({ min: 0, max: 30 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('found' as const), game: games }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      process: fc.nat(processes - 1),
      topic: fc.constantFrom(...growingTopics),
      games: fc.array(games, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('alter' as const), by: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('grow' as const), by: fc.integer({ min: 1, max: 7 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), process: fc.nat(processes - 1) }) },
);

const uuidOf = (game: number): string => serviceUuid('feed', String(game));

describe('a log to which partitions are added', () => {
  it('keeps every game in one partition, among those that there were when it was founded', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 60 }), async (first, steps) => {
        const layouts = new MemoryLayouts();
        const log = new NotedLog();
        for (const topic of growingTopics) log.counts.set(topic, first);
        const brokers = Array.from({ length: processes }, () => placedBroker(log.open(), layouts));
        for (const broker of brokers) await broker.prepare();
        let used = first;
        const amongOf = new Map<number, number>();
        for (const each of steps) {
          if (each.kind === 'found') {
            layouts.found(uuidOf(each.game));
            if (!amongOf.has(each.game)) amongOf.set(each.game, used);
          } else if (each.kind === 'alter') {
            for (const [topic, count] of log.counts) log.counts.set(topic, count + each.by);
          } else if (each.kind === 'grow') {
            used = await grown(log, layouts, used + each.by);
          } else if (each.kind === 'restart') {
            brokers[each.process] = placedBroker(log.open(), layouts);
            await brokers[each.process]?.prepare();
          } else {
            // A key that is not a game yet keeps the first layout.
            for (const game of each.games) if (!amongOf.has(game)) amongOf.set(game, first);
            const records = each.games.map((game): OutgoingRecord => ({ key: uuidOf(game), value: null }));
            await brokers[each.process]?.produce(each.topic, records);
          }
        }
        const put = Map.groupBy(log.put, ({ key }) => key);
        for (const [game, among] of amongOf) {
          for (const { key, partition } of put.get(uuidOf(game)) ?? [])
            assert.equal(partition, partitionOfKey(key, among), `game ${game}`);
          for (const broker of brokers)
            for (const topic of growingTopics)
              assert.equal(await broker.partitionOf(topic, uuidOf(game)), partitionOfKey(uuidOf(game), among));
        }
      }),
    );
  });

  it('asks once for keys that are sent together, and never again for one that it knows', async () => {
    const layouts = new MemoryLayouts();
    const log = new NotedLog();
    for (const topic of growingTopics) log.counts.set(topic, 4);
    const broker = placedBroker(log.open(), layouts);
    await broker.prepare();
    const keys = Array.from({ length: 50 }, (_, game) => uuidOf(game));
    await Promise.all(keys.map((key) => broker.partitionOf(topics.quotes, key)));
    assert.equal(layouts.questions, 1);
    await broker.produce(
      topics.quotes,
      keys.map((key) => ({ key, value: null })),
    );
    assert.equal(layouts.questions, 1);
    await broker.produce(topics.quotes, [{ key: uuidOf(99), partition: 3, value: null }]);
    assert.equal(layouts.questions, 1, 'a record that names its partition asks for nothing');
    await broker.partitionOf(topics.games, 'any');
    assert.equal(layouts.questions, 1, 'a topic that does not grow is not asked for');
  });
});

async function grown(log: NotedLog, layouts: MemoryLayouts, wanted: number): Promise<number> {
  const held = Object.fromEntries(log.counts) as Counts;
  const newest = (await layouts.newest()) as LogLayout;
  const growth = planGrowth(held, newest, wanted);
  assert.equal(growth.kind, 'grow');
  if (growth.kind !== 'grow') return wanted;
  for (const { topic, to } of growth.adds) log.counts.set(topic, to);
  assert.ok(await layouts.add(growth.layout));
  return wanted;
}
