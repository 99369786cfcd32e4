// Feed keys from before scopes existed: they keep their rights, and the scopes that they have only for that reason are listed.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { openKeysCatalog } from '../../../platform/postgres/keys-catalog.ts';
import { migrate, readMigrations } from '../../../platform/postgres/migrate.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

/** Scopes before, scopes after, and those the key keeps only because it is old. */
const cases = [
  [['push'], ['push', 'reference', 'msf'], ['reference', 'msf']],
  [
    ['push', 'backfill'],
    ['push', 'backfill', 'reference', 'msf'],
    ['reference', 'msf'],
  ],
  [['backfill'], ['backfill'], []],
  [['push', 'reference', 'msf', 'backfill'], ['push', 'reference', 'msf', 'backfill'], []],
] as const;

for (const server of await allTestServers()) {
  describe(`feed keys of before on ${server.name}`, skipFor(server.skip), () => {
    it('keep what they could do, revoked or not, in all leagues and of all operators', async () => {
      const { sql } = await openDatabase(server, { empty: true });
      const all = readMigrations();
      const own = all.findIndex(({ name }) => name === 'feed_grants');
      await migrate(sql, silentLog, all.slice(0, own));
      for (const [index, [scopes]] of cases.entries()) {
        await sql.query(
          `insert into feed_keys (id, mac, pepper_version, last4, sources, scopes, state)
           values ($1, $2, 1, 'abcd', '{a}', $3, $4)`,
          [`k${index}`, Buffer.from([index]), scopes, index === 1 ? 'revoked' : 'active'],
        );
      }
      await migrate(sql, silentLog, all);
      const keys = openKeysCatalog(sql);
      const listed = await keys.feedKeys();
      assert.equal(listed.length, cases.length);
      for (const [index, [, scopes, inherited]] of cases.entries()) {
        const key = await keys.feedKeyByMac([Buffer.from([index])]);
        const expected = { scopes: [...scopes], leagues: null, operators: null };
        assert.deepEqual(
          { ...key },
          { id: `k${index}`, sources: ['a'], ...expected, state: index === 1 ? 'revoked' : 'active' },
        );
        assert.deepEqual(listed.find(({ id }) => id === `k${index}`)?.inheritedScopes, [...inherited]);
      }
    });
  });
}
