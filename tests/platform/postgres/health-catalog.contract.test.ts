// Processes report their health to each other: a process reads the newest report of each other process, and none older than ten seconds.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { openHealthCatalog } from '../../../platform/postgres/health-catalog.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

for (const server of await allTestServers()) {
  describe(`reports of health on ${server.name}`, skipFor(server.skip), () => {
    it('are read by the others until they are replaced, withdrawn or old', async () => {
      const { sql } = await openDatabase(server);
      const [one, other] = [openHealthCatalog(sql), openHealthCatalog(sql)];
      const report = {
        roles: 'projectors',
        reasons: [{ name: 'objects', since: 1_786_000_000_000_001, detail: 'a "b"' }],
      };
      await one.report({ ...report, reasons: [] });
      await one.report(report);
      assert.deepEqual([await one.reports(), await other.reports()], [[], [report]]);
      await sql.query(`update health_reports set reported_at = now() - interval '11 seconds'`);
      assert.deepEqual(await other.reports(), []);
      await sql.query(`update health_reports set reported_at = now() - interval '2 minutes'`);
      await other.report({ roles: 'ingest', reasons: [] });
      assert.equal((await sql.query('select from health_reports')).rows.length, 1, 'what is old is removed');
      assert.deepEqual(await one.reports(), [{ roles: 'ingest', reasons: [] }]);
      await other.withdraw();
      assert.deepEqual(await one.reports(), []);
    });
  });
}
