// The metrics of work that runs once in ten minutes or an hour, from a service whose clock sleeps for moments only: what it archives of a day
// that is over, and the dead letters that their retention removes.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { it } from 'vitest';
import type { Clock } from '../../../core/ports/clock.ts';
import { openPool } from '../../../platform/postgres/sql.ts';
import { sleep, wallClockNow } from '../../../platform/process/clock.ts';
import { metricsText, openMetrics } from '../../../platform/telemetry/metrics.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { startEdition } from '../../support/editions/edition.ts';
import { pushMoneyline } from '../../support/editions/push-moneyline.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { processEnvironment } from '../../support/processes/process-environment.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const postgres = await services.postgres();
const hasty: Clock = { now: wallClockNow, sleep: (ms, signal) => sleep(Math.min(ms, 100), signal) };

it('a day that is archived and letters that are dropped are counted', skipFor(postgres.skip), async () => {
  const database = await postgres.createDatabase();
  const folder = makeDataFolder('metrics-of-jobs');
  const environment = {
    ...processEnvironment(database.url, folder),
    SDS_RAW_ARCHIVE: 'on',
    SDS_DEAD_LETTERS: 'days:30,bytes:4294967296',
  };
  const sql = openPool({ connection: database.url, maxConnections: 2 });
  const metrics = openMetrics({ ofProcess: false });
  let edition = await startEdition({ environment, roles: ['ingest'] });
  try {
    const to = { gateway: edition.ingestUrl, key: await edition.feedKey(['push']) };
    for (const price of [110, 120]) await pushMoneyline(to, price);
    const refused = await fetch(`${to.gateway}/v1/sources/feed/quotes`, {
      method: 'POST',
      body: '{"events":[{}]}',
      headers: { authorization: `Bearer ${to.key}`, 'content-type': 'application/json' },
    });
    assert.equal(refused.status, 400);
    await edition.stop();
    const aged = await sql.query(
      `update log_batches set at = at - interval '2 days' where first_offset = 0 returning records`,
    );
    assert.equal(aged.rowCount, 1);
    const old = await sql.query(`update dead_letters set at = at - interval '31 days'`);
    assert.equal(old.rowCount, 1);

    edition = await startEdition({ environment, roles: ['projectors'], clock: hasty, meter: metrics });
    const samples = async () => {
      const lines = (await metricsText([await metrics.snapshot()])).split('\n');
      return lines.filter((line) => /^sds_(archive|dead_letters_dropped)/.test(line)).toSorted();
    };
    const archived = (topic: string, records: unknown) => `sds_archived_records_total{topic="${topic}"} ${records}`;
    const expected = [
      archived(topics.games, 0),
      archived(topics.observations, 0),
      archived(topics.quotes, aged.rows[0]?.records),
      'sds_dead_letters_dropped_total 1',
    ];
    await until('both are done', async () => (await samples()).join('\n') === expected.join('\n'));
  } finally {
    await edition.stop();
    await sql.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
});
