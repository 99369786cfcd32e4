// Restores a backup of the distributed edition into an empty database, bucket and Kafka cluster (docs/backup.md). The database comes last,
// in one transaction: until then no process of the service can start on the rest.
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { eventTopics } from '../../platform/avro/event-schemas.ts';
import type { Settings } from '../../platform/config/settings.ts';
import { openTopicRefill, type TopicRefill } from '../../platform/kafka/topic-refill.ts';
import { codeOf } from '../../platform/postgres/failures.ts';
import { schemaDistance } from '../../platform/postgres/migrate.ts';
import { beginFilling } from '../../platform/postgres/table-rows.ts';
import { renumberSchemas } from '../../platform/postgres/topic-schemas-catalog.ts';
import { makeOwnDatabase, openOwnDatabase, planMigrations } from '../service/drivers.ts';
import { openObjects } from '../service/open-objects.ts';
import { CommandFailure } from '../session/command.ts';
import type { BackupDescription } from './backup-folder.ts';
import { refillLog } from './distributed-log.ts';
import { fillDatabase } from './fill-database.ts';
import { copyKept } from './whole-backup.ts';

/** @throws CommandFailure refused, when data of a service are there already; Error when the backup differs from its description */
export async function restoreDistributed(
  folder: string,
  described: BackupDescription,
  kept: Pick<ObjectStore, 'get' | 'head' | 'list'>,
  settings: Settings,
  log: Log,
  interrupted: AbortSignal,
): Promise<void> {
  const { kafka } = settings;
  if (kafka === null) throw new Error('the distributed edition has Kafka');
  await using opened = new AsyncDisposableStack();
  const objects = opened.adopt(await openObjects(settings, settings.dataDir), (store) => store.close());
  const refill = opened.adopt(openTopicRefill(kafka, log), (each) => each.close());
  await refuseTaken(settings, log, kept, objects, refill);
  await copyKept(folder, described, kept, objects, interrupted);
  await refillLog(refill, kept, described.log ?? [], interrupted);
  interrupted.throwIfAborted();
  const database = opened.adopt(await makeOwnDatabase(settings, log), (each) => each.close());
  await database.sql.transaction(async (tx) => {
    await fillDatabase(tx, folder, described, interrupted);
    await renumberSchemas(tx, async (subject, { id, schema }) => {
      const numbers = await refill.register(subject.replace(/-value$/, ''), new Map([[id, schema]]));
      return numbers.get(id) ?? id;
    });
  });
}

/** Rows are inserted without regard to foreign keys, which not every login may do. */
async function refuseLowLogin(settings: Settings, log: Log): Promise<void> {
  const { sql, close } = await openOwnDatabase(settings, log);
  try {
    await sql.transaction((tx) => beginFilling(tx, []));
  } catch (error) {
    if (codeOf(error) !== '42501') throw error;
    throw new CommandFailure(
      'refused',
      'the login of DATABASE_URL may not set session_replication_role: restore with a superuser, or with a login that was granted it',
    );
  } finally {
    await close();
  }
}

/** A bucket with only objects of the backup is left over from an interrupted restore. */
async function refuseTaken(
  settings: Settings,
  log: Log,
  kept: Pick<ObjectStore, 'head'>,
  objects: Pick<ObjectStore, 'list'>,
  refill: Pick<TopicRefill, 'present'>,
): Promise<void> {
  const { pending, newer } = await planMigrations(settings, log);
  if (newer.length > 0 || pending.length < schemaDistance([]).pending.length)
    throw new CommandFailure(
      'refused',
      'the database of DATABASE_URL holds the schema of a service: name one that is empty',
    );
  await refuseLowLogin(settings, log);
  for await (const { key, size } of objects.list('')) {
    if ((await kept.head(key))?.size === size) continue;
    throw new CommandFailure(
      'refused',
      `the bucket ${settings.s3?.bucket} holds ${key}: name an empty one in S3_BUCKET`,
    );
  }
  const topics = await refill.present(eventTopics);
  if (topics.length > 0)
    throw new CommandFailure(
      'refused',
      `Kafka has ${topics.join(', ')} already: name a cluster without them in KAFKA_BROKERS, or delete what an interrupted restore has left of them`,
    );
}
