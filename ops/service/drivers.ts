// Opens the drivers of an edition: embedded (our own PostgreSQL, which also holds the log, and files on disk) or distributed (Kafka,
// PostgreSQL, S3). The only place that knows the driver behind each port.
import { join, resolve } from 'node:path';
import type { Pepper } from '../../core/access/key-format.ts';
import type { Broker } from '../../core/ports/broker.ts';
import type { ArtifactsCatalog } from '../../core/ports/catalog/artifacts.ts';
import type { CalendarCatalog } from '../../core/ports/catalog/calendar.ts';
import type { CheckpointsCatalog, ProgressCatalog } from '../../core/ports/catalog/checkpoints.ts';
import type { DeadLettersCatalog } from '../../core/ports/catalog/dead-letters.ts';
import type { FeedUseCatalog } from '../../core/ports/catalog/feed-use.ts';
import type { GamesCatalog } from '../../core/ports/catalog/games.ts';
import type { KeysCatalog } from '../../core/ports/catalog/keys.ts';
import type { InstancesCatalog, LeasesCatalog } from '../../core/ports/catalog/leases.ts';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { MsfCatalog, MsfRetention } from '../../core/ports/catalog/msf.ts';
import type { MsfAuthoritiesCatalog } from '../../core/ports/catalog/msf-authorities.ts';
import type { MsfHistoryCatalog } from '../../core/ports/catalog/msf-history.ts';
import type { ObjectsCatalog } from '../../core/ports/catalog/objects.ts';
import type { OperationsCatalog } from '../../core/ports/catalog/operations.ts';
import type { OutboxCatalog } from '../../core/ports/catalog/outbox.ts';
import type { PushCatalog } from '../../core/ports/catalog/pushes.ts';
import type { ReferenceCatalog } from '../../core/ports/catalog/reference.ts';
import type { RetentionCatalog } from '../../core/ports/catalog/retention.ts';
import type { SettlementCatalog } from '../../core/ports/catalog/settlement.ts';
import type { Ledger } from '../../core/ports/ledger.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import { type Log, silentLog } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { SettingError } from '../../platform/config/setting-error.ts';
import type { Settings } from '../../platform/config/settings.ts';
import { openEmbeddedLog } from '../../platform/embedded-log/embedded-log.ts';
import { openDiskStore } from '../../platform/objects/disk.ts';
import { openArtifactsCatalog } from '../../platform/postgres/artifacts-catalog.ts';
import { openCalendarCatalog } from '../../platform/postgres/calendar-catalog.ts';
import { openCheckpointsCatalog } from '../../platform/postgres/checkpoints-catalog.ts';
import { openDeadLettersCatalog } from '../../platform/postgres/dead-letters-catalog.ts';
import { embeddedConnection, startEmbeddedPostgres } from '../../platform/postgres/embedded.ts';
import { openFeedUseCatalog } from '../../platform/postgres/feed-use-catalog.ts';
import { openGamesCatalog } from '../../platform/postgres/games-catalog.ts';
import { openKeysCatalog } from '../../platform/postgres/keys-catalog.ts';
import { openLeasesCatalog } from '../../platform/postgres/leases.ts';
import { openLedger } from '../../platform/postgres/ledger.ts';
import { openLiveCatalog } from '../../platform/postgres/live-catalog.ts';
import { openMsfAuthoritiesCatalog } from '../../platform/postgres/msf-authorities-catalog.ts';
import { openMsfCatalog } from '../../platform/postgres/msf-catalog.ts';
import { openMsfHistoryCatalog } from '../../platform/postgres/msf-history.ts';
import { openObjectsCatalog } from '../../platform/postgres/objects-catalog.ts';
import { openOperationsCatalog } from '../../platform/postgres/operations-catalog.ts';
import { openOutboxCatalog } from '../../platform/postgres/outbox-catalog.ts';
import { openPushCatalog } from '../../platform/postgres/push-catalog.ts';
import { type DatabaseLogin, type Preparation, readyDatabase } from '../../platform/postgres/ready-database.ts';
import { openReferenceCatalog } from '../../platform/postgres/reference-catalog.ts';
import { openRetentionCatalog } from '../../platform/postgres/retention-catalog.ts';
import { openSettlementCatalog } from '../../platform/postgres/settlement-catalog.ts';
import { openPool, type Sql } from '../../platform/postgres/sql.ts';
import { lockDataDir } from '../../platform/process/data-dir-lock.ts';
import { closeWithin } from './closing.ts';
import { readOrMakePeppers } from './peppers.ts';
import { untilItAnswers } from './until-it-answers.ts';

export type Catalogs = {
  artifacts: ArtifactsCatalog;
  calendar: CalendarCatalog;
  checkpoints: CheckpointsCatalog & ProgressCatalog;
  deadLetters: DeadLettersCatalog;
  feedUse: FeedUseCatalog;
  games: GamesCatalog;
  keys: KeysCatalog;
  leases: LeasesCatalog & InstancesCatalog;
  ledger: Ledger;
  live: LiveCatalog;
  msf: MsfCatalog & MsfRetention;
  msfAuthorities: MsfAuthoritiesCatalog;
  msfHistory: MsfHistoryCatalog;
  objects: ObjectsCatalog;
  operations: OperationsCatalog;
  outbox: OutboxCatalog;
  pushes: PushCatalog;
  reference: ReferenceCatalog;
  retention: RetentionCatalog;
  settlement: SettlementCatalog;
};

export type Drivers = {
  /** The database with the rights of sds_writer, and the catalogs on it. */
  sql: Sql;
  catalogs: Catalogs;
  /** The same catalogs with the rights of sds_api: for the API. */
  served: Catalogs;
  broker: Broker;
  objects: ObjectStore;
  peppers: readonly Pepper[];
  dataDir: string;
  /** Closes in reverse order of opening, even if some do not answer. */
  close(): Promise<void>;
};

/** How long each may take to close; our own server has to write everything to disk. */
const closeMs: Millis = 1_000;
const serverCloseMs: Millis = 3_500;

/**
 * Only the database, with the rights of sds_admin: enough for most of the administrator's commands. Uses a running embedded instance's
 * server, or starts one for the duration.
 */
export async function openDatabase(
  settings: Settings,
  log: Log,
  preparation: Preparation = 'prepare',
): Promise<{ sql: Sql; close(): Promise<void> }> {
  // If a later step fails, close what is already open.
  await using opening = new AsyncDisposableStack();
  const { login, close } = await openServer(settings, log, 'share');
  opening.defer(() => closeWithin(serverCloseMs, 'the database server', log, close));
  const database = await readyDatabase(login, log, preparation, ['sds_admin']);
  const sql = openPool({ ...database.as('sds_admin'), log, maxConnections: 4, applicationName: 'sds-command' });
  opening.defer(() => closeWithin(closeMs, 'the database', log, () => sql.close()));
  const opened = opening.move();
  return { sql, close: () => opened.disposeAsync() };
}

/** Tests replace these: several services can share one Kafka if each has its own topics. */
export type DriverOptions = {
  openBroker?: typeof openBroker;
  /** The process only serves the API on a database that others maintain: it changes no schema and creates no topics. */
  servesOnly?: boolean;
};

/**
 * Opens every driver of the edition, migrated and prepared; waits for services that do not answer yet.
 * @throws DataDirInUse when another instance has the data directory
 * @throws MigrationRefused when the schema is not the one that this version needs, and this process may not migrate it
 */
export async function openDrivers(settings: Settings, log: Log, options: DriverOptions = {}): Promise<Drivers> {
  const dataDir = resolve(settings.dataDir);
  await using opening = new AsyncDisposableStack();
  const server = await openServer(settings, log, 'own');
  opening.defer(() => closeWithin(serverCloseMs, 'the database server', log, server.close));
  const { servesOnly = false } = options;
  const roles = servesOnly ? (['sds_api'] as const) : (['sds_writer', 'sds_api'] as const);
  const database = await untilItAnswers(log, () =>
    readyDatabase(server.login, log, servesOnly ? 'check' : 'prepare', roles),
  );
  const open = (role: 'sds_writer' | 'sds_api', maxConnections: number) => {
    const sql = openPool({ ...database.as(role), log, maxConnections, applicationName: 'sds' });
    opening.defer(() => closeWithin(closeMs, 'the database', log, () => sql.close()));
    return sql;
  };
  // The embedded server takes 37 connections: these, a listener for each, and those of commands.
  const sql = open('sds_writer', 14);
  const served = open('sds_api', 10);
  const broker = await (options.openBroker ?? openBroker)(settings, sql, log);
  opening.defer(() => closeWithin(closeMs, 'the broker', log, () => broker.close()));
  if (!servesOnly) await untilItAnswers(log, () => broker.prepare());
  const objects = await openObjects(settings, dataDir);
  opening.defer(() => closeWithin(closeMs, 'the object store', log, () => objects.close()));
  const catalogs = openCatalogs(sql, log);
  opening.defer(() => closeWithin(closeMs, 'the counts of pushes', log, () => catalogs.pushes.flush()));
  if (!servesOnly) await untilItAnswers(log, () => catalogs.games.seedTeams());
  const peppers = settings.peppers ?? readOrMakePeppers(dataDir);
  const opened = opening.move();
  const catalogsOfApi = openCatalogs(served, log);
  return {
    sql,
    catalogs,
    served: catalogsOfApi,
    broker,
    objects,
    peppers,
    dataDir,
    close: () => opened.disposeAsync(),
  };
}

export function openCatalogs(sql: Sql, log: Log = silentLog): Catalogs {
  return {
    artifacts: openArtifactsCatalog(sql),
    calendar: openCalendarCatalog(sql),
    checkpoints: openCheckpointsCatalog(sql),
    deadLetters: openDeadLettersCatalog(sql),
    feedUse: openFeedUseCatalog(sql),
    games: openGamesCatalog(sql),
    keys: openKeysCatalog(sql),
    leases: openLeasesCatalog(sql),
    ledger: openLedger(sql),
    live: openLiveCatalog(sql),
    msf: openMsfCatalog(sql),
    msfAuthorities: openMsfAuthoritiesCatalog(sql),
    msfHistory: openMsfHistoryCatalog(sql),
    objects: openObjectsCatalog(sql),
    operations: openOperationsCatalog(sql),
    outbox: openOutboxCatalog(sql),
    pushes: openPushCatalog(sql, log),
    reference: openReferenceCatalog(sql),
    retention: openRetentionCatalog(sql),
    settlement: openSettlementCatalog(sql),
  };
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

/** The log of the edition. Opening it creates nothing. */
export async function openBroker(settings: Settings, sql: Sql, log: Log): Promise<Broker> {
  const session = settings.sessionMs === null ? {} : { sessionMs: settings.sessionMs };
  if (settings.edition === 'embedded') {
    // The consuming process holds the lock of the data directory, unless the database is external.
    return openEmbeddedLog({ sql, log, ...session, soleProcess: settings.databaseUrl === null });
  }
  if (settings.kafka === null) throw new SettingError('KAFKA_BROKERS', 'is missing', 'kafka-1:9092');
  // Loaded on demand, so that the embedded edition stays small and starts quickly.
  const { openKafkaBroker } = await import('../../platform/kafka/kafka-broker.ts');
  return openKafkaBroker({ ...settings.kafka, ...session, log });
}

/** The object store of the edition. */
export async function openObjects(settings: Settings, dataDir: string): Promise<ObjectStore> {
  if (settings.edition === 'embedded' || settings.s3 === null) return openDiskStore(join(dataDir, 'objects'));
  const { openS3Store } = await import('../../platform/objects/s3.ts');
  const { bucket, region, endpoint } = settings.s3;
  return openS3Store({ bucket, region, ...(endpoint === null ? {} : { endpoint }) });
}
