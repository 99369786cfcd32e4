// The real services of the tests, under one roof. How to use them:
//
//   const kafka = await services.kafka();                              // at the top of a test file
//   describe('…', skipFor(kafka.skip), () => { … kafka.brokers … });   // skipped by name where the service is missing
//
//   kafka          { brokers }                                    Kafka in KRaft mode
//   registry       { url }                                        Confluent's interface (…/apis/ccompat/v7)
//   s3             { endpoint, region, accessKeyId, secretAccessKey, bucket, createBucket() }
//   postgres       { url, createDatabase() → { url, drop() } }    PostgreSQL of the npm package; createMigratedDatabase() likewise
//   systemPostgres the same, on the machine's own PostgreSQL: a second version of it, never required
//   redis          { url }
//   python         { path }                                       an interpreter with duckdb, pyarrow and httpx
//   pandas         { path }                                       an interpreter with pandas
//   httpfs         { path }                                       an interpreter with DuckDB that reads over HTTP, never required
//   chromium       { path, open() → Browser }                     a browser
//   firefox        { path, open() → Browser }                     a second browser, with an engine of its own
//   schemathesis   { path }                                       an interpreter with schemathesis
//   nginx          { serve(root) → { url, … } }                   for benchmarks
//
// The first five run in containers where a Docker engine answers, else as programs (way.ts); the contract is the same.
// A test run starts each once and lends it to the test files (lender.ts); set SDS_TEST_KAFKA and so on to use a service of
// your own. A program outside a test run, `npm run proof` say, starts what it asks for. Everything ends with the process.
// Tests share a service, so each keeps to names of its own: `unique('topic')`, `createDatabase()`, `createBucket()`.
//
// A test that stops, kills or freezes a service asks for one of its own, and may do to it what `Controls` lists:
//
//   await using broker = await services.own.kafka();
//   if (broker.skip !== false) return t.skip(broker.skip);
//   await broker.kill(); await broker.restart();                  // same address, same data
//
// (`unique` is in unique.ts, `until` in until.ts, `Controls` in process.ts.)
//
// SDS_REQUIRE_SERVICES=1 (CI): asking for a service that is missing throws, and nothing is skipped.

import { type Chromium, findChromium, openChromium } from './chromium.ts';
import { type Firefox, findFirefox, openFirefox } from './firefox.ts';
import { findHttpfs, type Httpfs } from './httpfs.ts';
import { findImageEngine, type ImageEngine } from './image-engine.ts';
import { type Kafka, type KafkaOptions, startKafka } from './kafka.ts';
import { borrow, type Lent, missingMark } from './lender.ts';
import { ServiceMissing, type Skippable, standIn } from './missing.ts';
import { findNginx, type Nginx, openNginx } from './nginx.ts';
import { findPandas, type Pandas } from './pandas.ts';
import { openPostgres, type Postgres, type PostgresOptions, startPostgres } from './postgres.ts';
import type { Controls } from './process.ts';
import { findPython, type Python } from './python.ts';
import { type Redis, startRedis } from './redis.ts';
import { type Registry, startRegistry } from './registry.ts';
import { addressOfS3, openS3, type S3, startS3 } from './s3.ts';
import { findSchemathesis, type Schemathesis } from './schemathesis.ts';

/** A service that tests share: how to get it, and its address as one line for another process. */
type Shared<T> = {
  title: string;
  variable: string;
  /** Whether a missing service fails CI. */
  required: boolean;
  start(): Promise<T>;
  addressOf(service: T): string;
  open(address: string): T | Promise<T>;
};

const kafka: Shared<Kafka> = {
  title: 'Kafka',
  variable: 'SDS_TEST_KAFKA',
  required: true,
  start: () => startKafka(),
  addressOf: ({ brokers }) => brokers.join(','),
  open: (address) => ({ brokers: address.split(',') }),
};

const registry: Shared<Registry> = {
  title: 'The schema registry',
  variable: 'SDS_TEST_REGISTRY',
  required: true,
  start: startRegistry,
  addressOf: ({ url }) => url,
  open: (url) => ({ url }),
};

const s3: Shared<S3> = {
  title: 'S3',
  variable: 'SDS_TEST_S3',
  required: true,
  start: startS3,
  addressOf: addressOfS3,
  open: openS3,
};

const postgres: Shared<Postgres> = {
  title: 'PostgreSQL',
  variable: 'SDS_TEST_POSTGRES',
  required: true,
  start: startPostgres,
  addressOf: ({ url }) => url,
  open: openPostgres,
};

const systemPostgres: Shared<Postgres> = {
  ...postgres,
  title: "The machine's own PostgreSQL",
  variable: 'SDS_TEST_SYSTEM_POSTGRES',
  required: false,
  start: () => startPostgres({ binaries: 'system' }),
};

const redis: Shared<Redis> = {
  title: 'Redis',
  variable: 'SDS_TEST_REDIS',
  required: true,
  start: startRedis,
  addressOf: ({ url }) => url,
  open: (url) => ({ url }),
};

const python: Shared<Python> = {
  title: 'Python with DuckDB, pyarrow and polars',
  variable: 'SDS_TEST_PYTHON',
  required: true,
  start: findPython,
  addressOf: ({ path }) => path,
  open: (path) => ({ path }),
};

const pandas: Shared<Pandas> = {
  title: 'Python with pandas',
  variable: 'SDS_TEST_PANDAS',
  required: true,
  start: findPandas,
  addressOf: ({ path }) => path,
  open: (path) => ({ path }),
};

const httpfs: Shared<Httpfs> = {
  title: 'DuckDB with httpfs',
  variable: 'SDS_TEST_HTTPFS',
  required: false,
  start: findHttpfs,
  addressOf: ({ path }) => path,
  open: (path) => ({ path }),
};

const chromium: Shared<Chromium> = {
  title: 'Chromium',
  variable: 'SDS_TEST_CHROMIUM',
  required: true,
  start: findChromium,
  addressOf: ({ path }) => path,
  open: openChromium,
};

const firefox: Shared<Firefox> = {
  title: 'Firefox',
  variable: 'SDS_TEST_FIREFOX',
  required: true,
  start: findFirefox,
  addressOf: ({ path }) => path,
  open: openFirefox,
};

const schemathesis: Shared<Schemathesis> = {
  title: 'Schemathesis',
  variable: 'SDS_TEST_SCHEMATHESIS',
  required: true,
  start: findSchemathesis,
  addressOf: ({ path }) => path,
  open: (path) => ({ path }),
};

const nginx: Shared<Nginx> = {
  title: 'nginx',
  variable: 'SDS_TEST_NGINX',
  required: false,
  start: findNginx,
  addressOf: ({ program }) => program,
  open: openNginx,
};

/** Lends a service: the one in the variable, or the one this process started. */
function lend<T extends object>(shared: Shared<T>): () => Promise<T & Skippable> {
  let started: Promise<T & Skippable> | undefined;
  return () => {
    started ??= obtain(shared);
    return started;
  };
}

async function obtain<T extends object>(shared: Shared<T>): Promise<T & Skippable> {
  const address = process.env[shared.variable] || (await borrow(shared.variable));
  if (address.startsWith(missingMark)) return missing(shared, address.slice(missingMark.length));
  const get = address === '' ? shared.start : async () => await shared.open(address);
  return orMissing(shared, get);
}

/**
 * A service that cannot be installed or started counts as missing, with the reason; in CI the failure itself is thrown.
 */
async function orMissing<T extends object>(named: Named, get: () => Promise<T>): Promise<T & Skippable> {
  try {
    return Object.assign(await get(), { skip: false } as const);
  } catch (error) {
    return missing<T>(named, error instanceof Error ? error.message : String(error));
  }
}

type Named = { title: string; required: boolean };

function missing<T extends object>({ title, required }: Named, reason: string): T & Skippable {
  if (required && process.env.SDS_REQUIRE_SERVICES === '1') throw new ServiceMissing(`${title} is not here: ${reason}`);
  return standIn<T>(title, reason);
}

type Own<T> = T & Controls & Skippable;

/** Services for one test, with durable data. */
const own = {
  kafka: (options: KafkaOptions = {}): Promise<Own<Kafka>> => orMissing(kafka, () => startKafka(options)),
  registry: (): Promise<Own<Registry>> => orMissing(registry, startRegistry),
  s3: (): Promise<Own<S3>> => orMissing(s3, startS3),
  postgres: (options: PostgresOptions = {}): Promise<Own<Postgres>> =>
    orMissing(options.binaries === 'system' ? systemPostgres : postgres, () =>
      startPostgres({ durable: true, ...options }),
    ),
  redis: (): Promise<Own<Redis>> => orMissing(redis, startRedis),
};

/** Images are built only on machines that can build and run them; elsewhere tests are skipped, in CI too. */
const imageEngine = { title: 'An engine of images', required: false };

export const services = {
  kafka: lend(kafka),
  registry: lend(registry),
  s3: lend(s3),
  postgres: lend(postgres),
  systemPostgres: lend(systemPostgres),
  redis: lend(redis),
  python: lend(python),
  pandas: lend(pandas),
  httpfs: lend(httpfs),
  chromium: lend(chromium),
  firefox: lend(firefox),
  schemathesis: lend(schemathesis),
  nginx: lend(nginx),
  imageEngine: (): Promise<ImageEngine & Skippable> => orMissing(imageEngine, findImageEngine),
  own,
};

/** The services that a run lends to its test files. */
const lendable = [
  kafka,
  registry,
  s3,
  postgres,
  systemPostgres,
  redis,
  python,
  pandas,
  httpfs,
  chromium,
  firefox,
  schemathesis,
  nginx,
] as readonly Shared<object>[];

/** A service that a run starts once for all its files, unless the administrator named one of their own. */
function lent({ title, variable, start, addressOf }: Shared<object>): Lent {
  return {
    title,
    variable,
    async start() {
      const given = process.env[variable] ?? '';
      if (given !== '') return { address: given, end: async () => {} };
      const service: Partial<AsyncDisposable> = await start();
      return { address: addressOf(service), end: async () => await service[Symbol.asyncDispose]?.() };
    },
  };
}

export const lentServices: readonly Lent[] = lendable.map(lent);
