// Claim: a full disk is an outage like any other. Published data stays served, no incomplete file is referenced, and the waiting rows
// appear by themselves once there is room. A store that refuses like a full disk stands in for it.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { describe, it } from 'vitest';
import { unrestricted } from '../../../core/access/feed-grant.ts';
import { anyGame } from '../../../core/ports/catalog/games.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { openDrivers } from '../../../ops/service/drivers.ts';
import { mintApiKey, mintFeedKey } from '../../../ops/service/new-keys.ts';
import { startService } from '../../../ops/service/service.ts';
import { openServingDrivers } from '../../../ops/service/serving-drivers.ts';
import { startApi } from '../../../ops/service/start-api.ts';
import { readSettings } from '../../../platform/config/settings.ts';
import { manifestOf, rowsOf } from '../../support/editions/published-game.ts';
import { pushMoneyline } from '../../support/editions/push-moneyline.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const postgres = await services.postgres();

describe('a full disk', skipFor(postgres.skip), () => {
  it('holds publishing up and loses nothing', async () => {
    const dir = makeDataFolder('full');
    const database = await postgres.createDatabase();
    const settings = readSettings({
      SDS_DATA_DIR: dir,
      DATABASE_URL: database.url,
      SDS_API_PORT: '0',
      SDS_INGEST_PORT: '0',
    });
    const drivers = await openDrivers(settings, silentLog);
    let room = true;
    let refused = 0;
    const objects = {
      ...drivers.objects,
      async put(key: string, bytes: Uint8Array) {
        if (!room) {
          refused += 1;
          throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
        }
        await drivers.objects.put(key, bytes);
      },
    };
    const service = await startService(settings, { ...drivers, objects }, ['ingest', 'projectors'], silentLog, {
      flushEveryMs: 0,
    });
    const serving = await openServingDrivers(settings, drivers.login, silentLog);
    const running = await startApi(settings, serving, silentLog);
    try {
      const { keys } = drivers.catalogs;
      const account = randomUUID();
      await keys.createAccount({ id: account, name: 'full', tier: 'PRO', entitled: true, monthlyRows: null });
      const minted = await mintApiKey(keys, drivers.peppers, account);
      assert.equal(minted.kind, 'minted');
      const api = { apiUrl: running.url, apiKey: minted.kind === 'minted' ? minted.plaintext : '' };
      const feedKey = (await mintFeedKey(keys, drivers.peppers, unrestricted(['*'], ['push']))).plaintext;
      const push = async (american: number): Promise<void> => {
        const commenceTime = new Date(Date.now() + 1e7).toISOString();
        const to = { gateway: String(service.ingestUrl), key: feedKey };
        await pushMoneyline(to, american, { away: 'STL', commenceTime });
      };
      await push(110);
      const game = await until1(async () => (await drivers.catalogs.games.list({ ...anyGame, limit: 1 }))[0]?.gameId);
      const served = async (): Promise<unknown[]> =>
        (await rowsOf(api, await manifestOf(api, game))).map((row) => row.price_american);
      await until('the first row is served', async () => (await served()).length === 1);
      room = false;
      for (const american of [120, 130, 140]) await push(american);
      await until('the disk has refused several times', () => refused >= 3);
      assert.deepEqual(await served(), [110], 'what was published stays');
      room = true;
      await until('all rows are served', async () => (await served()).length === 4);
      assert.deepEqual(await served(), [110, 120, 130, 140]);
    } finally {
      room = true;
      await running.stop();
      await serving.close();
      await service.stop();
      await drivers.close();
      await database.drop();
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

async function until1<T>(get: () => Promise<T | undefined>): Promise<T> {
  let found: T | undefined;
  await until('there is one', async () => {
    found = await get();
    return found !== undefined;
  });
  return found as T;
}
