// The consumers that a log has given out: closing the log stops those that are left.
import type { Consumer } from '../../core/ports/broker.ts';

export interface OpenConsumers {
  /** Keeps the consumer until it has stopped; answers it as its user has it. */
  keep(consumer: Consumer): Consumer;
  stopAll(): Promise<void>;
}

export function openConsumers(): OpenConsumers {
  const open = new Set<Consumer>();
  return {
    keep(consumer) {
      open.add(consumer);
      return {
        acknowledge: consumer.acknowledge,
        async stop() {
          await consumer.stop();
          open.delete(consumer);
        },
      };
    },
    async stopAll() {
      await Promise.all([...open].map((consumer) => consumer.stop()));
    },
  };
}
