// Retention in the whole service: old records are deleted, and the next owner of the partitions continues without them.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { it } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { microsPerHour } from '../../../core/units.ts';
import { wallClockNow } from '../../../platform/process/clock.ts';
import { forgetExpired, type RetentionTools } from '../../../projectors/jobs/retention.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { type Edition, SetClock, startEdition } from '../../support/editions/edition.ts';
import { getJson, manifestOf, rowsOf } from '../../support/editions/published-game.ts';
import { send } from '../../support/http/gateway-http.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const postgres = await services.postgres();
const microsPerDay = 24 * microsPerHour;

it('what is past its retention goes, and a takeover folds on from its snapshots', skipFor(postgres.skip), async (t) => {
  if (postgres.skip !== false) return;
  const database = await postgres.createMigratedDatabase();
  const folder = makeDataFolder('retention');
  const running = new Set<Edition>();
  t.onTestFinished(async () => {
    for (const edition of running) await edition.stop();
    rmSync(folder, { recursive: true, force: true });
    await database.drop();
  });
  async function start(): Promise<Edition> {
    const edition = await startEdition({ environment: { DATABASE_URL: database.url, SDS_DATA_DIR: folder } });
    running.add(edition);
    return edition;
  }
  /** The retention job as it runs `days` later. */
  const toolsOf = ({ drivers: { broker, catalogs } }: Edition, days: number): RetentionTools => {
    const { forget } = broker;
    assert.ok(forget !== undefined);
    const live = { now: async () => wallClockNow() + days * microsPerDay };
    return {
      forget,
      broker,
      catalog: catalogs.retention,
      leases: catalogs.leases,
      live,
      clock: new SetClock(),
      log: silentLog,
    };
  };
  const forgetIn = (edition: Edition, days: number) =>
    forgetExpired(toolsOf(edition, days), new AbortController().signal);
  const lows = async (edition: Edition, topic: string) =>
    (await edition.drivers.broker.watermarks(topic)).filter(({ high }) => high > 0);

  let first = 0;
  async function push(edition: Edition, price: number): Promise<void> {
    const commence_time = new Date(first).toISOString();
    const game = { league: 'NBA', event_id: 'e', home_team: 'Boston Celtics', away_team: 'Miami Heat', commence_time };
    const quotes = [{ market: 'moneyline', selection: 'home', price: { american: price } }];
    const answer = await send(`${edition.ingestUrl}/v1/sources/feed/quotes`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await edition.feedKey(['push'])}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ events: [{ kind: 'image', operator: 'X', game, quotes }] }),
    });
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
  }
  async function rowsIn(edition: Edition, count: number) {
    let found: Awaited<ReturnType<typeof rowsOf>> = [];
    await until(`${count} rows`, async () => {
      const { data } = (await getJson(edition, '/v1/games')) as { data: { id: string }[] };
      const id = data[0]?.id;
      if (id === undefined) return false;
      found = await manifestOf(edition, id).then(
        (manifest) => rowsOf(edition, manifest),
        () => [],
      );
      return found.length >= count;
    });
    return found;
  }

  first = Date.now() + 3_600_000;
  const one = await start();
  await push(one, -110);
  await push(one, -120);
  await rowsIn(one, 2);
  await until('publications', async () => (await lows(one, topics.publications)).length > 0);
  await forgetIn(one, 10);
  for (const topic of [topics.quotes, topics.publications])
    for (const { low } of await lows(one, topic)) assert.equal(low, 0, 'two weeks are not over');
  await forgetIn(one, 20);
  for (const { low } of await lows(one, topics.quotes)) assert.equal(low, 0, 'there is no snapshot yet');
  for (const { low, high } of await lows(one, topics.publications)) assert.equal(low, high);
  // Stopping writes a snapshot.
  const stop = async (edition: Edition) => {
    running.delete(edition);
    await edition.stop();
  };
  await stop(one);

  const two = await start();
  const retain = async (edition: Edition, what: string, isDone: () => Promise<boolean>) =>
    until(what, async () => {
      // The lease of the earlier process has to expire first.
      await forgetIn(edition, 20);
      return isDone();
    });
  await retain(two, 'publications go', async () =>
    (await lows(two, topics.publications)).every(({ low, high }) => low === high),
  );
  const [before] = await lows(two, topics.quotes);
  assert.equal(before?.low, 0, 'there is no older snapshot yet');
  await push(two, -130);
  await rowsIn(two, 3);
  await stop(two);

  const three = await start();
  await retain(three, 'what is behind the oldest snapshot goes', async () =>
    (await lows(three, topics.quotes)).every(({ low }) => low > 0),
  );
  const [left] = await lows(three, topics.quotes);
  assert.deepEqual(
    [left?.low, left!.high > before!.high],
    [before?.high, true],
    'the records that an owner would fold are kept',
  );
  await push(three, -140);
  const rows = await rowsIn(three, 4);
  assert.deepEqual(
    rows.map((row) => row.price_american),
    [-110, -120, -130, -140],
  );
});
