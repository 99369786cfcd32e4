// Claim: a restored database keeps out the releases that the original kept out, also where the backup was taken while `sds log grow` was half
// done, before any layout says so. A violation is an older release that starts there and divides games by the partitions that it finds.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, it } from 'vitest';
import { type BackupDescription, names } from '../../../ops/backup/backup-folder.ts';
import { fillDatabase } from '../../../ops/backup/fill-database.ts';
import { takeBackup } from '../../../ops/backup/take-backup.ts';
import { openDiskStore } from '../../../platform/objects/disk.ts';
import { openLogLayoutsCatalog } from '../../../platform/postgres/log-layouts-catalog.ts';
import {
  heldMigrations,
  MigrationRefused,
  readMigrations,
  schemaDistance,
} from '../../../platform/postgres/migrate.ts';
import { openOperationsCatalog } from '../../../platform/postgres/operations-catalog.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';
import { growingTopics } from '../../../schemas/events/topics.ts';
import { heardProgress } from '../../support/fakes/heard-progress.ts';
import { openDatabase, testServers } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const interrupted = new AbortController().signal;

for (const server of testServers) {
  describe(`a database that is filled from a backup on ${server.name}`, skipFor(server.skip), () => {
    const folder = mkdtempSync(join(tmpdir(), 'sds-fill-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const folderOf = (name: string) => join(folder, name);

    const back = async (name: string, sql: Sql): Promise<BackupDescription> => {
      const objects = await openDiskStore(join(folder, 'objects'));
      const source = { sql, objects, log: null, peppers: null, release: 'this', withoutLost: false, interrupted };
      return takeBackup(source, folderOf(name));
    };
    /** Starts the release before layouts on what is restored. */
    const startFormer = async (name: string, described: BackupDescription): Promise<void> => {
      const { sql } = await openDatabase(server);
      await sql.transaction((tx) => fillDatabase(tx, folderOf(name), described, interrupted));
      schemaDistance(await heldMigrations(sql));
      const former = readMigrations().filter(({ number }) => number < 34);
      schemaDistance(await heldMigrations(sql), former);
    };

    it('says how many rows it has of how many', async () => {
      const original = (await openDatabase(server)).sql;
      for (const topic of growingTopics) await openLogLayoutsCatalog(original).begin(topic, 4);
      const described = await back('counted', original);
      const { open, heard } = heardProgress();
      const { sql } = await openDatabase(server);
      await sql.transaction((tx) => fillDatabase(tx, folderOf('counted'), described, interrupted, open));
      assert.ok(described.rows > 1, `${described.rows} rows`);
      assert.deepEqual(heard, [`${described.rows} of ${described.rows} rows`]);
    });

    it('goes on counting behind its rows, also where an earlier build left the sequences out', async () => {
      const original = (await openDatabase(server)).sql;
      const audit = (sql: Sql) => openOperationsCatalog(sql).audit('admin', 'keys mint', 's', {});
      for (let row = 0; row < 3; row += 1) await audit(original);
      await original.query(`select setval('outbox_id_seq', 40)`);
      const described = await back('counting', original);
      const file = join(folderOf('counting'), names.catalog);
      const restored = async (): Promise<unknown[]> => {
        const { sql } = await openDatabase(server);
        await sql.transaction((tx) => fillDatabase(tx, folderOf('counting'), described, interrupted));
        await audit(sql);
        const next = await sql.query(
          `select (select max(id) from audit)::integer as audit, nextval('outbox_id_seq')::integer as outbox`,
        );
        return next.rows;
      };
      assert.deepEqual(await restored(), [{ audit: 4, outbox: 41 }]);
      const lines = gunzipSync(readFileSync(file)).toString();
      writeFileSync(file, gzipSync(lines.replace(/^\{"sequences":.*$/m, '{"sequences":{}}')));
      assert.deepEqual(await restored(), [{ audit: 4, outbox: 1 }]);
    });

    it('serves the release before layouts until partitions are added, and not from the first step on', async () => {
      const { sql } = await openDatabase(server);
      const layouts = openLogLayoutsCatalog(sql);
      for (const topic of growingTopics) await layouts.begin(topic, 4);
      const before = await back('before', sql);
      await layouts.keepOlderOut();
      const half = await back('half', sql);
      await layouts.add({ layout: 1, partitions: { 'sds.quotes.v1': 7, 'sds.observations.v1': 7 } }, 'admin');
      const after = await back('after', sql);

      await startFormer('before', before);
      await assert.rejects(startFormer('half', half), MigrationRefused);
      await assert.rejects(startFormer('after', after), MigrationRefused);
      const { serves_from: _, ...earlier } = before;
      await assert.rejects(startFormer('before', earlier), MigrationRefused, 'it does not say: the door stays closed');
    });
  });
}
