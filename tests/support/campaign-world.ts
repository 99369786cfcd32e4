// Where a campaign takes place: a database, a log and an object store of its own, the API in this process, and the settings by which the
// programs that are killed find them. The database keeps a journal of who claimed and committed what, written by its own triggers.
import { rmSync } from 'node:fs';
import { openPool, type Sql } from '../../platform/postgres/sql.ts';
import { makeDataFolder } from './data-folder.ts';
import { type Edition, startEdition } from './edition.ts';
import { freePort } from './services/ports.ts';
import type { Controls } from './services/process.ts';
import { services } from './services.ts';

export const editions = ['embedded', 'distributed'] as const;
export type EditionName = (typeof editions)[number];

export type World = {
  edition: EditionName;
  /** The API, and the drivers for reading the log and the objects back. */
  api: Edition;
  sql: Sql;
  /** Settings of a program by the name under which the journal knows it. */
  environmentOf(program: string): Record<string, string>;
  gatewayUrl: string;
  /** Services of the world's own, where it was opened with `own`. */
  own: OwnServices;
  close(): Promise<void>;
};

export type OwnServices = { postgres?: Controls; kafka?: Controls; s3?: Controls };

/** `own`: with services of its own, which may be stopped, killed and frozen. */
export type WorldOptions = { sessionMs?: number; partitions?: number; own?: boolean };

/** Opens a world that nothing happened in yet; a string says which service it lacks. */
export async function openWorld(edition: EditionName, options: WorldOptions = {}): Promise<World | string> {
  await using closing = new AsyncDisposableStack();
  const own: OwnServices = {};
  const ownPostgres = options.own === true ? closing.use(await services.own.postgres()) : null;
  const postgres = ownPostgres ?? (await services.postgres());
  if (postgres.skip !== false) return postgres.skip;
  if (ownPostgres !== null) own.postgres = ownPostgres;
  const folder = makeDataFolder('campaign');
  closing.defer(() => rmSync(folder, { recursive: true, force: true }));
  const database = await postgres.createDatabase();
  closing.defer(() => database.drop());
  const gatewayPort = await freePort();
  const environment: Record<string, string> = {
    SDS_EDITION: edition,
    SDS_DATA_DIR: folder,
    DATABASE_URL: database.url,
    SDS_KEY_PEPPERS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
    SDS_SESSION_MS: String(options.sessionMs ?? (edition === 'embedded' ? 2_000 : 4_000)),
    SDS_INGEST_PORT: String(gatewayPort),
    SDS_API_PORT: '0',
    SDS_RATE_LIMITS: 'PRO:1000000,address:1000000',
  };
  if (edition === 'distributed') {
    const log = await openOwnLog(closing, environment, own, options);
    if (log !== null) return log;
  }
  const sql = openPool({ connection: database.url, maxConnections: 4, applicationName: 'campaign' });
  closing.defer(() => sql.close());
  const api = await startEdition({
    roles: ['api'],
    environment: { ...environment, DATABASE_URL: named(database.url, 'api') },
  });
  closing.defer(() => api.stop());
  await keepJournal(sql);
  const opened = closing.move();
  return {
    edition,
    api,
    sql,
    environmentOf: (program) => ({ ...environment, DATABASE_URL: named(database.url, program) }),
    own,
    gatewayUrl: `http://127.0.0.1:${gatewayPort}`,
    close: () => opened.disposeAsync(),
  };
}

/** Kafka of the campaign's own, for topics have fixed names; a bucket of its own. */
async function openOwnLog(
  closing: AsyncDisposableStack,
  environment: Record<string, string>,
  own: OwnServices,
  options: WorldOptions,
): Promise<string | null> {
  const kafka = closing.use(await services.own.kafka({ 'group.min.session.timeout.ms': '1000' }));
  if (kafka.skip !== false) return kafka.skip;
  const registry = await services.registry();
  if (registry.skip !== false) return registry.skip;
  const ownS3 = options.own === true ? closing.use(await services.own.s3()) : null;
  const s3 = ownS3 ?? (await services.s3());
  if (s3.skip !== false) return s3.skip;
  own.kafka = kafka;
  if (ownS3 !== null) own.s3 = ownS3;
  const credentials = { AWS_ACCESS_KEY_ID: s3.accessKeyId, AWS_SECRET_ACCESS_KEY: s3.secretAccessKey };
  Object.assign(process.env, credentials);
  Object.assign(environment, credentials, {
    KAFKA_BROKERS: kafka.brokers.join(','),
    SCHEMA_REGISTRY_URL: registry.url,
    SDS_QUOTES_PARTITIONS: String(options.partitions ?? 6),
    S3_BUCKET: await s3.createBucket(),
    S3_ENDPOINT: s3.endpoint,
    AWS_REGION: s3.region,
  });
  return null;
}

/** The URL of the database for one program: its connections carry the program's name. */
function named(url: string, program: string): string {
  const own = new URL(url);
  own.searchParams.set('options', `-c TimeZone=UTC -c campaign.program=${program}`);
  return own.href;
}

/**
 * Each change of a checkpoint of quotes or revisions becomes a row of `campaign_journal`, written in the same transaction: a claim raises the
 * epoch, a commit moves the offset. An update that met no row — a commit that the fence refused, whichever projector's — is a row too.
 */
async function keepJournal(sql: Sql): Promise<void> {
  await sql.query(`create table campaign_journal (id bigserial primary key, program text not null, kind text not null,
    projector text, partition integer, epoch bigint, owner text, from_offset bigint, to_offset bigint)`);
  await sql.query(`create function campaign_note() returns trigger language plpgsql as $$
    begin
      insert into campaign_journal (program, kind, projector, partition, epoch, owner, from_offset, to_offset) values (
        coalesce(current_setting('campaign.program', true), ''),
        case when tg_op = 'INSERT' or new.owner_epoch <> old.owner_epoch then 'claim' else 'commit' end,
        new.projector, new.partition, new.owner_epoch, new.owner_id,
        case when tg_op = 'INSERT' then new.next_offset else old.next_offset end, new.next_offset);
      return null;
    end $$`);
  await sql.query(`create trigger campaign_note after insert or update on stream_state
    for each row when (new.projector in ('live', 'revisions')) execute function campaign_note()`);
  await sql.query(
    `create view campaign_streams as select * from stream_state where projector in ('live', 'revisions')`,
  );
  await sql.query(`create function campaign_refusal() returns trigger language plpgsql as $$
    begin
      if not exists (select from moved) then
        insert into campaign_journal (program, kind) values (coalesce(current_setting('campaign.program', true), ''), 'refused');
      end if;
      return null;
    end $$`);
  await sql.query(`create trigger campaign_refusal after update on stream_state
    referencing new table as moved for each statement execute function campaign_refusal()`);
}
