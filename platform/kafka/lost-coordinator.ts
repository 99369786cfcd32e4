// Restarts a consumer that kafkajs gives up: if a broker has just gone and none is left to ask for the group's coordinator, the library
// stops for good.
import type kafkajs from 'kafkajs';
import type { Millis } from '../../core/units.ts';
import { sleep } from '../process/clock.ts';
import { causeOf } from './errors.ts';

/** Whether a consumer crashed for that reason. If the library failed in a retry, the error is wrapped. */
export function isWithoutCoordinator(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof Error && cause.name === 'KafkaJSGroupCoordinatorNotFound';
}

/** Restarts such a consumer as soon as a broker answers; until `isOver`. */
export async function startOver(
  consumer: Pick<kafkajs.Consumer, 'connect' | 'run' | 'disconnect'>,
  running: kafkajs.ConsumerRunConfig,
  everyMs: Millis,
  isOver: () => boolean,
): Promise<void> {
  for (;;) {
    await sleep(everyMs);
    if (isOver()) return;
    try {
      await consumer.connect();
      await consumer.run(running);
      break;
    } catch {
      // No broker answers yet; try again.
    }
  }
  if (isOver()) await consumer.disconnect().catch(() => {});
}
