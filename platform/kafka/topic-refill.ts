// Recreates topics from archived records, each at its original offset and time: for a restore into a cluster without these topics. While it
// is being filled, a topic takes timestamps from its producer; afterwards it gets the settings of a new topic. Offsets are checked after
// each append, so a second writer makes the refill fail.
import { randomUUID } from 'node:crypto';
import kafkajs from 'kafkajs';
import { BrokerUnavailable } from '../../core/ports/broker.ts';
import type { RawRecord } from '../../core/ports/raw-archive.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { RefillPlan, type RefillStep } from '../../core/raw-archive/refill-plan.ts';
import type { Millis } from '../../core/units.ts';
import type { TopicSettings } from '../broker/topic-settings.ts';
import type { KafkaLink } from '../config/link-settings.ts';
import { monotonicMs, sleep } from '../process/clock.ts';
import { topicConfig } from './kafka-admin.ts';
import { openClient } from './kafkajs-client.ts';
import { openRegistry } from './registry.ts';

/** Offsets [low, high) of a partition. */
export type FilledPartition = { partition: number; low: number; high: number };

export interface TopicRefill {
  /** Those of the names that are existing topics. */
  present(names: readonly string[]): Promise<readonly string[]>;
  /** Registers the schemas of a topic. Returns the id that each has here, by its original id. */
  register(topic: string, schemas: ReadonlyMap<number, string>): Promise<ReadonlyMap<number, number>>;
  create(topic: TopicSettings): Promise<void>;
  /**
   * Fills an empty partition with records in order. `numbers`: the new schema ids by the original ones. `reached` is called with the next
   * offset after each append; it may throw, which ends the filling. Returns the number of records.
   */
  fill(
    topic: string,
    held: FilledPartition,
    records: AsyncIterable<readonly RawRecord[]>,
    numbers: ReadonlyMap<number, number>,
    reached: (next: number) => void,
  ): Promise<number>;
  /** Gives the topic the settings of a new topic. */
  finish(topic: TopicSettings): Promise<void>;
  close(): Promise<void>;
}

const role = {
  connectionTimeoutMs: 3_000,
  requestTimeoutMs: 30_000,
  retry: { initialRetryTime: 100, maxRetryTime: 2_000, retries: 8 },
};
/** How long to wait for a transaction's marker. */
const markerMs: Millis = 60_000;
const lookEveryMs: Millis = 10;
const fillersAtOnce = 20_000;

export function openTopicRefill({ brokers, sasl, tls, registry: link, replication }: KafkaLink, log: Log): TopicRefill {
  const client = openClient({ brokers, clientId: 'sds-restore', sasl, tls, log }, role);
  const registry = openRegistry(link, 'sds-restore');
  let connected: Promise<kafkajs.Admin> | null = null;

  function admin(): Promise<kafkajs.Admin> {
    connected ??= (async () => {
      const opened = client.admin();
      await opened.connect();
      return opened;
    })();
    return connected;
  }

  return {
    async present(names) {
      const there = new Set(await (await admin()).listTopics());
      return names.filter((name) => there.has(name));
    },
    async register(topic, schemas) {
      const numbers = new Map<number, number>();
      for (const [id, schema] of [...schemas].sort(([a], [b]) => a - b)) {
        const here = await registry.register(`${topic}-value`, schema).catch((error: unknown) => {
          if (error instanceof BrokerUnavailable) throw error;
          // A direct producer's own schema, which the subject of the topic would refuse.
          return registry.register(`restored-${topic}-${id}-value`, schema);
        });
        numbers.set(id, here);
      }
      return numbers;
    },
    async create(topic) {
      const config = {
        ...topicConfig(topic, replication),
        'message.timestamp.type': 'CreateTime',
        'cleanup.policy': 'delete',
      };
      const wanted = {
        topic: topic.name,
        numPartitions: topic.partitions,
        replicationFactor: replication,
        configEntries: entriesOf({ ...config, 'retention.ms': '-1' }),
      };
      await (await admin()).createTopics({ topics: [wanted], waitForLeaders: true });
    },
    async fill(topic, held, records, numbers, reached) {
      await using filling = new Filling(client, await admin(), topic, held.partition, reached);
      let count = 0;
      let plan: RefillPlan<RawRecord> | null = null;
      for await (const batch of records) {
        for (const record of batch) {
          if (plan === null) {
            await filling.begin(held.low, record.offset, record.timestamp / 1_000);
            plan = new RefillPlan(filling.next);
          }
          for (const step of plan.add(record)) await filling.take(step, numbers);
          count += 1;
        }
      }
      if (plan === null) await filling.begin(held.high, held.high, 0);
      else for (const step of plan.end(held.high)) await filling.take(step, numbers);
      return count;
    },
    async finish(topic) {
      const configEntries = entriesOf(topicConfig(topic, replication));
      const { TOPIC: type } = kafkajs.ConfigResourceTypes;
      await (await admin()).alterConfigs({
        validateOnly: false,
        resources: [{ type, name: topic.name, configEntries }],
      });
    },
    async close() {
      await (await connected?.catch(() => null))?.disconnect();
    },
  };
}

function entriesOf(config: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(config).map(([name, value]) => ({ name, value }));
}

/** One partition while it is being filled. */
class Filling {
  readonly #client: kafkajs.Kafka;
  readonly #admin: kafkajs.Admin;
  readonly #topic: string;
  readonly #partition: number;
  readonly #reached: (next: number) => void;
  #plain: kafkajs.Producer | null = null;
  #transactional: kafkajs.Producer | null = null;
  /** The offset of the next record. */
  next = 0;

  constructor(
    client: kafkajs.Kafka,
    admin: kafkajs.Admin,
    topic: string,
    partition: number,
    reached: (next: number) => void,
  ) {
    this.#client = client;
    this.#admin = admin;
    this.#topic = topic;
    this.#partition = partition;
    this.#reached = reached;
  }

  /**
   * Makes the partition begin at `low` and continue at `first`; the log deletes the offsets before `low`. `timestampMs`: the time of the
   * first record, so that times do not go back.
   */
  async begin(low: number, first: number, timestampMs: number): Promise<void> {
    // If the log has lost nothing, the offsets before the first record are void, not deleted.
    if (low === 0 && first > 1) return this.#abort(first, timestampMs);
    while (this.next < first) {
      const length = Math.min(fillersAtOnce, first - this.next);
      const filler = { key: 'filler', value: null, partition: this.#partition, timestamp: String(timestampMs) };
      await this.#append(
        await this.#plainProducer(),
        Array.from({ length }, () => filler),
      );
    }
    if (first === 0) return;
    // The library deletes records only of a topic whose metadata it has loaded.
    await this.#admin.fetchTopicOffsets(this.#topic);
    const partitions = [{ partition: this.#partition, offset: String(first) }];
    await this.#admin.deleteTopicRecords({ topic: this.#topic, partitions });
  }

  async take(step: RefillStep<RawRecord>, numbers: ReadonlyMap<number, number>): Promise<void> {
    if (step.kind === 'void') return this.#abort(step.offsets, 0);
    if (step.kind === 'records') {
      const messages = step.records.map((record) => this.#messageOf(record, numbers));
      return this.#append(await this.#plainProducer(), messages);
    }
    const transaction = await (await this.#transactionalProducer()).transaction();
    await this.#append(transaction, [this.#messageOf(step.record, numbers)]);
    await transaction.commit();
    await this.#marked();
  }

  async #abort(offsets: number, timestampMs: number): Promise<void> {
    const transaction = await (await this.#transactionalProducer()).transaction();
    for (let left = offsets - 1; left > 0; left -= fillersAtOnce) {
      const filler = { key: 'filler', value: null, partition: this.#partition, timestamp: String(timestampMs) };
      await this.#append(
        transaction,
        Array.from({ length: Math.min(left, fillersAtOnce) }, () => filler),
      );
    }
    await transaction.abort();
    await this.#marked();
  }

  async #append(to: Pick<kafkajs.Producer, 'send'>, messages: kafkajs.Message[]): Promise<void> {
    const { GZIP: compression } = kafkajs.CompressionTypes;
    const answers = await to.send({ topic: this.#topic, messages, acks: -1, compression });
    const base = Number(answers.find((each) => each.partition === this.#partition)?.baseOffset);
    if (base !== this.next) throw this.#disturbed(base);
    this.next += messages.length;
    this.#reached(this.next);
  }

  /** Waits for the marker of the transaction that has just ended; Kafka writes it after it has answered. */
  async #marked(): Promise<void> {
    this.next += 1;
    const until = monotonicMs() + markerMs;
    for (;;) {
      const offsets = await this.#admin.fetchTopicOffsets(this.#topic);
      const high = Number(offsets.find((each) => each.partition === this.#partition)?.high);
      if (high === this.next) return this.#reached(this.next);
      if (high > this.next || monotonicMs() > until) throw this.#disturbed(high);
      await sleep(lookEveryMs);
    }
  }

  #disturbed(found: number): Error {
    return new Error(
      `${this.#topic}/${this.#partition} is at offset ${found} instead of ${this.next}: something else writes to it`,
    );
  }

  #messageOf({ timestamp, key, headers, bytes }: RawRecord, numbers: ReadonlyMap<number, number>): kafkajs.Message {
    return {
      key,
      value: bytes.length === 0 ? null : renumbered(bytes, numbers),
      headers: { ...headers },
      partition: this.#partition,
      timestamp: String(timestamp / 1_000),
    };
  }

  async #plainProducer(): Promise<kafkajs.Producer> {
    this.#plain ??= await this.#connected({ idempotent: true });
    return this.#plain;
  }

  async #transactionalProducer(): Promise<kafkajs.Producer> {
    const transactionalId = `sds-restore-${randomUUID()}`;
    this.#transactional ??= await this.#connected({ idempotent: true, transactionalId, maxInFlightRequests: 1 });
    return this.#transactional;
  }

  async #connected(options: kafkajs.ProducerConfig): Promise<kafkajs.Producer> {
    const producer = this.#client.producer({ ...options, allowAutoTopicCreation: false });
    await producer.connect();
    return producer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#plain?.disconnect().catch(() => {});
    await this.#transactional?.disconnect().catch(() => {});
  }
}

/** The bytes, with the id that their schema has here. */
function renumbered(bytes: Uint8Array, numbers: ReadonlyMap<number, number>): Buffer {
  const copy = Buffer.from(bytes);
  const number = copy.length >= 5 && copy[0] === 0 ? numbers.get(copy.readUInt32BE(1)) : undefined;
  if (number !== undefined) copy.writeUInt32BE(number, 1);
  return copy;
}
