// The running consumers of a log, so that closing the log can stop them.
import type { Consumer } from '../../core/ports/broker.ts';

interface OpenConsumers {
  /** Tracks the consumer until it stops; returns it wrapped for its user. */
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
