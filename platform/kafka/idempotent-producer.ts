// Appends to Kafka so that a retry writes nothing twice and nothing overtakes: one request at a time, and a producer that has failed is
// never used again. (kafkajs takes the sequence numbers of a failed request back. If the broker had taken that request after all, the
// next records under the same numbers would be acknowledged as duplicates and lost; a new producer has a new id.) A retry goes through
// the producer that made the first attempt: under another id the broker could not tell it from new records. A request that was given
// up while its broker stood still may yet be written when it goes on, ahead of the new producer's handshake.
import type kafkajs from 'kafkajs';
import { BrokerUnavailable } from '../../core/ports/broker.ts';
import type { Millis } from '../../core/units.ts';
import { monotonicMs, sleep } from '../process/clock.ts';
import { asBrokerError, causeOf, isProtocolError } from './errors.ts';

export interface IdempotentProducer {
  /** One call at a time. Durable on every in-sync replica when it resolves. @throws BrokerUnavailable within about eight seconds. */
  send(topic: string, messages: readonly kafkajs.Message[]): Promise<void>;
  close(): Promise<void>;
}

/** No further attempt begins after this; one under way ends within the client's request time-out. */
const patienceMs: Millis = 4_000;
const retryAfterMs: Millis = 100;
const brokerTimeoutMs: Millis = 3_000;

export function openIdempotentProducer(client: kafkajs.Kafka): IdempotentProducer {
  let connected: kafkajs.Producer | null = null;

  async function connect(): Promise<kafkajs.Producer> {
    if (connected !== null) return connected;
    const producer = client.producer({
      idempotent: true,
      allowAutoTopicCreation: false,
      createPartitioner: () => (args) => args.message.partition as number,
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

  async function attempt(topic: string, messages: readonly kafkajs.Message[]): Promise<void> {
    const producer = await connect();
    await producer.send({ topic, messages: [...messages], acks: -1, timeout: brokerTimeoutMs });
  }

  return {
    async send(topic, messages) {
      const giveUpAt = monotonicMs() + patienceMs;
      for (;;) {
        try {
          return await attempt(topic, messages);
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

/** The broker does not know the producer's numbers any more: a retry under them cannot succeed. */
function isSpent(error: unknown): boolean {
  const cause = causeOf(error);
  const spent = ['OUT_OF_ORDER_SEQUENCE_NUMBER', 'UNKNOWN_PRODUCER_ID', 'INVALID_PRODUCER_EPOCH'];
  return isProtocolError(cause) && spent.includes(cause.type);
}
