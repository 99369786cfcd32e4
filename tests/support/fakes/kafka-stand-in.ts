// Two Kafka brokers in memory under the library's own producer: leaders move, answers are late or lost, and each
// partition checks sequence numbers as Kafka does. Only what lies below the producer is a stand-in.
import { createRequire } from 'node:module';
import type kafkajs from 'kafkajs';
import { sleep } from '../../../platform/process/clock.ts';

const require = createRequire(import.meta.url);
const createProducer = require('kafkajs/src/producer') as (options: object) => kafkajs.Producer;
const { createErrorFromCode } = require('kafkajs/src/protocol/error') as { createErrorFromCode(code: number): Error };
const { KafkaJSBrokerNotFound } = require('kafkajs/src/errors') as { KafkaJSBrokerNotFound: new (m: string) => Error };
const [outOfOrder, notLeader, timedOut] = [45, 6, 7];
const logger = { namespace: () => logger, debug() {}, info() {}, warn() {}, error() {} };

type Request = {
  producerId: number;
  topicData: { partitions: { partition: string; firstSequence: number; messages: { value: Buffer }[] }[] }[];
};
type Entry = Request['topicData'][number]['partitions'][number];

export class KafkaStandIn {
  /** The leader of each partition; the client knows the leaders as of its last metadata request. */
  readonly leaders = new Map([
    [0, 'A'],
    [1, 'B'],
  ]);
  /** The records of each partition. */
  readonly logs = new Map<number, string[]>([
    [0, []],
    [1, []],
  ]);
  /** Called for each request that reaches a broker. It may wait, move leaders, or throw as the broker would. */
  onRequest: (broker: string, partitions: readonly number[]) => Promise<void> = async () => {};
  /** The partition whose next answer is lost after its records are written. */
  losesAnswerOf: number | null = null;
  /** A partition that the client's metadata do not contain. */
  unknown: number | null = null;
  /** How many producers were given an id. */
  producers = 0;
  readonly #next = new Map<string, number>();
  /** The offset of each batch, by its producer, partition and first sequence number. */
  readonly #bases = new Map<string, number>();

  /** A client with the library's real producers. */
  client(): kafkajs.Kafka {
    return {
      producer: (options: object) => createProducer({ ...options, cluster: this.#cluster(), logger }),
    } as unknown as kafkajs.Kafka;
  }

  #cluster(): object {
    const brokers = new Map(['A', 'B'].map((nodeId) => [nodeId, this.#broker(nodeId)]));
    let known = new Map(this.leaders);
    const refresh = async () => {
      known = new Map(this.leaders);
    };
    const seen = () => [...known].filter(([partition]) => partition !== this.unknown);
    return {
      retry: {},
      async connect() {},
      async disconnect() {},
      isConnected: () => true,
      removeBroker() {},
      async addMultipleTargetTopics() {},
      async refreshMetadataIfNecessary() {},
      refreshMetadata: refresh,
      findTopicPartitionMetadata: () => seen().map(([partitionId, leader]) => ({ partitionId, leader })),
      findLeaderForPartitions: (_topic: string, wanted: string[]) =>
        Object.fromEntries(
          Map.groupBy(
            seen().filter(([partition]) => wanted.includes(String(partition))),
            ([, leader]) => leader,
          )
            .entries()
            .map(([leader, led]) => [leader, led.map(([partition]) => partition)]),
        ),
      async findBroker({ nodeId }: { nodeId: string }) {
        const broker = brokers.get(nodeId);
        if (broker !== undefined) return broker;
        await refresh();
        throw new KafkaJSBrokerNotFound(`no broker ${nodeId}`);
      },
      findControllerBroker: async () => brokers.get('A'),
    };
  }

  #broker(nodeId: string): object {
    return {
      nodeId,
      isConnected: () => true,
      initProducerId: async () => {
        this.producers += 1;
        return { producerId: this.producers, producerEpoch: 0 };
      },
      produce: async ({ producerId, topicData }: Request) => {
        await sleep(2);
        const entries = topicData.flatMap(({ partitions }) => partitions);
        const numbers = entries.map(({ partition }) => Number(partition));
        await this.onRequest(nodeId, numbers);
        const partitions = entries.map((entry) => this.#append(nodeId, producerId, entry));
        // The library reports only the first error of a request.
        const failed = partitions.find(({ errorCode }) => errorCode !== 0);
        if (failed !== undefined) throw createErrorFromCode(failed.errorCode);
        return { topics: [{ topicName: 't', partitions }] };
      },
    };
  }

  #append(nodeId: string, producerId: number, { partition: name, firstSequence, messages }: Entry) {
    const partition = Number(name);
    const answer = (errorCode: number, base = -1) => ({ partition, errorCode, baseOffset: String(base) });
    if (this.leaders.get(partition) !== nodeId) return answer(notLeader);
    const key = `${producerId} ${partition}`;
    const next = this.#next.get(key) ?? 0;
    if (firstSequence > next) return answer(outOfOrder);
    const log = this.logs.get(partition) ?? [];
    const batch = `${key} ${firstSequence}`;
    if (firstSequence === next) {
      this.#bases.set(batch, log.length);
      log.push(...messages.map(({ value }) => value.toString()));
      this.#next.set(key, next + messages.length);
    }
    // For a batch that it already has, a broker answers the offset.
    if (this.losesAnswerOf !== partition) return answer(0, this.#bases.get(batch));
    this.losesAnswerOf = null;
    return answer(timedOut);
  }
}
