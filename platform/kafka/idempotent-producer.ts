// Appends to one partition such that a retry duplicates, loses and reorders nothing: one request at a time, and a producer that has failed
// is never used again. (kafkajs reuses the sequence numbers of a failed request. If the broker had stored that request after all, it would
// acknowledge the next records under the same numbers as duplicates and drop them; a new producer has a new id.) A retry uses the producer
// of the first attempt: under another id the broker could not recognise the records. One partition only, because kafkajs retries a
// multi-partition send by broker: if a leader has moved to a broker that has already answered, it sends nothing and still resolves, and it
// resends what another broker has stored meanwhile under new numbers (tulios/kafkajs#1303). If a broker stalls and the request is given up,
// the broker may still write it when it resumes, before the new producer's handshake.
import type kafkajs from 'kafkajs';
import { BrokerUnavailable } from '../../core/ports/broker.ts';
import type { Millis } from '../../core/units.ts';
import { monotonicMs, sleep } from '../process/clock.ts';
import { asBrokerError, causeOf, isProtocolError } from './errors.ts';

export interface IdempotentProducer {
  /**
   * Call it once at a time. Once it resolves, the records are on every in-sync replica; returns the offset after them. @throws
   * BrokerUnavailable within about eight seconds.
   */
  send(messages: readonly kafkajs.Message[]): Promise<number>;
  close(): Promise<void>;
}

/** No attempt begins after this; one in progress ends within the client's request time-out. */
const patienceMs: Millis = 4_000;
const retryAfterMs: Millis = 100;
const brokerTimeoutMs: Millis = 3_000;

/** The producer of one partition. Connects on the first call. */
export function openIdempotentProducer(client: kafkajs.Kafka, topic: string, partition: number): IdempotentProducer {
  let connected: kafkajs.Producer | null = null;

  async function connect(): Promise<kafkajs.Producer> {
    if (connected !== null) return connected;
    const producer = client.producer({
      idempotent: true,
      allowAutoTopicCreation: false,
      createPartitioner: () => () => partition,
      // The library insists on one retry; we retry around it.
      retry: { retries: 1, initialRetryTime: 50, maxRetryTime: 100 },
    });
    try {
      await producer.connect();
    } catch (error) {
      await discard(producer);
      throw error;
    }
    connected = producer;
    return producer;
  }

  async function discard(producer: kafkajs.Producer): Promise<void> {
    if (connected === producer) connected = null;
    await producer.disconnect().catch(() => {});
  }

  async function attempt(messages: readonly kafkajs.Message[]): Promise<number> {
    const producer = await connect();
    const answers = await producer.send({ topic, messages: [...messages], acks: -1, timeout: brokerTimeoutMs });
    const answer = answers.find((each) => each.partition === partition && Number(each.baseOffset) >= 0);
    if (answer === undefined) throw new Unnamed();
    return Number(answer.baseOffset) + messages.length;
  }

  return {
    async send(messages) {
      const giveUpAt = monotonicMs() + patienceMs;
      for (;;) {
        try {
          return await attempt(messages);
        } catch (error) {
          const answer = asBrokerError(error);
          const retry = answer instanceof BrokerUnavailable && !isSpent(error) && monotonicMs() < giveUpAt;
          if (!retry) {
            if (connected !== null) await discard(connected);
            throw answer;
          }
          await sleep(retryAfterMs);
        }
      }
    },
    async close() {
      if (connected !== null) await discard(connected);
    },
  };
}

/** The library resolved without an answer for the partition, as it does when its metadata lacks the partition. */
class Unnamed extends BrokerUnavailable {
  constructor() {
    super('Kafka cannot answer now: no broker has confirmed where the records are');
  }
}

/** Whether the producer's sequence numbers may differ from the broker's: a retry would fail or write twice. */
function isSpent(error: unknown): boolean {
  if (error instanceof Unnamed) return true;
  const cause = causeOf(error);
  const spent = ['OUT_OF_ORDER_SEQUENCE_NUMBER', 'UNKNOWN_PRODUCER_ID', 'INVALID_PRODUCER_EPOCH'];
  return isProtocolError(cause) && spent.includes(cause.type);
}
