// Waiting until a service has folded all that it was told: every projector stands at the end of its topic, and what MSF told of games has gone
// from the outbox into the quotes' log and was folded there.
import { topics } from '../../schemas/events/topics.ts';
import type { Edition } from './edition.ts';
import { until } from './services/until.ts';

/** Resolves when nothing is under way. Nobody may be pushing meanwhile. */
export async function everythingFolded({ drivers }: Pick<Edition, 'drivers'>): Promise<void> {
  const { broker, catalogs } = drivers;
  const isRead = async (topic: string): Promise<boolean> => {
    const streams = (await catalogs.operations.streams()).filter((stream) => stream.topic === topic);
    const ends = await broker.watermarks(topic);
    return ends.every(
      ({ partition, high }) =>
        high === 0 || streams.some((stream) => stream.partition === partition && stream.nextOffset >= high),
    );
  };
  await until(
    'everything is folded',
    // In this order: an observation fills the outbox when it is folded, and what leaves the outbox is in the quotes' log by then.
    async () =>
      (await isRead(topics.observations)) &&
      (await catalogs.outbox.quotes(1)).length === 0 &&
      (await isRead(topics.quotes)),
    { timeoutMs: 120_000, everyMs: 10 },
  );
}
