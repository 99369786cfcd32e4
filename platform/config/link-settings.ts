// The settings of the links to other services: Kafka, its schema registry, S3, Redis, PostgreSQL. Their names are those of the services'
// own tools: librdkafka's for Kafka, Confluent's for the registry, libpq's in the database's URL, Redis' own, AWS's.
import type { TlsFiles } from '../links/tls-files.ts';
import { type ReadText, readNamedFile } from './environment-text.ts';
import { SettingError } from './setting-error.ts';
import { databaseUrl, hostsWithPorts, matching, oneOf, redisUrl, webUrl, whole } from './setting-values.ts';
import { checkCertificates, exampleOf, firstTlsName, tlsFiles } from './tls-settings.ts';

export type Login = { username: string; password: string };
export type Sasl = Login & { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512' };

/** `tls` left out or null: no TLS. */
export type RegistryLink = { url: string; login?: Login | null; tls?: TlsFiles | null };
export type KafkaLink = {
  brokers: readonly string[];
  sasl: Sasl | null;
  tls: TlsFiles | null;
  registry: RegistryLink;
  partitions: number;
  replication: number;
};
export type RedisLink = { url: string; tls: TlsFiles | null };
export type S3Link = {
  bucket: string;
  endpoint: string | null;
  region: string;
  /** PEM of the endpoint's certificate authorities; null: those that Node trusts. */
  ca: string | null;
  /** Null: found as the AWS tools find them. */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | null;
};

const kafkaTls = {
  ca: 'KAFKA_SSL_CA_LOCATION',
  cert: 'KAFKA_SSL_CERTIFICATE_LOCATION',
  key: 'KAFKA_SSL_KEY_LOCATION',
  password: 'KAFKA_SSL_KEY_PASSWORD',
};
const registryTls = {
  ca: 'SCHEMA_REGISTRY_SSL_CA_LOCATION',
  cert: 'SCHEMA_REGISTRY_SSL_CERTIFICATE_LOCATION',
  key: 'SCHEMA_REGISTRY_SSL_KEY_LOCATION',
  password: 'SCHEMA_REGISTRY_SSL_KEY_PASSWORD',
};
const redisTls = {
  ca: 'REDIS_TLS_CA_CERT_FILE',
  cert: 'REDIS_TLS_CERT_FILE',
  key: 'REDIS_TLS_KEY_FILE',
  password: null,
};

export function kafkaLink(text: ReadText): KafkaLink | null {
  const brokers = text('KAFKA_BROKERS');
  if (brokers === null) return null;
  const login = sasl(text);
  return {
    brokers: hostsWithPorts('KAFKA_BROKERS', brokers, 'kafka-1:9092,kafka-2:9092'),
    sasl: login,
    tls: tlsWhere(text, kafkaTls, kafkaOverTls(text, login), 'KAFKA_SECURITY_PROTOCOL', login ? 'sasl_ssl' : 'ssl'),
    registry: registryLink(text),
    partitions: whole('SDS_QUOTES_PARTITIONS', text('SDS_QUOTES_PARTITIONS') ?? '8', 1, 10_000, '8'),
    replication: whole('SDS_KAFKA_REPLICATION', text('SDS_KAFKA_REPLICATION') ?? '1', 1, 100, '3'),
  };
}

function registryLink(text: ReadText): RegistryLink {
  const name = 'SCHEMA_REGISTRY_URL';
  const given = text(name);
  if (given === null) throw new SettingError(name, 'is missing, and KAFKA_BROKERS needs it', 'http://registry:8081');
  const url = webUrl(name, given, 'http://registry:8081');
  const { username, password } = new URL(url);
  if (username !== '' || password !== '')
    throw new SettingError(
      name,
      'has a login in it, which belongs into SCHEMA_REGISTRY_BASIC_AUTH_USER_INFO',
      'http://registry:8081',
    );
  const tls = tlsWhere(text, registryTls, new URL(url).protocol === 'https:', name, 'https://registry:8081');
  return { url, login: userInfo(text), tls };
}

/** Confluent's `basic.auth.user.info`. */
function userInfo(text: ReadText): Login | null {
  const name = 'SCHEMA_REGISTRY_BASIC_AUTH_USER_INFO';
  const given = text(name);
  if (given === null) return null;
  const [username = '', ...rest] = given.split(':');
  if (username === '' || rest.join(':') === '') throw new SettingError(name, 'must be user:password', 'sds:secret');
  return { username, password: rest.join(':') };
}

function sasl(text: ReadText): Sasl | null {
  const username = text('KAFKA_SASL_USERNAME');
  if (username === null) {
    const alone = ['KAFKA_SASL_PASSWORD', 'KAFKA_SASL_MECHANISM'].find((name) => text(name) !== null);
    if (alone !== undefined) throw new SettingError('KAFKA_SASL_USERNAME', `is missing, and ${alone} needs it`, 'sds');
    return null;
  }
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

/** Kafka's own names for its four security protocols. */
function kafkaOverTls(text: ReadText, login: Sasl | null): boolean {
  const name = 'KAFKA_SECURITY_PROTOCOL';
  const given = text(name);
  if (given === null) return false;
  const protocol = oneOf(name, given, ['plaintext', 'ssl', 'sasl_plaintext', 'sasl_ssl']);
  if (protocol.startsWith('sasl_') !== (login !== null))
    throw new SettingError(
      name,
      login === null
        ? `is ${protocol}, which needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD`
        : `is ${protocol}, which takes no login, and KAFKA_SASL_USERNAME is set`,
      login === null ? 'ssl' : 'sasl_ssl',
    );
  return protocol.endsWith('ssl');
}

/** The TLS files of a link; null without TLS. Files named for a link without TLS are refused, because they would have no effect. */
function tlsWhere(
  text: ReadText,
  names: typeof kafkaTls | typeof redisTls,
  isOver: boolean,
  protocol: string,
  example: string,
): TlsFiles | null {
  if (isOver) return tlsFiles(text, names);
  const alone = firstTlsName(text, names);
  if (alone === null) return null;
  throw new SettingError(protocol, `asks for no TLS, and ${alone} is set`, example);
}

export function redisLink(text: ReadText): RedisLink | null {
  const given = text('REDIS_URL');
  if (given === null) return null;
  const url = redisUrl('REDIS_URL', given);
  return { url, tls: tlsWhere(text, redisTls, url.startsWith('rediss:'), 'REDIS_URL', 'rediss://redis:6379') };
}

export function s3Link(text: ReadText): S3Link | null {
  const bucket = text('S3_BUCKET');
  const endpoint = text('S3_ENDPOINT');
  if (bucket === null) {
    if (endpoint !== null) throw new SettingError('S3_BUCKET', 'is missing, and S3_ENDPOINT needs it', 'sds-live');
    return null;
  }
  const bundle = text('AWS_CA_BUNDLE');
  const ca = bundle === null ? null : readNamedFile('AWS_CA_BUNDLE', bundle, exampleOf('AWS_CA_BUNDLE'));
  if (ca !== null) checkCertificates('AWS_CA_BUNDLE', ca);
  return {
    bucket: matching('S3_BUCKET', bucket, /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket', 'sds-live'),
    endpoint: endpoint === null ? null : webUrl('S3_ENDPOINT', endpoint, 'http://127.0.0.1:9000'),
    region: matching(
      'AWS_REGION',
      text('AWS_REGION') ?? 'us-east-1',
      /^[a-z0-9-]+$/,
      'the name of a region',
      'us-east-1',
    ),
    ca,
    credentials: awsCredentials(text),
  };
}

/** Only credentials from files; the AWS tools find all others themselves. */
function awsCredentials(text: ReadText): S3Link['credentials'] {
  const fromFile = ['AWS_SECRET_ACCESS_KEY_FILE', 'AWS_SESSION_TOKEN_FILE'].find((name) => text(name) !== null);
  if (fromFile === undefined) return null;
  const [accessKeyId, secretAccessKey, sessionToken] = [
    text('AWS_ACCESS_KEY_ID'),
    text('AWS_SECRET_ACCESS_KEY'),
    text('AWS_SESSION_TOKEN'),
  ];
  if (accessKeyId === null)
    throw new SettingError('AWS_ACCESS_KEY_ID', `is missing, and ${fromFile} needs it`, 'the-id-of-that-key');
  if (secretAccessKey === null)
    throw new SettingError('AWS_SECRET_ACCESS_KEY_FILE', `is missing, and ${fromFile} needs it`, '/run/secrets/aws');
  return { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) };
}

const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

/** The database's URL, with libpq's parameters for TLS. Modes that fall back to no TLS are refused. */
export function databaseLink(text: ReadText): string | null {
  const name = 'DATABASE_URL';
  const given = text(name);
  if (given === null) return null;
  const url = databaseUrl(name, given);
  const of = (parameter: string): string | null => new URL(url).searchParams.get(parameter);
  const mode = of('sslmode');
  const example = 'postgres://sds:secret@db:5432/sds?sslmode=verify-full';
  if (mode !== null && !sslModes.some((each) => each === mode))
    throw new SettingError(name, `has an sslmode that is none of ${sslModes.join(', ')}`, example);
  const files = ['sslrootcert', 'sslcert', 'sslkey'].filter((each) => of(each) !== null);
  if (files.length > 0 && (mode === null || mode === 'disable'))
    throw new SettingError(name, `has ${files[0]}, and no sslmode that asks for TLS`, example);
  // Node's trusted authorities sign certificates for any host: unless the host is checked too, they prove nothing.
  if (of('sslrootcert') === 'system' && mode !== 'verify-full')
    throw new SettingError(name, 'has sslrootcert=system, which needs sslmode=verify-full', example);
  if (mode === 'verify-ca' && !files.includes('sslrootcert'))
    throw new SettingError(name, 'has sslmode=verify-ca, which needs sslrootcert', example);
  if ((of('sslcert') === null) !== (of('sslkey') === null))
    throw new SettingError(name, 'has one of sslcert and sslkey, and needs both or neither', example);
  for (const each of files) {
    const path = of(each) ?? '';
    if (each === 'sslrootcert' && path === 'system') continue;
    const pem = readNamedFile(name, path, example);
    if (each !== 'sslkey') checkCertificates(name, pem);
  }
  return url;
}

/** Whether the database's URL asks for TLS without verifying the server. */
export function isUnverified(url: string | null): boolean {
  if (url === null) return false;
  const { searchParams } = new URL(url);
  return searchParams.get('sslmode') === 'require' && !searchParams.has('sslrootcert');
}
