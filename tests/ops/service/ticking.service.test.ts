// Time reaches the folds without a role of its own that could be forgotten: a process of projectors ticks, one at a time
// (docs/operations.md#background-work). A violation is a service whose quotes stay `live` for ever after their feed has stopped.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { partitionOfKey } from '../../../core/partition-of-key.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { pushMoneyline } from '../../support/editions/push-moneyline.ts';
import { testPeppers } from '../../support/processes/process-environment.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const postgres = await services.postgres();

describe('ticks', skipFor(postgres.skip), () => {
  it('come from a process of projectors, without the role `ticker`', async () => {
    const database = await postgres.createMigratedDatabase();
    const environment = {
      DATABASE_URL: database.url,
      SDS_KEY_PEPPERS: testPeppers,
    };
    const edition = await startEdition({ environment, roles: ['ingest', 'projectors'], ticks: undefined });
    try {
      await push(edition);
      const [game] = await edition.drivers.catalogs.live.gamesOpenFor('feed');
      assert.ok(game !== undefined);
      const { broker, catalogs } = edition.drivers;
      const partition = partitionOfKey(game.gameUuid, await broker.partitions(topics.quotes));
      await until('the partition of the game is ticked twice', async () => {
        const { high = 0 } =
          (await broker.watermarks(topics.quotes)).find((each) => each.partition === partition) ?? {};
        let ticks = 0;
        for await (const { records } of broker.read(topics.quotes, partition, 0, high))
          for (const { value } of records) if ((value as QuotesRecord).tick !== null) ticks += 1;
        return ticks >= 2;
      });
      const newest = await catalogs.operations.newestTick();
      assert.ok(newest !== null && newest.age < 5_000_000, `the newest tick is ${newest?.age} µs old`);
    } finally {
      await edition.stop();
      await database.drop();
    }
  });
});

async function push(edition: Edition): Promise<void> {
  await pushMoneyline({ gateway: edition.ingestUrl, key: await edition.feedKey(['push']) }, 110);
}
