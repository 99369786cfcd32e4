// Opens the drivers of an edition: embedded (our own PostgreSQL, which also holds the log, and files on disk) or distributed (Kafka,
// PostgreSQL, S3). The only place that knows the driver behind each port.
import { resolve } from 'node:path';
import type { Pepper } from '../../core/access/key-format.ts';
import type { Broker } from '../../core/ports/broker.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { placedBroker } from '../../platform/broker/placed-broker.ts';
import { SettingError } from '../../platform/config/setting-error.ts';
import type { Settings } from '../../platform/config/settings.ts';
import { openEmbeddedLog } from '../../platform/embedded-log/embedded-log.ts';
import { openThreadedDiskStore } from '../../platform/objects/threaded-disk.ts';
import { embeddedConnection, startEmbeddedPostgres } from '../../platform/postgres/embedded.ts';
import { clustersOf } from '../../platform/postgres/embedded-folders.ts';
import { openLogLayoutsCatalog } from '../../platform/postgres/log-layouts-catalog.ts';
import { schemaDistance } from '../../platform/postgres/migrate.ts';
import {
  type DatabaseLogin,
  type NeededMigrations,
  plannedMigration,
  readyDatabase,
} from '../../platform/postgres/ready-database.ts';
import { openPool, type Pool, type PoolConfig, type Sql } from '../../platform/postgres/sql.ts';
import { openTopicSchemasCatalog } from '../../platform/postgres/topic-schemas-catalog.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { crashPointsFrom } from '../../platform/process/crash-points.ts';
import { lockDataDir } from '../../platform/process/data-dir-lock.ts';
import { type Catalogs, openCatalogs } from './catalogs.ts';
import { closeWithin, driverCloseMs } from './closing.ts';
import { deadLetterCatalogs } from './dead-letter-catalogs.ts';
import { openObjects } from './open-objects.ts';
import { readOrMakePeppers } from './peppers.ts';
import { untilItAnswers } from './until-it-answers.ts';

export type Drivers = {
  /** How the process reaches its database. */
  login: DatabaseLogin;
  /** How another pool gets the rights of sds_writer. */
  access: Pick<PoolConfig, 'connection' | 'role'>;
  /** The database with the rights of sds_writer, and the catalogs on it. */
  sql: Pool;
  catalogs: Catalogs;
  broker: Broker;
  objects: ObjectStore;
  peppers: readonly Pepper[];
  dataDir: string;
  /** Resolves when a driver has failed for good: the process must exit. */
  failed: Promise<Error>;
  /** Closes in reverse order of opening, even if some do not answer. */
  close(): Promise<void>;
};

/** Our own server has to write everything to disk. */
const serverCloseMs: Millis = 3_500;

/**
 * Only the database, with the rights of sds_admin: enough for most of the administrator's commands. Uses a running embedded instance's
 * server, or starts one for the duration. Creates nothing.
 * @throws SettingError when there is no database
 * @throws MigrationRefused when this version cannot use its schema, or it lacks a migration that is `needed`
 */
export async function openDatabase(
  settings: Settings,
  log: Log,
  needed: NeededMigrations = 'all',
): Promise<{ sql: Sql; close(): Promise<void> }> {
  if (!hasDatabase(settings)) throw noDatabase(settings);
  // If a later step fails, close what is already open.
  await using opening = new AsyncDisposableStack();
  const { login, close } = await openServer(settings, log, 'share');
  opening.defer(() => closeWithin(serverCloseMs, 'the database server', log, close));
  const database = await readyDatabase(login, log, 'check', ['sds_admin'], needed);
  const sql = openPool({ ...database.as('sds_admin'), log, maxConnections: 4, applicationName: 'sds-command' });
  opening.defer(() => closeWithin(driverCloseMs, 'the database', log, () => sql.close()));
  const opened = opening.move();
  return { sql, close: () => opened.disposeAsync() };
}

/** A database of the service's own, with all rights. */
type OwnDatabase = { sql: Sql; close(): Promise<void> };

/** The database of a data directory, for a backup. Creates nothing. @throws SettingError when there is none */
export async function openOwnDatabase(settings: Settings, log: Log): Promise<OwnDatabase> {
  if (!hasDatabase(settings)) throw noDatabase(settings);
  return asOwner(await openServer(settings, log, 'share'), log);
}

/** A new database with the schema of this version and no rows. */
export async function makeOwnDatabase(settings: Settings, log: Log): Promise<OwnDatabase> {
  const server = await openServer(settings, log, 'own');
  try {
    await readyDatabase(server.login, log, 'migrate', []);
    return asOwner(server, log);
  } catch (error) {
    await server.close();
    throw error;
  }
}

function asOwner({ login, close }: Server, log: Log): OwnDatabase {
  const connection = login.kind === 'own' ? login.superuser : login.url;
  const sql = openPool({ connection, log, maxConnections: 1, patient: true, applicationName: 'sds-backup' });
  return {
    sql,
    async close() {
      await closeWithin(driverCloseMs, 'the database', log, () => sql.close());
      await closeWithin(serverCloseMs, 'the database server', log, close);
    },
  };
}

/**
 * Brings the schema up to this version, and makes an embedded database if there is none. Changes nothing where the schema is that of a newer
 * version, which this one can use. Returns the migrations that were missing, and those that this version does not know.
 */
export async function migrateDatabase(
  settings: Settings,
  log: Log,
): Promise<{ applied: readonly string[]; newer: readonly string[] }> {
  const { login, close } = await openServer(settings, log, 'share');
  try {
    const { applied, newer } = await readyDatabase(login, log, 'migrate', []);
    return { applied, newer };
  } finally {
    await closeWithin(serverCloseMs, 'the database server', log, close);
  }
}

/** What `migrateDatabase` would do. Creates nothing. */
export async function planMigrations(settings: Settings, log: Log): ReturnType<typeof plannedMigration> {
  if (!hasDatabase(settings)) return { ...schemaDistance([]), rights: true };
  const { login, close } = await openServer(settings, log, 'share');
  try {
    return await plannedMigration(login, log);
  } finally {
    await closeWithin(serverCloseMs, 'the database server', log, close);
  }
}

function noDatabase({ dataDir }: Settings): SettingError {
  const reason = `is ${dataDir}, and holds no database: \`./sds start\` makes one; a service that exists has another directory`;
  return new SettingError('SDS_DATA_DIR', reason, './.data');
}

function hasDatabase({ databaseUrl, dataDir }: Settings): boolean {
  return databaseUrl !== null || clustersOf(resolve(dataDir)).length > 0;
}

/**
 * `migrates`: whether the schema may be changed; the embedded edition always does so. Tests replace `openBroker`: several services can share
 * one Kafka if each has its own topics.
 */
export type DriverOptions = { migrates?: boolean; openBroker?: typeof openBroker };

/**
 * Opens every driver of the edition that a process which writes needs; waits for services that do not answer yet.
 * @throws DataDirInUse when another instance has the data directory
 * @throws MigrationRefused when the schema is not one that this version can use, and this process may not migrate it
 */
export async function openDrivers(settings: Settings, log: Log, options: DriverOptions = {}): Promise<Drivers> {
  const dataDir = resolve(settings.dataDir);
  await using opening = new AsyncDisposableStack();
  const { login, close } = await openServer(settings, log, 'own');
  opening.defer(() => closeWithin(serverCloseMs, 'the database server', log, close));
  const preparation = settings.edition === 'embedded' || options.migrates === true ? 'prepare' : 'check';
  const database = await untilItAnswers(log, () => readyDatabase(login, log, preparation, ['sds_writer']));
  const access = database.as('sds_writer');
  // The embedded server takes 37 connections: these, those of the API, a listener for each, those of commands and of the console.
  const sql = openPool({ ...access, log, maxConnections: 14, applicationName: 'sds' });
  opening.defer(() => closeWithin(driverCloseMs, 'the database', log, () => sql.close()));
  const broker = placedBroker(await (options.openBroker ?? openBroker)(settings, sql, log), openLogLayoutsCatalog(sql));
  opening.defer(() => closeWithin(driverCloseMs, 'the broker', log, () => broker.close()));
  await untilItAnswers(log, () => broker.prepare());
  const failed = Promise.withResolvers<Error>();
  const objects = await openObjects(settings, dataDir, (folder) => openThreadedDiskStore(folder, failed.resolve));
  opening.defer(() => closeWithin(driverCloseMs, 'the object store', log, () => objects.close()));
  const crash = crashPointsFrom(settings.crashAt);
  const catalogs = deadLetterCatalogs(openCatalogs(sql, log), { objects, clock: systemClock, crash, log });
  opening.defer(() => closeWithin(driverCloseMs, 'the counts of pushes', log, () => catalogs.pushes.flush()));
  await untilItAnswers(log, () => catalogs.games.seedTeams());
  const peppers = settings.peppers ?? readOrMakePeppers(dataDir);
  const opened = opening.move();
  const drivers = { login, access, sql, catalogs, broker, objects, peppers, dataDir };
  return { ...drivers, failed: failed.promise, close: () => opened.disposeAsync() };
}

type Server = { login: DatabaseLogin; close(): Promise<void> };

async function openServer(settings: Settings, log: Log, use: 'own' | 'share'): Promise<Server> {
  if (settings.databaseUrl !== null)
    return { login: { kind: 'given', url: settings.databaseUrl }, close: async () => {} };
  const running = use === 'share' ? embeddedConnection(settings.dataDir) : null;
  if (running !== null) return { login: { kind: 'own', superuser: running }, close: async () => {} };
  const lock = lockDataDir(settings.dataDir);
  try {
    const postgres = await startEmbeddedPostgres(settings.dataDir, log);
    return {
      login: { kind: 'own', superuser: postgres.connection },
      async close() {
        await postgres.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The log of the edition, which places records by their keys alone. Opening it creates nothing. */
export async function openBroker(settings: Settings, sql: Sql, log: Log): Promise<Broker> {
  const session = settings.sessionMs === null ? {} : { sessionMs: settings.sessionMs };
  if (settings.edition === 'embedded') {
    // The consuming process holds the lock of the data directory, unless the database is external.
    return openEmbeddedLog({ sql, log, ...session, soleProcess: settings.databaseUrl === null });
  }
  if (settings.kafka === null) throw new SettingError('KAFKA_BROKERS', 'is missing', 'kafka-1:9092');
  // Loaded on demand, so that the embedded edition stays small and starts quickly.
  const { openKafkaBroker } = await import('../../platform/kafka/kafka-broker.ts');
  return openKafkaBroker({ ...settings.kafka, ...session, schemas: openTopicSchemasCatalog(sql), log });
}
