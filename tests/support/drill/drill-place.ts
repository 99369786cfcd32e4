// Where a drill takes place: services that may be stopped and killed, a proxy before the object store, and drivers with
// which the drill itself reads the log, the catalog and the objects, without the proxy.
import { rmSync } from 'node:fs';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { type Drivers, openDrivers } from '../../../ops/service/drivers.ts';
import { readSettings } from '../../../platform/config/settings.ts';
import { makeDataFolder } from '../processes/data-folder.ts';
import { testPeppers } from '../processes/process-environment.ts';
import { openProxy, type TcpProxy } from '../services/broker-proxy.ts';
import type { Controls } from '../services/process.ts';
import { putBackRegistry, type Registry, savedRegistry } from '../services/registry.ts';
import { services } from '../services/services.ts';
import { type FaultyStore, openFaultyStore } from './faulty-store.ts';

export type DrillPlace = {
  folder: string;
  environment: Readonly<Record<string, string>>;
  /** The environment with the object store's own address instead of the proxy's. */
  plain: Readonly<Record<string, string>>;
  brokers: readonly string[];
  kafka: Controls;
  postgres: Controls;
  redis: Controls;
  registry: EndedService;
  store: FaultyStore;
  drivers: Drivers;
  close(): Promise<void>;
};

/** A service that a fault ends, and starts again with its data. */
export type EndedService = { end(): Promise<void>; restart(): Promise<void> };

/** Opens a place where nothing has run yet; a string names the missing service. */
export async function openDrillPlace(partitions: number): Promise<DrillPlace | string> {
  await using closing = new AsyncDisposableStack();
  const folder = makeDataFolder('drill');
  closing.defer(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = closing.use(await services.own.postgres());
  if (postgres.skip !== false) return postgres.skip;
  const kafka = closing.use(await services.own.kafka());
  if (kafka.skip !== false) return kafka.skip;
  const redis = closing.use(await services.own.redis());
  if (redis.skip !== false) return redis.skip;
  const registry = closing.use(await services.own.registry());
  if (registry.skip !== false) return registry.skip;
  const s3 = await services.s3();
  if (s3.skip !== false) return s3.skip;
  const schemas = new URL(registry.url);
  const proxy = await openProxy(schemas.hostname, Number(schemas.port));
  closing.defer(() => proxy.close());
  schemas.host = `127.0.0.1:${proxy.port}`;
  const store = await openFaultyStore(s3.endpoint);
  closing.defer(() => store.close());
  const database = await postgres.createDatabase();
  const credentials = { AWS_ACCESS_KEY_ID: s3.accessKeyId, AWS_SECRET_ACCESS_KEY: s3.secretAccessKey };
  Object.assign(process.env, credentials);
  const environment = {
    SDS_EDITION: 'distributed',
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    KAFKA_BROKERS: kafka.brokers.join(','),
    SCHEMA_REGISTRY_URL: schemas.href,
    SDS_QUOTES_PARTITIONS: String(partitions),
    SDS_KEY_PEPPERS: testPeppers,
    SDS_RATE_LIMITS: 'PRO:1000000,address:1000000',
    SDS_FEED_LIMITS: 'requests:1000000,bytes:100000000000,elements:1000000000',
    S3_BUCKET: await s3.createBucket(),
    S3_ENDPOINT: store.endpoint,
    AWS_REGION: s3.region,
    ...credentials,
  };
  const plain = { ...environment, S3_ENDPOINT: s3.endpoint, SCHEMA_REGISTRY_URL: registry.url, SDS_DATA_DIR: folder };
  const drivers = await openDrivers(readSettings(plain), silentLog, { migrates: true });
  closing.defer(() => drivers.close());
  const opened = closing.move();
  const { brokers } = kafka;
  const close = () => opened.disposeAsync();
  return {
    folder,
    environment,
    plain,
    brokers,
    kafka,
    postgres,
    redis,
    registry: withItsData(registry, proxy),
    store,
    drivers,
    close,
  };
}

/** The registry keeps its schemas in memory: no client reaches it, through its proxy, before it has them again. */
function withItsData(registry: Registry & Controls, proxy: TcpProxy): EndedService {
  let saved = new ArrayBuffer();
  return {
    async end() {
      saved = await savedRegistry(registry);
      await proxy.cut();
      await registry.kill();
    },
    async restart() {
      await registry.restart();
      await putBackRegistry(registry, saved);
      await proxy.mend();
    },
  };
}
