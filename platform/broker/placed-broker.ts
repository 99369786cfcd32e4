// A log whose games stay in the partition that they began in, however many partitions are added: the catalog decides once among how many
// partitions a key is divided, and every process asks it (docs/operations.md#adding-partitions). Topics that do not grow are passed through.
import { LRUCache } from 'lru-cache';
import { partitionOfKey } from '../../core/partition-of-key.ts';
import type { Broker, OutgoingRecord } from '../../core/ports/broker.ts';
import type { LogLayoutsCatalog, Placing } from '../../core/ports/catalog/log-layouts.ts';
import { type GrowingTopic, growingTopics } from '../../schemas/events/topics.ts';
import { asBrokerError } from './unavailable.ts';

type Layouts = Pick<LogLayoutsCatalog, 'placing' | 'begin'>;

/** Places of keys that are remembered, per topic. They never change; a forgotten one is asked for again. */
const mostRemembered = 20_000;

export function placedBroker(broker: Broker, layouts: Layouts): Broker {
  const places = new Map(growingTopics.map((topic) => [topic as string, openPlaces(broker, layouts, topic)]));

  async function placed(topic: string, records: readonly OutgoingRecord[]): Promise<readonly OutgoingRecord[]> {
    const of = places.get(topic);
    if (of === undefined) return records;
    const keys = new Set(records.filter(({ partition }) => partition === undefined).map(({ key }) => key));
    const partitions = await of.partitionsOf([...keys]);
    return records.map((record) =>
      record.partition === undefined ? { ...record, partition: partitions.get(record.key) as number } : record,
    );
  }

  const { forget, registryAnswers } = broker;
  return {
    async prepare() {
      await broker.prepare();
      for (const topic of places.values()) await topic.begin();
    },
    partitions: (topic) => broker.partitions(topic),
    addPartitions: (topic, partitions) => broker.addPartitions(topic, partitions),
    async partitionOf(topic, key) {
      const of = places.get(topic);
      if (of === undefined) return broker.partitionOf(topic, key);
      return (await of.partitionsOf([key])).get(key) as number;
    },
    produce: async (topic, records) => broker.produce(topic, await placed(topic, records)),
    consume: (options, handlers) => broker.consume(options, handlers),
    watermarks: (topic) => broker.watermarks(topic),
    offsetAt: (topic, partition, time) => broker.offsetAt(topic, partition, time),
    read: (topic, partition, from, to) => broker.read(topic, partition, from, to),
    writerSchema: (id) => broker.writerSchema(id),
    ...(forget === undefined ? {} : { forget }),
    healthy: () => broker.healthy(),
    ...(registryAnswers === undefined ? {} : { registryAnswers: () => registryAnswers.call(broker) }),
    close: () => broker.close(),
  };
}

type Places = {
  begin(): Promise<unknown>;
  partitionsOf(keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
};

function openPlaces(broker: Broker, layouts: Layouts, topic: GrowingTopic): Places {
  const remembered = new LRUCache<string, number>({ max: mostRemembered });
  /** Keys that are asked for together: one question for all calls of a turn. */
  let asking: { keys: Set<string>; answer: Promise<ReadonlyMap<string, number>> } | null = null;

  const begin = async (): Promise<number> => layouts.begin(topic, await broker.partitions(topic));

  async function placing(keys: readonly string[]): Promise<Placing> {
    const known = await layouts.placing(topic, keys);
    if (known.first !== null) return known;
    await begin();
    return layouts.placing(topic, keys);
  }

  async function ask(keys: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    // One microtask later the calls of this turn have added their keys.
    await Promise.resolve();
    asking = null;
    const { first, counts } = await placing([...keys]);
    const found = new Map<string, number>();
    for (const key of keys) {
      const partition = partitionOfKey(key, counts.get(key) ?? (first as number));
      found.set(key, partition);
      if (counts.has(key)) remembered.set(key, partition);
    }
    return found;
  }

  function askFor(keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (asking === null) {
      const together = new Set<string>();
      asking = { keys: together, answer: ask(together) };
    }
    for (const key of keys) asking.keys.add(key);
    return asking.answer;
  }

  return {
    begin: () => begin().catch(rethrow),
    async partitionsOf(keys) {
      const found = new Map<string, number>();
      const unknown: string[] = [];
      for (const key of keys) {
        const partition = remembered.get(key);
        if (partition === undefined) unknown.push(key);
        else found.set(key, partition);
      }
      if (unknown.length === 0) return found;
      const answer = await askFor(unknown).catch(rethrow);
      for (const key of unknown) found.set(key, answer.get(key) as number);
      return found;
    },
  };
}

function rethrow(error: unknown): never {
  throw asBrokerError(error);
}
