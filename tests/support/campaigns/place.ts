// Where programs of the service run in a test: its own database, log and object store, a data directory, and the settings that name them.
import { rmSync } from 'node:fs';
import { makeDataFolder } from '../processes/data-folder.ts';
import { testPeppers } from '../processes/process-environment.ts';
import { freePort } from '../services/ports.ts';
import type { Controls } from '../services/process.ts';
import { services } from '../services/services.ts';

export const editions = ['embedded', 'distributed'] as const;
export type EditionName = (typeof editions)[number];

export type OwnServices = { postgres?: Controls; kafka?: Controls; s3?: Controls };

/**
 * `own`: services of its own, which the test may stop, kill and freeze. `feedLimits`: the limits of each key (default:
 * practically none). `bare`: a database without schema.
 */
export type PlaceOptions = {
  sessionMs?: number;
  partitions?: number;
  own?: boolean;
  feedLimits?: string;
  bare?: boolean;
};

export type Place = {
  folder: string;
  databaseUrl: string;
  environment: Record<string, string>;
  gatewayUrl: string;
  own: OwnServices;
  close(): Promise<void>;
};

/** Opens a place where nothing has run yet. A string says which service is missing. */
export async function openPlace(edition: EditionName, options: PlaceOptions = {}): Promise<Place | string> {
  await using closing = new AsyncDisposableStack();
  const own: OwnServices = {};
  const ownPostgres = options.own === true ? closing.use(await services.own.postgres()) : null;
  const postgres = ownPostgres ?? (await services.postgres());
  if (postgres.skip !== false) return postgres.skip;
  if (ownPostgres !== null) own.postgres = ownPostgres;
  const folder = makeDataFolder('campaign');
  closing.defer(() => rmSync(folder, { recursive: true, force: true }));
  const database = await (options.bare === true ? postgres.createDatabase() : postgres.createMigratedDatabase());
  closing.defer(() => database.drop());
  const gatewayPort = await freePort();
  const environment: Record<string, string> = {
    SDS_EDITION: edition,
    SDS_DATA_DIR: folder,
    DATABASE_URL: database.url,
    SDS_KEY_PEPPERS: testPeppers,
    SDS_SESSION_MS: String(options.sessionMs ?? (edition === 'embedded' ? 2_000 : 4_000)),
    SDS_INGEST_PORT: String(gatewayPort),
    SDS_API_PORT: '0',
    SDS_RATE_LIMITS: 'PRO:1000000,address:1000000',
    SDS_FEED_LIMITS: options.feedLimits ?? 'requests:1000000,bytes:100000000000,elements:1000000000',
  };
  if (edition === 'distributed') {
    const missing = await openOwnLog(closing, environment, own, options);
    if (missing !== null) return missing;
  }
  const opened = closing.move();
  return {
    folder,
    databaseUrl: database.url,
    environment,
    gatewayUrl: `http://127.0.0.1:${gatewayPort}`,
    own,
    close: () => opened.disposeAsync(),
  };
}

/** A Kafka of the campaign's own, because topics have fixed names; and a bucket of its own. */
async function openOwnLog(
  closing: AsyncDisposableStack,
  environment: Record<string, string>,
  own: OwnServices,
  options: PlaceOptions,
): Promise<string | null> {
  const kafka = closing.use(await services.own.kafka({ settings: { 'group.min.session.timeout.ms': '1000' } }));
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
