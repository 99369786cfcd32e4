// Leases of the catalog: one process at a time works under a name, and another takes over when the first has stopped renewing.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { openLeasesCatalog } from '../../../platform/postgres/leases.ts';
import { openOperationsCatalog } from '../../../platform/postgres/operations-catalog.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

for (const server of await allTestServers()) {
  describe(`leases on ${server.name}`, skipFor(server.skip), () => {
    it('are held by one, whatever is held under another name, until they run out or are given up', async () => {
      const { sql } = await openDatabase(server);
      const [one, other] = [openLeasesCatalog(sql), openLeasesCatalog(sql)];
      assert.equal(await other.hold('retention'), true);
      assert.equal(await one.hold('msf-poller'), true);
      assert.equal(await other.hold('msf-poller'), false);
      assert.equal(await one.hold('msf-poller'), true);
      assert.deepEqual([await one.isHeld('retention'), await one.isHeld('ticker')], [true, false]);
      await sql.query(`update leases set held_until = now() - interval '1 second'`);
      assert.equal(await other.isHeld('retention'), false);
      assert.equal(await other.hold('msf-poller'), true);
      assert.equal(await one.hold('msf-poller'), false);
      await one.release('msf-poller');
      assert.equal(await one.hold('msf-poller'), false, 'only its holder gives it up');
      await other.release('msf-poller');
      assert.equal(await one.hold('msf-poller'), true);
    });

    it('go to one of those who ask at once', async () => {
      const { sql } = await openDatabase(server);
      const [one, other] = [openLeasesCatalog(sql), openLeasesCatalog(sql)];
      const asked = [one, other, one, other];
      const answers = await Promise.all(asked.map((each) => each.hold('ticker')));
      assert.equal(answers[0], answers[2]);
      assert.equal(answers[1], answers[3]);
      assert.notEqual(answers[0], answers[1]);
    });

    it('keep when their holder last did its work: the age of the newest tick is by the database’s clock', async () => {
      const { sql } = await openDatabase(server);
      const [one, other] = [openLeasesCatalog(sql), openLeasesCatalog(sql)];
      const { newestTick } = openOperationsCatalog(sql);
      await one.hold('ticker');
      await other.worked('ticker');
      assert.equal(await newestTick(), null, 'a lease that is held is no tick, nor is the work of another process');
      await one.worked('ticker');
      const ticked = await newestTick();
      assert.ok(ticked !== null && ticked.age < 1_000_000, `${ticked?.age}`);
      await sql.query(
        `update leases set held_until = now() - interval '1 second', worked_at = now() - interval '1 minute'`,
      );
      assert.equal(await other.hold('ticker'), true);
      const left = await newestTick();
      assert.ok(left !== null && left.age >= 60_000_000 && left.at < ticked.at, 'the next holder has not ticked yet');
    });

    it('last five seconds, and those of who appends under them longer than an append to the log may be under way', async () => {
      const { sql } = await openDatabase(server);
      const leases = openLeasesCatalog(sql);
      for (const name of ['ticker', 'forwarder', 'dead-letters', 'settlement a game'] as const) await leases.hold(name);
      const { rows } = await sql.query(
        `select name, round(extract(epoch from held_until - now()))::integer as seconds from leases order by name`,
      );
      const seconds = Object.fromEntries(rows.map(({ name, seconds: left }) => [name as string, left as number]));
      assert.ok(seconds.ticker! >= 3 && seconds.ticker! <= 5, `${seconds.ticker} s`);
      for (const name of ['forwarder', 'dead-letters'])
        assert.ok(seconds[name]! > 12 && seconds[name]! <= 15, `${name}: ${seconds[name]} s`);
      assert.ok(seconds['settlement a game']! <= 5);
    });

    it('tell each of a group how many they are, of those who asked within the last seconds', async () => {
      const { sql } = await openDatabase(server);
      const [one, other, third] = [openLeasesCatalog(sql), openLeasesCatalog(sql), openLeasesCatalog(sql)];
      assert.equal(await one.countInstances('limiter'), 1);
      assert.equal(await other.countInstances('limiter'), 2);
      assert.equal(await third.countInstances('limit'), 1, 'another group');
      assert.equal(await one.countInstances('limiter'), 2);
      await sql.query(`update leases set held_until = now() - interval '1 second'`);
      assert.equal(await third.countInstances('limiter'), 1);
      await sql.query(`update leases set held_until = now() - interval '1 hour'`);
      await one.countInstances('limiter');
      const { rows } = await sql.query(
        `select count(*)::integer as count from leases where starts_with(name, 'limiter ')`,
      );
      assert.equal(rows[0]?.count, 1, 'those who are gone are forgotten');
    });
  });
}
