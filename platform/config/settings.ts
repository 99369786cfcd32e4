// The service's settings from its environment: read once, in the entry programs, into a plain record. The only reader of
// `process.env`. A setting that is missing or contradicts another stops the start with one line: name, reason, example.
import type { Pepper } from '../../core/access/key-format.ts';
import type { Tier } from '../../core/ports/catalog/keys.ts';
import { tiers } from '../../core/ports/catalog/keys.ts';
import { settingTable } from './setting-table.ts';

export type Settings = {
  edition: 'embedded' | 'distributed';
  dataDir: string;
  host: string;
  apiPort: number;
  ingestPort: number;
  baseUrl: string | null;
  readyFile: string | null;
  demo: boolean;
  demoSeed: number;
  rateLimits: Readonly<Partial<Record<Tier | 'address', number>>>;
  peppers: readonly Pepper[] | null;
  databaseUrl: string | null;
  redisUrl: string | null;
  kafka: {
    brokers: readonly string[];
    registryUrl: string;
    sasl: Sasl | null;
    partitions: number;
    replication: number;
  } | null;
  s3: { bucket: string; endpoint: string | null; region: string } | null;
  sessionMs: number | null;
  logLevel: string;
  crashAt: string | undefined;
};

export type Sasl = { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string };

/** A setting that cannot be used. The message is the one line to show. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
  constructor(variable: string, reason: string, example: string) {
    super(`${variable} ${reason}; for example ${variable}=${example}`);
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings of this process. @throws SettingError */
export function readSettings(environment: Environment = process.env): Settings {
  const text = (name: string): string | null => {
    const value = environment[name]?.trim();
    return value === undefined || value === '' ? null : value;
  };
  const edition = oneOf('SDS_EDITION', text('SDS_EDITION') ?? 'embedded', ['embedded', 'distributed']);
  const settings: Settings = {
    edition,
    dataDir: text('SDS_DATA_DIR') ?? './.data',
    host: text('SDS_HOST') ?? '127.0.0.1',
    apiPort: port('SDS_API_PORT', text('SDS_API_PORT') ?? '8080'),
    ingestPort: port('SDS_INGEST_PORT', text('SDS_INGEST_PORT') ?? '8081'),
    baseUrl: url('SDS_BASE_URL', text('SDS_BASE_URL'), 'https://api.example.com'),
    readyFile: text('SDS_READY_FILE'),
    demo: oneOf('SDS_DEMO', text('SDS_DEMO') ?? 'off', ['on', 'off']) === 'on',
    demoSeed: whole('SDS_DEMO_SEED', text('SDS_DEMO_SEED') ?? '1'),
    rateLimits: rateLimits(text('SDS_RATE_LIMITS')),
    peppers: peppers(text('SDS_KEY_PEPPERS')),
    databaseUrl: text('DATABASE_URL'),
    redisUrl: text('REDIS_URL'),
    kafka: kafka(text),
    s3: s3(text),
    sessionMs: text('SDS_SESSION_MS') === null ? null : whole('SDS_SESSION_MS', text('SDS_SESSION_MS') ?? ''),
    logLevel: oneOf('LOG_LEVEL', text('LOG_LEVEL') ?? 'info', ['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    crashAt: text('SDS_CRASH_AT') ?? undefined,
  };
  if (edition === 'distributed') requireDistributed(settings);
  return settings;
}

/** The table that `sds start --help` prints. */
export function settingsHelp(): string {
  const width = Math.max(...settingTable.map((row) => row.name.length));
  return settingTable
    .map((row) => `  ${row.name.padEnd(width)}  ${row.help}${row.fallback === null ? '' : ` [${row.fallback}]`}`)
    .join('\n');
}

function requireDistributed(settings: Settings): void {
  const why = 'is missing, and SDS_EDITION=distributed needs it';
  if (settings.databaseUrl === null) throw new SettingError('DATABASE_URL', why, 'postgres://sds:secret@db:5432/sds');
  if (settings.kafka === null) throw new SettingError('KAFKA_BROKERS', why, 'kafka-1:9092,kafka-2:9092');
  if (settings.s3 === null) throw new SettingError('S3_BUCKET', why, 'sds-live');
  if (settings.peppers === null)
    throw new SettingError('SDS_KEY_PEPPERS', why, '1:c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0');
}

function oneOf<const Choice extends string>(name: string, value: string, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === value.toLowerCase());
  if (found === undefined)
    throw new SettingError(name, `is ${value}, and must be one of ${choices.join(', ')}`, choices[0] ?? '');
  return found;
}

function port(name: string, value: string): number {
  const number = whole(name, value);
  if (number > 65_535) throw new SettingError(name, `is ${value}, and must be a port from 0 to 65535`, '8080');
  return number;
}

function whole(name: string, value: string): number {
  if (!/^[0-9]{1,9}$/.test(value)) throw new SettingError(name, `is ${value}, and must be a whole number`, '8080');
  return Number(value);
}

function url(name: string, value: string | null, example: string): string | null {
  if (value === null) return null;
  if (!URL.canParse(value)) throw new SettingError(name, `is ${value}, and must be a URL`, example);
  return value.replace(/\/+$/, '');
}

function rateLimits(value: string | null): Settings['rateLimits'] {
  const limits: Partial<Record<Tier | 'address', number>> = {};
  for (const part of value?.split(',') ?? []) {
    const [name, limit, ...more] = part.split(':');
    const known = [...tiers, 'address' as const].find((each) => each === name);
    if (known === undefined || more.length > 0 || !/^[1-9][0-9]{0,8}$/.test(limit ?? '')) {
      throw new SettingError(
        'SDS_RATE_LIMITS',
        `has the part ${part}, and must be a list of tier:limit`,
        'PRO:100000,address:5000',
      );
    }
    limits[known] = Number(limit);
  }
  return limits;
}

function peppers(value: string | null): readonly Pepper[] | null {
  if (value === null) return null;
  return value.split(',').map((part) => {
    const [version, secret, ...more] = part.split(':');
    const bytes = Buffer.from(secret ?? '', 'base64');
    if (!/^[0-9]{1,9}$/.test(version ?? '') || more.length > 0 || bytes.length < 16) {
      throw new SettingError(
        'SDS_KEY_PEPPERS',
        'must be a list of version:base64 of at least 16 bytes, newest first',
        '2:bmV3ZXItc2VjcmV0LW9mLTMyLWJ5dGVz,1:b2xkZXItc2VjcmV0LW9mLTMyLWJ5dGVz',
      );
    }
    return { version: Number(version), secret: new Uint8Array(bytes) };
  });
}

function kafka(text: (name: string) => string | null): Settings['kafka'] {
  const brokers = text('KAFKA_BROKERS');
  if (brokers === null) return null;
  const registryUrl = url('SCHEMA_REGISTRY_URL', text('SCHEMA_REGISTRY_URL'), 'http://registry:8081');
  if (registryUrl === null)
    throw new SettingError('SCHEMA_REGISTRY_URL', 'is missing, and KAFKA_BROKERS needs it', 'http://registry:8081');
  return {
    brokers: brokers.split(',').map((broker) => broker.trim()),
    registryUrl,
    sasl: sasl(text),
    partitions: whole('SDS_QUOTES_PARTITIONS', text('SDS_QUOTES_PARTITIONS') ?? '8'),
    replication: whole('SDS_KAFKA_REPLICATION', text('SDS_KAFKA_REPLICATION') ?? '1'),
  };
}

function sasl(text: (name: string) => string | null): Sasl | null {
  const username = text('KAFKA_SASL_USERNAME');
  if (username === null) return null;
  const mechanism = oneOf('KAFKA_SASL_MECHANISM', text('KAFKA_SASL_MECHANISM') ?? 'scram-sha-512', [
    'scram-sha-512',
    'scram-sha-256',
    'plain',
  ]);
  const password = text('KAFKA_SASL_PASSWORD');
  if (password === null)
    throw new SettingError('KAFKA_SASL_PASSWORD', 'is missing, and KAFKA_SASL_USERNAME needs it', 'secret');
  return { mechanism, username, password };
}

function s3(text: (name: string) => string | null): Settings['s3'] {
  const bucket = text('S3_BUCKET');
  if (bucket === null) return null;
  return {
    bucket,
    endpoint: url('S3_ENDPOINT', text('S3_ENDPOINT'), 'http://127.0.0.1:9000'),
    region: text('AWS_REGION') ?? 'us-east-1',
  };
}
