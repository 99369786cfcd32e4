// The environment as settings: what is missing takes its default, and a value that cannot be used stops the start with one line that
// names the variable, the reason and an example — which itself would do (docs/operations.md#configuration).
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { checkReadyFile } from '../../../ops/service/first-keys.ts';
import { secretSettings } from '../../../platform/config/environment-text.ts';
import { isUnverified } from '../../../platform/config/link-settings.ts';
import { SettingError } from '../../../platform/config/setting-error.ts';
import { settingTable } from '../../../platform/config/setting-table.ts';
import { readSettings, settingsHelp } from '../../../platform/config/settings.ts';
import { makeDataDir } from '../../../platform/process/data-dir.ts';
import { type Certificates, makeCertificates, opensslSkip } from '../../support/services/certificates.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

type Environment = Readonly<Record<string, string>>;

const kafka = { KAFKA_BROKERS: 'kafka:9092', SCHEMA_REGISTRY_URL: 'http://registry:8081' };
const peppers = { SDS_KEY_PEPPERS: '1:c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0' };
const distributed = {
  SDS_EDITION: 'distributed',
  DATABASE_URL: 'postgres://sds:secret@db:5432/sds',
  S3_BUCKET: 'sds-live',
  ...kafka,
  ...peppers,
};

const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

/** The variable, bad values for it, and other variables that are set. */
const bad: readonly (readonly [string, readonly string[], Environment?])[] = [
  ['SDS_EDITION', ['both', 'embedded,distributed']],
  ['SDS_HOST', ['http://127.0.0.1', 'two words', '127.0.0.1/8']],
  ['SDS_API_PORT', ['99999', '-1', '80a', '8080.5', '0x50']],
  ['SDS_INGEST_PORT', ['99999', 'http']],
  ['SDS_INTERNAL_PORT', ['99999', 'on']],
  ['SDS_INTERNAL_HOST', ['http://x', 'a b']],
  ['SDS_BASE_URL', ['foo', 'ftp://api.example.com', '/v1', 'api.example.com:80']],
  [
    'SDS_BASE_URL',
    [
      'https://sds:pw@api.example.com',
      'https://api.example.com/x?y=1',
      'https://api.example.com/#z',
      'https://api.example.com?',
    ],
  ],
  ['SDS_DEMO', ['yes', '1']],
  ['SDS_DEMO_SEED', ['-1', 'x', '1e3', '9999999999']],
  ['SDS_MSF_SERVING', ['maybe', '1']],
  ['SDS_RAW_ARCHIVE', ['yes', 'daily']],
  ['SDS_MSF_API_KEY', ['two words', 'with:colon', 'schlüssel']],
  ['SDS_MSF_BASE_URL', ['foo', 'api.mysportsfeeds.com/v2.1/pull', 'ftp://api.mysportsfeeds.com']],
  ['SDS_MSF_OWN_KEY', ['yes', '1']],
  ['SDS_BOARD_WEIGHT', ['-1', 'x', '1e3', '.5', '0,5', '1.2345678', 'NaN']],
  ['SDS_DEMO_MONTH', ['2026', '2026-13', '2026-00', '2026-8', '2026-08-01', 'August']],
  ['SDS_RATE_LIMITS', ['PRO', 'PRO:0', 'PRO:-5', 'GOLD:5', 'PRO:5:6', 'PRO:5,', 'PRO:x', 'PRO:1000,PRO:5']],
  [
    'SDS_FEED_LIMITS',
    [
      'requests',
      'requests:0',
      'bytes:-5',
      'pushes:5',
      'bytes:5:6',
      'bytes:5,',
      'bytes:x',
      'bytes:5,bytes:6',
      'bytes:1e9',
    ],
  ],
  ['SDS_FEED_QUOTAS', ['letters', 'letters:0', 'games:-5', 'requests:5', 'bytes:5:6', 'games:5,games:6', 'bytes:1e9']],
  ['SDS_DEAD_LETTERS', ['days', 'days:0', 'bytes:-5', 'letters:5', 'days:5:6', 'days:5,days:6', 'bytes:1e9']],
  ['SDS_PROXY_HOPS', ['-1', 'x', '17', '1.5']],
  [
    'SDS_KEY_PEPPERS',
    [
      'x',
      '1',
      '1:c2hvcnQ=',
      'a:c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0',
      '1:correct horse battery staple and more',
      '1:c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0!',
      '1:c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0=',
      '1:c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0,01:b2xkZXItc2VjcmV0LW9mLTMyLWJ5dGVz',
    ],
  ],
  ['DATABASE_URL', ['foo', 'db:5432', 'mysql://db/sds', 'postgres:sds', 'http://db', 'postgres:///sds']],
  [
    'DATABASE_URL',
    ['prefer', 'allow', 'no-verify', 'VERIFY-FULL', 'verify-ca'].map((mode) => `postgres://db/sds?sslmode=${mode}`),
  ],
  ['REDIS_URL', ['foo', 'redis:6379', 'http://redis']],
  ['KAFKA_BROKERS', ['kafka', 'kafka:', 'kafka:0', 'kafka:99999', 'kafka:9092,', 'http://kafka:9092'], kafka],
  ['KAFKA_SASL_MECHANISM', ['gssapi'], { ...kafka, KAFKA_SASL_USERNAME: 'sds', KAFKA_SASL_PASSWORD: 'p' }],
  ['KAFKA_SASL_PASSWORD', [''], { ...kafka, KAFKA_SASL_USERNAME: 'sds' }],
  ['KAFKA_SASL_USERNAME', [''], { ...kafka, KAFKA_SASL_PASSWORD: 'p' }],
  ['KAFKA_SECURITY_PROTOCOL', ['TLS', 'SASL_SSL', 'SASL_PLAINTEXT'], kafka],
  ['KAFKA_SECURITY_PROTOCOL', ['SSL', 'PLAINTEXT'], { ...kafka, KAFKA_SASL_USERNAME: 'sds', KAFKA_SASL_PASSWORD: 'p' }],
  ['SCHEMA_REGISTRY_URL', ['', 'foo', 'registry:8081', 'http://sds:secret@registry:8081'], kafka],
  ['SCHEMA_REGISTRY_BASIC_AUTH_USER_INFO', ['sds', ':secret', 'sds:'], kafka],
  ['SDS_QUOTES_PARTITIONS', ['0', '-1', 'x', '100000'], kafka],
  ['SDS_KAFKA_REPLICATION', ['0', 'x'], kafka],
  ['S3_BUCKET', ['Bad Bucket', 'a', '../x', 's3://bucket']],
  ['S3_BUCKET', [''], { S3_ENDPOINT: 'http://127.0.0.1:9000' }],
  ['S3_ENDPOINT', ['foo', 'minio:9000'], { S3_BUCKET: 'sds-live' }],
  ['AWS_REGION', ['two words', 'us east'], { S3_BUCKET: 'sds-live' }],
  ['SDS_CONSOLE_SECRET', ['secret', 'two words that are long enough', 'a'.repeat(23), 'a'.repeat(257)]],
  ['SDS_SESSION_MS', ['0', 'x', '-5', '99999999']],
  ['LOG_LEVEL', ['loud']],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', ['collector:4318', 'grpc://collector:4317']],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', ['http://collector:4318/?x=1', 'http://collector:4318#x']],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['v1/traces']],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', ['grpc'], collector],
  ['OTEL_TRACES_SAMPLER', ['sometimes', 'jaeger_remote'], collector],
  ['OTEL_TRACES_SAMPLER_ARG', ['-1', '1.5', 'half', '1e-3'], { ...collector, OTEL_TRACES_SAMPLER: 'traceidratio' }],
  ['SDS_CRASH_AT', ['projector', 'projector:nowhere', 'projector:after-put:0']],
  ...['DATABASE_URL', 'KAFKA_BROKERS', 'S3_BUCKET', 'SDS_KEY_PEPPERS'].map(
    (name) => [name, [''], distributed] as const,
  ),
];

/** Settings that name files; other tests check bad files. */
const linkFiles = ['CA_LOCATION', 'CERTIFICATE_LOCATION', 'KEY_LOCATION', 'KEY_PASSWORD'];
const fileSettings = [
  ...['KAFKA_SSL', 'SCHEMA_REGISTRY_SSL'].flatMap((link) => linkFiles.map((name) => `${link}_${name}`)),
  ...['REDIS_TLS_CA_CERT_FILE', 'REDIS_TLS_CERT_FILE', 'REDIS_TLS_KEY_FILE', 'AWS_CA_BUNDLE'],
];

/** The single line that reports a bad setting. */
function lineOf(environment: Environment): string {
  try {
    readSettings(environment);
  } catch (error) {
    assert.ok(error instanceof SettingError, String(error));
    return error.message;
  }
  return assert.fail(`accepted: ${JSON.stringify(environment)}`);
}

describe('settings', () => {
  for (const [name, values, others = {}] of bad) {
    it(`${name} is refused as ${values.map((value) => value || 'nothing').join(', ')}`, () => {
      for (const value of values) {
        const line = lineOf({ ...others, [name]: value });
        assert.match(line, new RegExp(`^${name} [^\\n]{8,}; for example ${name}=[^\\n]+$`), value);
        const example = line.slice(line.lastIndexOf(`; for example ${name}=`) + `; for example ${name}=`.length);
        readSettings({ ...others, [name]: example });
      }
    });
  }

  it('are refused by name, every one that the table of `sds start --help` has', () => {
    const anything = ['SDS_DATA_DIR', 'SDS_READY_FILE'];
    const tested = new Set([...bad.map(([name]) => name), ...fileSettings, ...anything]);
    const named = settingTable.flatMap((row) => row.name.replace(', AWS_…', '').split(', '));
    const full = named.map((name, at) => {
      if (!name.startsWith('_')) return name;
      const first = named.slice(0, at).findLast((each) => !each.startsWith('_')) ?? '';
      return first.replace(/_(USERNAME|CA_LOCATION|CA_CERT_FILE)$/, name);
    });
    assert.deepEqual(
      full.filter((name) => !tested.has(name)),
      [],
    );
    for (const { name } of settingTable) assert.ok(settingsHelp().includes(`  ${name} `), name);
  });

  it('never repeat what may be a secret', () => {
    for (const [name, value] of [
      ['DATABASE_URL', 'mysql://sds:hunter2@db/sds'],
      ['REDIS_URL', 'http://:hunter2@redis'],
      ['SDS_KEY_PEPPERS', '1:hunter2'],
      ['SDS_MSF_API_KEY', 'hunter2:hunter2'],
      ['SDS_MSF_BASE_URL', 'ftp://u:hunter2@host'],
      ['SDS_BASE_URL', 'ftp://u:hunter2@host'],
      ['SDS_BASE_URL', 'https://u:hunter2@host'],
      ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://collector?key=hunter2'],
    ] as const)
      assert.ok(!lineOf({ [name]: value }).includes('hunter2'), name);
    for (const registry of ['ftp://u:hunter2@registry', 'http://u:hunter2@registry'])
      assert.ok(!lineOf({ ...kafka, SCHEMA_REGISTRY_URL: registry }).includes('hunter2'));
    const info = { SCHEMA_REGISTRY_BASIC_AUTH_USER_INFO: 'hunter2' };
    assert.ok(!lineOf({ ...kafka, ...info }).includes('hunter2'));
    assert.ok(!lineOf({ DATABASE_URL: 'postgres://u:hunter2@db/sds?sslmode=prefer' }).includes('hunter2'));
  });

  it('have defaults, are trimmed, and an empty one is none', () => {
    const { edition, apiPort, host, boardWeightMillionths, demoMonth, databaseUrl, sessionMs } = readSettings({
      SDS_HOST: ' ',
      SDS_API_PORT: ' 9000 ',
      DATABASE_URL: '',
    });
    assert.deepEqual([edition, apiPort, host], ['embedded', 9_000, '127.0.0.1']);
    assert.deepEqual([boardWeightMillionths, demoMonth, databaseUrl, sessionMs], [0, null, null, null]);
    assert.equal(readSettings(distributed).edition, 'distributed');
    assert.equal(readSettings({ SDS_MSF_BASE_URL: 'http://127.0.0.1/' }).msf, null);
    const polled = { apiKey: 'k', baseUrl: null, ownKey: false };
    assert.deepEqual(readSettings({ SDS_MSF_API_KEY: ' k ' }).msf, polled);
  });

  it('take a pepper in each form of base64', () => {
    const bytes = Buffer.from([...Array.from({ length: 15 }, (_, index) => index), 0xff, 0xfe]);
    for (const text of [
      bytes.toString('base64'),
      bytes.toString('base64').replace('=', ''),
      bytes.toString('base64url'),
    ])
      assert.deepEqual(Buffer.from(readSettings({ SDS_KEY_PEPPERS: `1:${text}` }).peppers?.[0]?.secret ?? []), bytes);
  });

  it('are read exactly', () => {
    for (const [text, value] of [
      ['0', 0],
      ['0.29', 290_000],
      ['12', 12_000_000],
      ['0.000001', 1],
    ] as const)
      assert.equal(readSettings({ SDS_BOARD_WEIGHT: text }).boardWeightMillionths, value);
    assert.equal(readSettings({ SDS_DEMO_MONTH: '2026-08' }).demoMonth, '2026-08');
    for (const url of ['postgresql://db/sds', 'postgres:///sds?host=/var/run', 'postgres://u:p@[::1]:5432/sds'])
      assert.equal(readSettings({ DATABASE_URL: url }).databaseUrl, url);
  });
});

describe('secrets in files', () => {
  const dir = mkdtempSync(join(tmpdir(), 'sds-secrets-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const fileOf = (name: string, text: string): string => {
    const path = join(dir, name);
    writeFileSync(path, text);
    return path;
  };

  it('count as if they stood in the variable, for each setting that holds one', () => {
    const values: Record<string, string> = {
      DATABASE_URL: 'postgres://sds:secret@db:5432/sds',
      REDIS_URL: 'redis://:secret@redis:6379',
      KAFKA_SASL_PASSWORD: 'p',
      SCHEMA_REGISTRY_BASIC_AUTH_USER_INFO: 'sds:with:colon',
      SDS_KEY_PEPPERS: '1:c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0',
      SDS_MSF_API_KEY: 'k',
      SDS_CONSOLE_SECRET: 'an-example-of-24-letters',
      AWS_SECRET_ACCESS_KEY: 's',
      AWS_SESSION_TOKEN: 't',
    };
    const keyPasswords = ['KAFKA_SSL_KEY_PASSWORD', 'SCHEMA_REGISTRY_SSL_KEY_PASSWORD'];
    assert.deepEqual([...Object.keys(values), ...keyPasswords].sort(), [...secretSettings].sort());
    const others = { ...kafka, KAFKA_SASL_USERNAME: 'sds', S3_BUCKET: 'sds-live', AWS_ACCESS_KEY_ID: 'a' };
    const files = Object.entries(values).map(([name, value]) => [`${name}_FILE`, fileOf(name, `${value}\n`)]);
    const { s3, kafka: link, ...rest } = readSettings({ ...others, ...Object.fromEntries(files) });
    const direct = readSettings({ ...others, ...values });
    assert.deepEqual({ ...rest, kafka: link, s3: null }, { ...direct, s3: null });
    assert.deepEqual(link?.registry.login, { username: 'sds', password: 'with:colon' });
    assert.deepEqual(s3?.credentials, { accessKeyId: 'a', secretAccessKey: 's', sessionToken: 't' });
    assert.equal(direct.s3?.credentials, null, 'the AWS tools find what is no file');
    for (const name of secretSettings) assert.ok(settingsHelp().includes(name), name);
  });

  it('are refused where both stand, where the file is missing or empty, and where a part is missing', () => {
    const file = fileOf('url', 'postgres://db/sds');
    assert.match(
      lineOf({ DATABASE_URL: 'postgres://db/sds', DATABASE_URL_FILE: file }),
      /^DATABASE_URL_FILE is set, and so is/,
    );
    assert.match(
      lineOf({ REDIS_URL_FILE: join(dir, 'none') }),
      /^REDIS_URL_FILE names \S+, and that file cannot be read \(ENOENT/,
    );
    assert.match(
      lineOf({ SDS_MSF_API_KEY_FILE: fileOf('empty', ' \n') }),
      /^SDS_MSF_API_KEY_FILE names \S+, and that file is empty/,
    );
    assert.match(
      lineOf({ SDS_KEY_PEPPERS_FILE: fileOf('peppers', '1:hunter2') }),
      /^SDS_KEY_PEPPERS must be(?!.*hunter2)/,
    );
    const s3 = { S3_BUCKET: 'sds-live', AWS_SECRET_ACCESS_KEY_FILE: fileOf('aws', 's') };
    assert.match(lineOf(s3), /^AWS_ACCESS_KEY_ID is missing, and AWS_SECRET_ACCESS_KEY_FILE needs it/);
    const token = { S3_BUCKET: 'sds-live', AWS_ACCESS_KEY_ID: 'a', AWS_SESSION_TOKEN_FILE: fileOf('token', 't') };
    assert.match(lineOf(token), /^AWS_SECRET_ACCESS_KEY_FILE is missing, and AWS_SESSION_TOKEN_FILE needs it/);
  });
});

describe('files of links over TLS', skipFor(opensslSkip), () => {
  const made = opensslSkip === false ? makeCertificates() : null;
  afterAll(async () => (await made)?.[Symbol.dispose]());

  it('are read, and used together', async () => {
    const { ca, client, lockedKey } = (await made) as Certificates;
    const { kafka: link } = readSettings({
      ...kafka,
      KAFKA_SECURITY_PROTOCOL: 'ssl',
      KAFKA_SSL_CA_LOCATION: ca,
      KAFKA_SSL_CERTIFICATE_LOCATION: client.cert,
      KAFKA_SSL_KEY_LOCATION: lockedKey,
      KAFKA_SSL_KEY_PASSWORD: 'opens-it',
    });
    const text = (path: string): string => readFileSync(path, 'utf8');
    const expected = { ca: text(ca), cert: text(client.cert), key: text(lockedKey), passphrase: 'opens-it' };
    assert.deepEqual(link?.tls, expected);
    assert.equal(link?.registry.tls, null);
    assert.deepEqual(readSettings({ ...kafka, KAFKA_SECURITY_PROTOCOL: 'ssl' }).kafka?.tls, {});
    assert.equal(readSettings(kafka).kafka?.tls, null);
  });

  it('are refused by name, each way in which they can be wrong', async () => {
    const { ca, client, foreignClient, lockedKey } = (await made) as Certificates;
    const over = { ...kafka, KAFKA_SECURITY_PROTOCOL: 'ssl' };
    const pair = { KAFKA_SSL_CERTIFICATE_LOCATION: client.cert, KAFKA_SSL_KEY_LOCATION: client.key };
    const database = (parameters: string) => ({ DATABASE_URL: `postgres://db/sds?${parameters}` });
    const cases: readonly (readonly [Environment, RegExp])[] = [
      [
        { ...over, KAFKA_SSL_CA_LOCATION: `${ca}.none` },
        /^KAFKA_SSL_CA_LOCATION names \S+, and that file cannot be read/,
      ],
      [{ ...over, KAFKA_SSL_CA_LOCATION: client.key }, /^KAFKA_SSL_CA_LOCATION names a file without a certificate/],
      [
        { ...over, KAFKA_SSL_KEY_LOCATION: client.key },
        /^KAFKA_SSL_CERTIFICATE_LOCATION is missing, and KAFKA_SSL_KEY_LOCATION/,
      ],
      [{ ...over, KAFKA_SSL_CERTIFICATE_LOCATION: client.cert }, /^KAFKA_SSL_KEY_LOCATION is missing, and/],
      [{ ...over, KAFKA_SSL_KEY_PASSWORD: 'p' }, /^KAFKA_SSL_KEY_LOCATION is missing, and KAFKA_SSL_KEY_PASSWORD/],
      [
        { ...over, ...pair, KAFKA_SSL_KEY_LOCATION: foreignClient.key },
        /^KAFKA_SSL_KEY_LOCATION names a key that does not belong to/,
      ],
      [{ ...over, ...pair, KAFKA_SSL_KEY_LOCATION: ca }, /^KAFKA_SSL_KEY_LOCATION names a file without a private key/],
      [{ ...over, ...pair, KAFKA_SSL_KEY_LOCATION: lockedKey }, /^KAFKA_SSL_KEY_PASSWORD does not open the key/],
      [
        { ...over, ...pair, KAFKA_SSL_KEY_LOCATION: lockedKey, KAFKA_SSL_KEY_PASSWORD: 'no' },
        /^KAFKA_SSL_KEY_PASSWORD does not open/,
      ],
      [
        { ...kafka, KAFKA_SSL_CA_LOCATION: ca },
        /^KAFKA_SECURITY_PROTOCOL asks for no TLS, and KAFKA_SSL_CA_LOCATION is set; .*=ssl$/,
      ],
      [{ ...kafka, SCHEMA_REGISTRY_SSL_CA_LOCATION: ca }, /^SCHEMA_REGISTRY_URL asks for no TLS, and SCHEMA/],
      [
        { REDIS_URL: 'redis://redis', REDIS_TLS_CA_CERT_FILE: ca },
        /^REDIS_URL asks for no TLS, and REDIS_TLS_CA_CERT_FILE/,
      ],
      [
        { REDIS_URL: 'rediss://r', REDIS_TLS_CERT_FILE: client.cert, REDIS_TLS_KEY_FILE: lockedKey },
        /^REDIS_TLS_KEY_FILE names a key under a password/,
      ],
      [{ S3_BUCKET: 'sds-live', AWS_CA_BUNDLE: client.key }, /^AWS_CA_BUNDLE names a file without a certificate/],
      [database(`sslrootcert=${ca}`), /^DATABASE_URL has sslrootcert, and no sslmode that asks for TLS/],
      [
        database('sslmode=require&sslrootcert=system'),
        /^DATABASE_URL has sslrootcert=system, which needs sslmode=verify/,
      ],
      [database('sslmode=verify-ca&sslrootcert=system'), /^DATABASE_URL has sslrootcert=system, which needs/],
      [database(`sslmode=verify-full&sslrootcert=${ca}.none`), /^DATABASE_URL names \S+, and that file cannot be read/],
      [database(`sslmode=verify-full&sslcert=${client.cert}`), /^DATABASE_URL has one of sslcert and sslkey/],
    ];
    for (const [environment, message] of cases) assert.match(lineOf(environment), message);
    readSettings(database(`sslmode=verify-full&sslrootcert=${ca}&sslcert=${client.cert}&sslkey=${client.key}`));
    readSettings(database('sslmode=verify-full&sslrootcert=system'));
    const unverified = [`sslmode=require`, `sslmode=require&sslrootcert=${ca}`, 'sslmode=verify-full'].map(
      (parameters) => isUnverified(readSettings(database(parameters)).databaseUrl),
    );
    assert.deepEqual(unverified, [true, false, false]);
  });
});

describe('places of the file system', () => {
  const dir = mkdtempSync(join(tmpdir(), 'sds-settings-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, 'file'), '');

  it('a data directory is made, however deep, and one that cannot be is refused at once', () => {
    const deep = join(dir, 'a', 'b', 'c');
    makeDataDir(deep);
    makeDataDir(deep);
    assert.ok(existsSync(deep));
    for (const nowhere of ['/proc/nope', '/proc/nope/deeper', join(dir, 'file'), join(dir, 'file', 'below')])
      assert.throws(
        () => makeDataDir(nowhere),
        (error) =>
          error instanceof SettingError &&
          error.message.startsWith(`SDS_DATA_DIR is ${nowhere}, `) &&
          error.message.endsWith('; for example SDS_DATA_DIR=./.data'),
      );
  });

  it('a ready file that cannot be written is refused at the start', () => {
    checkReadyFile(join(dir, 'ready.json'));
    assert.throws(() => checkReadyFile(join(dir, 'nowhere', 'ready.json')), /^SettingError: SDS_READY_FILE is /);
  });
});
