// Leases of the catalog: one process at a time works under a name, and another takes over when the first has stopped renewing.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openLeasesCatalog } from '../platform/postgres/leases.ts';
import { openLiveCatalog } from '../platform/postgres/live-catalog.ts';
import { allTestServers, openDatabase } from './support/databases.ts';

for (const server of await allTestServers()) {
  describe(`leases on ${server.name}`, { skip: server.skip }, () => {
    it('are held by one, whatever is held under another name, until they run out or are given up', async () => {
      const { sql } = await openDatabase(server);
      const [one, other] = [openLeasesCatalog(sql), openLeasesCatalog(sql)];
      assert.equal(await openLiveCatalog(sql).holdTicker(), true);
      assert.equal(await one.hold('msf-poller'), true);
      assert.equal(await other.hold('msf-poller'), false);
      assert.equal(await one.hold('msf-poller'), true);
      await sql.query(`update leases set held_until = now() - interval '1 second'`);
      assert.equal(await other.hold('msf-poller'), true);
      assert.equal(await one.hold('msf-poller'), false);
      await one.release('msf-poller');
      assert.equal(await one.hold('msf-poller'), false, 'only its holder gives it up');
      await other.release('msf-poller');
      assert.equal(await one.hold('msf-poller'), true);
    });
  });
}
