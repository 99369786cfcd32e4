// Claim: a backup has every object that the catalog names, whole; where the store has lost one, the backup is not made, or says how many it lacks.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ObjectDamaged, type ObjectStore } from '../../../core/ports/object-store.ts';
import { names } from '../../../ops/backup/backup-folder.ts';
import { type BackupSource, takeBackup } from '../../../ops/backup/take-backup.ts';
import { openDiskStore } from '../../../platform/objects/disk.ts';
import { openPool, type PoolConfig, type Sql } from '../../../platform/postgres/sql.ts';
import { heardProgress } from '../../support/fakes/heard-progress.ts';
import { openDatabase, testServers } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

for (const server of testServers) {
  describe(`a backup of a catalog on ${server.name}`, skipFor(server.skip), () => {
    const folder = mkdtempSync(join(tmpdir(), 'sds-take-'));
    const keys = Array.from({ length: 8 }, (_, number) => `flushes/${number}`);
    let sql: Sql;
    let config: PoolConfig;
    let objects: ObjectStore;
    let taken = 0;

    beforeAll(async () => {
      ({ sql, config } = await openDatabase(server));
      objects = await openDiskStore(join(folder, 'objects'));
      for (const key of [...keys, 'letters/held', 'archive/of-the-log']) await objects.put(key, Buffer.from(key));
      for (const key of keys)
        await sql.query('insert into objects (key, size, files) values ($1, $2, 1)', [key, key.length]);
      await sql.query(`insert into objects (key, size, files) values ('flushes/superseded', 5, 0)`);
      await sql.query(`insert into letter_payloads (sha256, key, size) values ('00', 'letters/held', 999)`);
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    /** Into a new folder. */
    const take = (given: Partial<BackupSource> = {}, open = heardProgress().open) => {
      taken += 1;
      const interrupted = new AbortController().signal;
      const whole = { sql, objects, log: null, peppers: '1:pepper', release: 'this', withoutLost: false, interrupted };
      return takeBackup({ ...whole, ...given }, folderOf(taken), open);
    };
    const folderOf = (count: number) => join(folder, `kept-${count}`);

    it('has all that is named, and does not wait for what is superseded', async () => {
      const described = await take();
      assert.deepEqual([described.objects, described.lost], [10, undefined]);
      assert.equal(existsSync(join(folderOf(taken), '.unfinished')), false);
    });

    it('says how many objects and rows it has read of how many', async () => {
      const { open, heard } = heardProgress();
      const { rows } = await take({}, open);
      assert.ok(rows >= keys.length, `${rows} rows`);
      assert.deepEqual(heard, ['10 of 10 objects', `${rows} of ${rows} rows`, '10 of 10 objects']);
    });

    it('is made of a table that takes longer to count than a statement may take', async () => {
      // For those who do not own it, each of its rows takes a minute to see: longer than any statement that has a limit.
      await sql.query('create table slow as select 1 as row');
      await sql.query('alter table slow enable row level security');
      await sql.query(`create policy slow on slow using (
        case when current_setting('statement_timeout') = '0' then true else pg_sleep(60) is null end)`);
      const reader = openPool({ ...config, role: 'pg_read_all_data', maxConnections: 1, statementTimeoutMs: 5_000 });
      try {
        const { open, heard } = heardProgress();
        const { rows } = await take({ sql: reader }, open);
        assert.deepEqual(heard, ['10 of 10 objects', `${rows} of ${rows} rows`, '10 of 10 objects']);
      } finally {
        await reader.close();
        await sql.query('drop table slow');
      }
    });

    it('has the sequences where a command makes it, and is not made by a login that may not read them', async () => {
      await sql.query(`insert into audit (actor, action, subject) values ('admin', 'keys mint', 's')`);
      const command = openPool({ ...config, role: 'sds_admin', maxConnections: 1 });
      try {
        await take({ sql: command });
        const text = gunzipSync(readFileSync(join(folderOf(taken), names.catalog))).toString();
        assert.match(text, /^\{"sequences":\{.*"audit_id_seq":"1"/m);
        await sql.query('revoke select on sequence audit_id_seq from sds_admin');
        await assert.rejects(take({ sql: command }), /may not read audit_id_seq.*sds migrate/);
        assert.equal(existsSync(folderOf(taken)), false);
      } finally {
        await command.close();
        await sql.query('grant select on sequence audit_id_seq to sds_admin');
      }
    });

    it('is not made where objects are missing or cut off, and names them', async () => {
      const without = (...gone: string[]): ObjectStore => ({
        ...objects,
        async *list(prefix) {
          for await (const each of objects.list(prefix)) if (!gone.includes(each.key)) yield each;
        },
      });
      await assert.rejects(take({ objects: without('letters/held') }), /names: letters\/held; no backup was made: put/);
      assert.equal(existsSync(folderOf(taken)), false);
      await assert.rejects(take({ objects: without(...keys) }), /flushes\/0, .*, flushes\/4 and 3 more; /);
      const cut: ObjectStore = { ...objects, get: async (key) => (await objects.get(key))?.subarray(1) ?? null };
      await assert.rejects(take({ objects: cut }), /flushes\/7 and 3 more|and 3 more/);
      const rest = await take({ objects: without('flushes/3', 'flushes/5'), withoutLost: true });
      assert.deepEqual([rest.objects, rest.lost], [8, 2]);
    });

    it('names what the store itself calls damaged, also where the catalog does not name it', async () => {
      const damaged: ObjectStore = {
        ...objects,
        async get(key) {
          if (key.startsWith('archive/')) throw new ObjectDamaged(key);
          return objects.get(key);
        },
      };
      await assert.rejects(take({ objects: damaged }), /damaged what the catalog names: archive\/of-the-log;/);
    });

    it('is not made once it is interrupted', async () => {
      await assert.rejects(take({ interrupted: AbortSignal.abort() }), /aborted/);
      assert.equal(existsSync(folderOf(taken)), false);
    });
  });
}
