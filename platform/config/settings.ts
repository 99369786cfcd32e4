// The service's settings from its environment: the entry programs read them once into a plain record. The only reader of `process.env`. A
// missing or contradictory setting stops the start with one line: name, reason, example.
import type { Pepper } from '../../core/access/key-format.ts';
import { type DeadLetterRetention, defaultDeadLetterRetention } from '../../core/limits/dead-letter-retention.ts';
import { defaultFeedQuotas, type FeedQuotas } from '../../core/limits/feed-quotas.ts';
import { defaultFeedLimits, type FeedLimits } from '../../core/limits/token-bucket.ts';
import type { Tier } from '../../core/ports/catalog/keys.ts';
import { tiers } from '../../core/ports/catalog/keys.ts';
import { parseCrashSetting } from '../process/crash-points.ts';
import { type Environment, type ReadText, secretSettings, textOf } from './environment-text.ts';
import {
  databaseLink,
  type KafkaLink,
  kafkaLink,
  type RedisLink,
  redisLink,
  type S3Link,
  s3Link,
} from './link-settings.ts';
import { SettingError } from './setting-error.ts';
import { settingTable } from './setting-table.ts';
import {
  host,
  longSecret,
  millionths,
  month,
  oneOf,
  port,
  portOrOff,
  publicUrl,
  webUrl,
  whole,
} from './setting-values.ts';
import { type TraceSettings, traceSettings } from './trace-settings.ts';

export type Settings = {
  edition: 'embedded' | 'distributed';
  dataDir: string;
  host: string;
  apiPort: number;
  ingestPort: number;
  /** Port of the internal listener; null: no listener. */
  internalPort: number | null;
  internalHost: string;
  /** What the console asks for; null: there is no console. */
  consoleSecret: string | null;
  baseUrl: string | null;
  readyFile: string | null;
  demo: boolean;
  demoSeed: number;
  msfServing: boolean;
  /** The weight of a board's row, in millionths. */
  boardWeightMillionths: number;
  /** The DEMO tier's sample month, `YYYY-MM`. */
  demoMonth: string | null;
  rateLimits: Readonly<Partial<Record<Tier | 'address', number>>>;
  feedLimits: FeedLimits;
  /** Whether they differ from the default. */
  feedLimitsGiven: boolean;
  feedQuotas: FeedQuotas;
  /** Whether they differ from the default. */
  feedQuotasGiven: boolean;
  deadLetters: DeadLetterRetention;
  /** Whether projectors write the raw archive. */
  rawArchive: boolean;
  /** The number of our own proxies in front of the API. */
  proxyHops: number;
  peppers: readonly Pepper[] | null;
  databaseUrl: string | null;
  redis: RedisLink | null;
  kafka: KafkaLink | null;
  s3: S3Link | null;
  /** The MySportsFeeds poller; null: it is off. */
  msf: { apiKey: string; baseUrl: string | null; ownKey: boolean } | null;
  sessionMs: number | null;
  logLevel: string;
  /** Null: nothing is traced. */
  traces: TraceSettings | null;
  crashAt: string | undefined;
};

/** Settings of this process. @throws SettingError */
export function readSettings(environment: Environment = process.env): Settings {
  const text = textOf(environment);
  const given = <T>(name: string, read: (name: string, value: string) => T): T | null => {
    const value = text(name);
    return value === null ? null : read(name, value);
  };
  const edition = oneOf('SDS_EDITION', text('SDS_EDITION') ?? 'embedded', ['embedded', 'distributed']);
  const settings: Settings = {
    edition,
    dataDir: text('SDS_DATA_DIR') ?? './.data',
    host: host('SDS_HOST', text('SDS_HOST') ?? '127.0.0.1'),
    apiPort: port('SDS_API_PORT', text('SDS_API_PORT') ?? '8080'),
    ingestPort: port('SDS_INGEST_PORT', text('SDS_INGEST_PORT') ?? '8081'),
    internalPort: portOrOff('SDS_INTERNAL_PORT', text('SDS_INTERNAL_PORT') ?? '0'),
    internalHost: host('SDS_INTERNAL_HOST', text('SDS_INTERNAL_HOST') ?? '127.0.0.1'),
    consoleSecret: given('SDS_CONSOLE_SECRET', longSecret),
    baseUrl: given('SDS_BASE_URL', (name, value) => publicUrl(name, value, 'https://api.example.com')),
    readyFile: text('SDS_READY_FILE'),
    demo: oneOf('SDS_DEMO', text('SDS_DEMO') ?? 'off', ['on', 'off']) === 'on',
    demoSeed: whole('SDS_DEMO_SEED', text('SDS_DEMO_SEED') ?? '1', 0, 999_999_999, '1'),
    boardWeightMillionths: millionths('SDS_BOARD_WEIGHT', text('SDS_BOARD_WEIGHT') ?? '0'),
    demoMonth: given('SDS_DEMO_MONTH', month),
    msfServing: oneOf('SDS_MSF_SERVING', text('SDS_MSF_SERVING') ?? 'on', ['on', 'off']) === 'on',
    rateLimits: rateLimits(text('SDS_RATE_LIMITS')),
    feedLimits: given('SDS_FEED_LIMITS', namedNumbers(defaultFeedLimits, 'a second')) ?? defaultFeedLimits,
    feedLimitsGiven: text('SDS_FEED_LIMITS') !== null,
    feedQuotas: given('SDS_FEED_QUOTAS', namedNumbers(defaultFeedQuotas, 'a day')) ?? defaultFeedQuotas,
    feedQuotasGiven: text('SDS_FEED_QUOTAS') !== null,
    deadLetters:
      given('SDS_DEAD_LETTERS', namedNumbers(defaultDeadLetterRetention, 'in all')) ?? defaultDeadLetterRetention,
    rawArchive:
      oneOf('SDS_RAW_ARCHIVE', text('SDS_RAW_ARCHIVE') ?? (edition === 'distributed' ? 'on' : 'off'), ['on', 'off']) ===
      'on',
    proxyHops: whole('SDS_PROXY_HOPS', text('SDS_PROXY_HOPS') ?? '0', 0, 16, '1'),
    peppers: peppers(text('SDS_KEY_PEPPERS')),
    databaseUrl: databaseLink(text),
    redis: redisLink(text),
    kafka: kafkaLink(text),
    s3: s3Link(text),
    msf: msf(text),
    sessionMs: given('SDS_SESSION_MS', (name, value) => whole(name, value, 500, 300_000, '6000')),
    logLevel: oneOf('LOG_LEVEL', text('LOG_LEVEL') ?? 'info', ['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    traces: traceSettings(text),
    crashAt: given('SDS_CRASH_AT', crashAt) ?? undefined,
  };
  if (edition === 'distributed') requireDistributed(settings);
  return settings;
}

/** The table that `sds start --help` prints. */
export function settingsHelp(): string {
  const width = Math.max(...settingTable.map((row) => row.name.length));
  return settingTable
    .map((row) => `  ${row.name.padEnd(width)}  ${row.help}${row.fallback === null ? '' : ` [${row.fallback}]`}`)
    .concat(`\nA secret may stand in a file: NAME_FILE names it, for NAME of ${secretSettings.join(', ')}.`)
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

function rateLimits(value: string | null): Settings['rateLimits'] {
  const limits: Partial<Record<Tier | 'address', number>> = {};
  for (const part of value?.split(',') ?? []) {
    const [name, limit, ...more] = part.split(':');
    const known = [...tiers, 'address' as const].find((each) => each === name);
    const isNumber = /^[1-9][0-9]{0,8}$/.test(limit ?? '');
    if (known === undefined || more.length > 0 || !isNumber || limits[known] !== undefined) {
      throw new SettingError(
        'SDS_RATE_LIMITS',
        `has the part ${part}, and must be a list of tier:limit, each tier at most once`,
        'PRO:100000,address:5000',
      );
    }
    limits[known] = Number(limit);
  }
  return limits;
}

/** Parses `name:number,…`. Each name may occur once; absent ones keep their default. `of`: the unit of the numbers, for messages. */
function namedNumbers<Name extends string>(
  defaults: Readonly<Record<Name, number>>,
  of: string,
): (setting: string, value: string) => Readonly<Record<Name, number>> {
  const names = Object.keys(defaults) as Name[];
  return (setting, value) => {
    const given: Partial<Record<Name, number>> = {};
    for (const part of value.split(',')) {
      const [name, text, ...more] = part.trim().split(':');
      const known = names.find((each) => each === name);
      const number = /^[1-9][0-9]{0,11}$/.test(text ?? '') ? Number(text) : null;
      if (known === undefined || number === null || more.length > 0 || given[known] !== undefined) {
        throw new SettingError(
          setting,
          `has the part ${part}, and must be a list of name:limit, each of ${names.join(', ')} at most once, with a whole number ${of}`,
          names.map((each) => `${each}:${defaults[each]}`).join(','),
        );
      }
      given[known] = number;
    }
    return { ...defaults, ...given };
  };
}

const pepperExample = '2:bmV3ZXItc2VjcmV0LW9mLTMyLWJ5dGVz,1:b2xkZXItc2VjcmV0LW9mLTMyLWJ5dGVz';

function peppers(value: string | null): readonly Pepper[] | null {
  if (value === null) return null;
  const refuse = (why: string) => new SettingError('SDS_KEY_PEPPERS', why, pepperExample);
  const read = value.split(',').map((part) => {
    const [version, secret = '', ...more] = part.split(':');
    const bytes = Buffer.from(secret, 'base64');
    if (!/^[0-9]{1,9}$/.test(version ?? '') || more.length > 0 || !isBase64(secret) || bytes.length < 16)
      throw refuse('must be a list of version:base64 of at least 16 bytes, newest first');
    return { version: Number(version), secret: new Uint8Array(bytes) };
  });
  const twice = read.find(({ version }, index) => read.findIndex((each) => each.version === version) < index);
  if (twice !== undefined)
    throw refuse(
      `has version ${twice.version} twice, and must have each once: keys name the version they are stored under`,
    );
  return read;
}

/** With padding or without, of either alphabet. Node would pass over everything else. */
function isBase64(text: string): boolean {
  const spare = text.length % 4;
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) && (text.endsWith('=') ? spare === 0 : spare !== 1);
}

function msf(text: ReadText): Settings['msf'] {
  const apiKey = text('SDS_MSF_API_KEY');
  const url = text('SDS_MSF_BASE_URL');
  const baseUrl = url === null ? null : webUrl('SDS_MSF_BASE_URL', url, 'https://api.mysportsfeeds.com/v2.1/pull');
  const ownKey = oneOf('SDS_MSF_OWN_KEY', text('SDS_MSF_OWN_KEY') ?? 'off', ['on', 'off']) === 'on';
  if (apiKey === null) return null;
  if (!/^[\x21-\x39\x3b-\x7e]+$/.test(apiKey))
    throw new SettingError('SDS_MSF_API_KEY', 'must be visible ASCII without a colon', 'b1946ac9-2492');
  return { apiKey, baseUrl, ownKey };
}

function crashAt(name: string, value: string): string {
  try {
    parseCrashSetting(value);
    return value;
  } catch (error) {
    throw new SettingError(name, error instanceof Error ? error.message : String(error), 'projector:after-put:3');
  }
}
