// Waits until a service has folded all that its log holds: reference data, what MSF said, what that says of games to the folds of their quotes
// (it goes there by the outbox), and the quotes; and until its API serves the folded logs. The API hears of a commit a moment after the commit.
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { until } from '../services/until.ts';
import type { Edition } from './edition.ts';

const patience = { everyMs: 10 };

/** Resolves when everything that is logged by now is folded, and served where the edition has an API. Others may push meanwhile. */
export async function everythingFolded(edition: Edition): Promise<void> {
  await caughtUp(edition, topics.games);
  await caughtUp(edition, topics.observations);
  const { outbox } = edition.drivers.catalogs;
  const left = new Set((await outbox.quotes(10_000)).map(({ id }) => id));
  const isTold = async () => (await outbox.quotes(10_000)).every(({ id }) => !left.has(id));
  if (left.size > 0) await until('the outbox is told', isTold, patience);
  await caughtUp(edition, topics.quotes);
  if (edition.apiUrl !== '') await everythingServed(edition);
}

async function everythingServed(edition: Edition): Promise<void> {
  const { live } = edition.drivers.catalogs;
  for (const { partition } of await edition.drivers.broker.watermarks(topics.quotes)) {
    for (const { gameUuid } of await live.publishedIn(partition)) {
      const log = await live.servedLog(gameUuid);
      if (log === null) continue;
      const committed = formatMicros(log.updatedAt);
      await until(`${gameUuid} is served`, async () => (await servedAt(edition, gameUuid)) >= committed, patience);
    }
  }
}

/** When the served version was committed. Where there is none, the API has asked the catalog, so it is as late as can be. */
async function servedAt({ apiUrl, apiKey }: Edition, gameUuid: string): Promise<string> {
  const address = `${apiUrl}/v1/games/${gameUuid}/sportsbook-lines/board`;
  const answer = await fetch(address, { headers: { authorization: `Bearer ${apiKey}` } });
  const body = (await answer.json()) as { updated_at: string };
  if (answer.status === 404) return formatMicros(Number.MAX_SAFE_INTEGER);
  return body.updated_at;
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
