// The library gives a consumer up for good when a broker that has just gone leaves it nobody to ask for the group's coordinator. We do not.
import type kafkajs from 'kafkajs';
import type { Millis } from '../../core/units.ts';
import { sleep } from '../process/clock.ts';
import { causeOf } from './errors.ts';

/** Whether that is what a consumer crashed of. Where the library asked in a retry, it says so under a wrapper. */
export function isWithoutCoordinator(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof Error && cause.name === 'KafkaJSGroupCoordinatorNotFound';
}

/** Has a consumer that was given up run again, as soon as there is somebody to ask; until `isOver`. */
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
      // Tried again: there is still nobody.
    }
  }
  if (isOver()) await consumer.disconnect().catch(() => {});
}
