// Waits until a service has folded its whole log (reference data, MSF observations, their status records, which reach
// the quotes' topic through the outbox, and quotes), and until its API, which is notified of a commit a moment later,
// serves the result.
import { topics } from '../../../schemas/events/topics.ts';
import { until } from '../services/until.ts';
import type { Edition } from './edition.ts';

const patience = { everyMs: 10 };

/** Resolves when everything logged so far is folded and served. Pushes may continue. */
export async function everythingFolded(edition: Edition): Promise<void> {
  await caughtUp(edition, topics.games);
  await caughtUp(edition, topics.observations);
  const { outbox } = edition.drivers.catalogs;
  const left = new Set((await outbox.quotes(10_000)).map(({ id }) => id));
  const isTold = async () => (await outbox.quotes(10_000)).every(({ id }) => !left.has(id));
  if (left.size > 0) await until('the outbox is told', isTold, patience);
  await caughtUp(edition, topics.quotes);
  await edition.apiCaughtUp();
}

async function caughtUp({ drivers: { broker, catalogs } }: Edition, topic: string): Promise<void> {
  const marks = (await broker.watermarks(topic)).filter(({ low, high }) => high > low);
  const isFolded = async () => {
    const streams = (await catalogs.operations.streams()).filter((stream) => stream.topic === topic);
    return marks.every(({ partition, high }) =>
      streams.some((stream) => stream.partition === partition && stream.nextOffset >= high),
    );
  };
  await until(`${topic} is folded`, isFolded, patience);
}
