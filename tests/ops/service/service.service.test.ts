// What the parts of a service are given by its start: its projectors tell how far they have carried out an order to rebuild a log.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { it } from 'vitest';
import type { RebuildProgress } from '../../../core/ports/catalog/rebuilds.ts';
import type { Clock } from '../../../core/ports/clock.ts';
import { microsPerSecond } from '../../../core/units.ts';
import { planRebuild } from '../../../ops/rebuild/plan-rebuild.ts';
import { rebuildLogs } from '../../../ops/rebuild/rebuild-logs.ts';
import { sleep, systemClock, wallClockNow } from '../../../platform/process/clock.ts';
import { startEdition } from '../../support/editions/edition.ts';
import { pushMoneyline } from '../../support/editions/push-moneyline.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { processEnvironment } from '../../support/processes/process-environment.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const postgres = await services.postgres();

/** Once it is slow, two seconds pass whenever somebody looks at it. */
class SlowClock implements Clock {
  isSlow = false;
  #passed = 0;
  now() {
    if (this.isSlow) this.#passed += 2 * microsPerSecond;
    return wallClockNow() + this.#passed;
  }
  sleep(ms: number, signal?: AbortSignal) {
    return sleep(ms, signal);
  }
}

it('its projectors tell how far they have rebuilt a log', skipFor(postgres.skip), async () => {
  const database = await postgres.createDatabase();
  const folder = makeDataFolder('rebuild-news');
  const clock = new SlowClock();
  const environment = processEnvironment(database.url, folder);
  const edition = await startEdition({ environment, roles: ['ingest', 'projectors'], clock });
  try {
    const { catalogs, broker } = edition.drivers;
    await pushMoneyline({ gateway: edition.ingestUrl, key: await edition.feedKey(['push']) }, 110);
    const tools = { catalogs, broker, clock: systemClock, actor: 'a test', interrupted: new AbortController().signal };
    let plan = await planRebuild(tools, { league: 'MLB' });
    await until('the push is folded', async () => {
      plan = await planRebuild(tools, { league: 'MLB' });
      return plan.planned.length === 1;
    });
    const heard: RebuildProgress[] = [];
    const stop = await catalogs.rebuilds.watchProgress((progress) => heard.push(progress));
    clock.isSlow = true;
    const outcomes: string[] = [];
    for await (const { outcome } of rebuildLogs(tools, plan.planned)) outcomes.push(outcome.kind);
    assert.deepEqual(outcomes, ['rebuilt']);
    await until('it was told', () => heard.length > 0);
    await stop();
    const [{ key, read, all } = { key: '', read: 0, all: 0 }] = heard;
    assert.equal(key, plan.planned[0]?.game.uuid);
    assert.ok(read > 0 && read <= all, `${read} of ${all} records`);
  } finally {
    await edition.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
});
