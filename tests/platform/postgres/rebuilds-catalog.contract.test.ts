// The progress of rebuilds: what one process tells, every other that watches hears, until it stops.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { RebuildProgress } from '../../../core/ports/catalog/rebuilds.ts';
import { openRebuildsCatalog } from '../../../platform/postgres/rebuilds-catalog.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

for (const server of await allTestServers()) {
  describe(`progress of rebuilds on ${server.name}`, skipFor(server.skip), () => {
    it('is heard by all that watch, until they stop', async () => {
      const { sql } = await openDatabase(server);
      const [one, other] = [openRebuildsCatalog(sql), openRebuildsCatalog(sql)];
      const heard: [RebuildProgress[], RebuildProgress[]] = [[], []];
      const stop = await other.watchProgress((progress) => heard[0].push(progress));
      await other.watchProgress((progress) => heard[1].push(progress));
      const progress = { key: '11111111-2222-5333-8444-555555555555', read: 1, all: 3, took: 2_500_000 };
      await one.tellProgress(progress);
      await until('both have heard it', () => heard.every((each) => each.length === 1));
      await stop();
      await one.tellProgress({ ...progress, read: 2 });
      await until('the second has heard more', () => heard[1].length === 2);
      assert.deepEqual(heard, [[progress], [progress, { ...progress, read: 2 }]]);
    });
  });
}
