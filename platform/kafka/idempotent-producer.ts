// Appends to one partition so that a retry writes nothing twice, loses nothing and lets nothing overtake: one request at a time, and a
// producer that has failed is never used again. (kafkajs takes the sequence numbers of a failed request back. If the broker had taken that
// request after all, the next records under the same numbers would be acknowledged as duplicates and lost; a new producer has a new id.)
// A retry goes through the producer that made the first attempt: under another id the broker could not tell it from new records. One
// partition, since kafkajs retries a send of several by broker and not by partition: where a leader has moved to a broker that has already
// answered it sends nothing and resolves, and what another broker takes meanwhile it sends again under new numbers (tulios/kafkajs#1303).
// A request that was given up while its broker stood still may yet be written when it goes on, ahead of the new producer's handshake.
import type kafkajs from 'kafkajs';
import { BrokerUnavailable } from '../../core/ports/broker.ts';
import type { Millis } from '../../core/units.ts';
import { monotonicMs, sleep } from '../process/clock.ts';
import { asBrokerError, causeOf, isProtocolError } from './errors.ts';

export interface IdempotentProducer {
  /** One call at a time. Durable on every in-sync replica when it resolves, with the offset behind them. @throws BrokerUnavailable within about eight seconds. */
  send(messages: readonly kafkajs.Message[]): Promise<number>;
  close(): Promise<void>;
}

/** No further attempt begins after this; one under way ends within the client's request time-out. */
const patienceMs: Millis = 4_000;
const retryAfterMs: Millis = 100;
const brokerTimeoutMs: Millis = 3_000;

/** The producer of one partition. Nothing is connected before the first call. */
export function openIdempotentProducer(client: kafkajs.Kafka, topic: string, partition: number): IdempotentProducer {
  let connected: kafkajs.Producer | null = null;

  async function connect(): Promise<kafkajs.Producer> {
    if (connected !== null) return connected;
    const producer = client.producer({
      idempotent: true,
      allowAutoTopicCreation: false,
      createPartitioner: () => () => partition,
      // The library insists on one retry; ours are around it.
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

/** The library has resolved without an answer for the partition, as it does where its metadata leaves the partition out. */
class Unnamed extends BrokerUnavailable {
  constructor() {
    super('Kafka cannot answer now: no broker has said where the records are');
  }
}

/** The producer's numbers are not, or may not be, the broker's any more: a retry under them cannot succeed, or would write twice. */
function isSpent(error: unknown): boolean {
  if (error instanceof Unnamed) return true;
  const cause = causeOf(error);
  const spent = ['OUT_OF_ORDER_SEQUENCE_NUMBER', 'UNKNOWN_PRODUCER_ID', 'INVALID_PRODUCER_EPOCH'];
  return isProtocolError(cause) && spent.includes(cause.type);
}
