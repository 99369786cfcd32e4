// Opens what the API reads: the catalogs with the rights of sds_api, and the object store. It starts nothing, and changes the schema only
// on request.
import { resolve } from 'node:path';
import type { Pepper } from '../../core/access/key-format.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Settings } from '../../platform/config/settings.ts';
import { type DatabaseLogin, readyDatabase } from '../../platform/postgres/ready-database.ts';
import { openPool, type Pool } from '../../platform/postgres/sql.ts';
import { type Catalogs, openCatalogs } from './catalogs.ts';
import { closeWithin, driverCloseMs } from './closing.ts';
import { openObjects } from './open-objects.ts';
import { readOrMakePeppers } from './peppers.ts';
import { untilItAnswers } from './until-it-answers.ts';

export type ServingDrivers = {
  sql: Pool;
  catalogs: Catalogs;
  objects: ObjectStore;
  peppers: readonly Pepper[];
  dataDir: string;
  /** Closes in reverse order of opening, even if some do not answer. */
  close(): Promise<void>;
};

/**
 * Opens the drivers on a database that others maintain; waits until it answers.
 * @throws MigrationRefused when its schema is older than this version needs
 */
export async function openServingDrivers(
  settings: Settings,
  login: DatabaseLogin,
  log: Log,
  migrates = false,
): Promise<ServingDrivers> {
  const dataDir = resolve(settings.dataDir);
  await using opening = new AsyncDisposableStack();
  const database = await untilItAnswers(log, () =>
    readyDatabase(login, log, migrates ? 'prepare' : 'check', ['sds_api']),
  );
  const sql = openPool({ ...database.as('sds_api'), log, maxConnections: 10, applicationName: 'sds' });
  opening.defer(() => closeWithin(driverCloseMs, 'the database', log, () => sql.close()));
  const objects = await openObjects(settings, dataDir);
  opening.defer(() => closeWithin(driverCloseMs, 'the object store', log, () => objects.close()));
  const peppers = settings.peppers ?? readOrMakePeppers(dataDir);
  const opened = opening.move();
  return { sql, catalogs: openCatalogs(sql, log), objects, peppers, dataDir, close: () => opened.disposeAsync() };
}
