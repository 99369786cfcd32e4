// Every setting with its default and meaning: the table of `sds start --help` (docs/operations.md#configuration).
import { requestWindow } from '../../core/limits/request-window.ts';

export const settingTable: readonly { name: string; fallback: string | null; help: string }[] = [
  {
    name: 'SDS_EDITION',
    fallback: 'embedded',
    help: 'embedded (one process, its own PostgreSQL, files on disk) or distributed',
  },
  { name: 'SDS_DATA_DIR', fallback: './.data', help: 'embedded edition: database, objects, state' },
  { name: 'SDS_HOST', fallback: '127.0.0.1', help: 'address of both listeners' },
  { name: 'SDS_API_PORT', fallback: '8080', help: 'port of the public API; 0: any free port' },
  { name: 'SDS_INGEST_PORT', fallback: '8081', help: 'port of the push gateway; 0: any free port' },
  {
    name: 'SDS_INTERNAL_PORT',
    fallback: '0',
    help: 'port of the internal listener (health, metrics) of each process; 0: any free port; off: none',
  },
  { name: 'SDS_INTERNAL_HOST', fallback: '127.0.0.1', help: 'address of the internal listener; it asks for no key' },
  {
    name: 'SDS_CONSOLE_SECRET',
    fallback: null,
    help: 'secret of the console at /console of the internal listener, 24 characters or more; without one there is no console',
  },
  { name: 'SDS_BASE_URL', fallback: 'from the listener', help: 'base of problem types and links' },
  {
    name: 'SDS_READY_FILE',
    fallback: null,
    help: 'written as JSON once everything serves: {pid, api_url, ingest_url, api_key, feed_key}',
  },
  { name: 'SDS_DEMO', fallback: 'off; on for npm start', help: 'on: the demo slate pushes simulated games' },
  { name: 'SDS_DEMO_SEED', fallback: '1', help: 'seed of the demo slate' },
  { name: 'SDS_MSF_SERVING', fallback: 'on', help: 'off: MSF datasets are neither listed nor served' },
  { name: 'SDS_MSF_API_KEY', fallback: null, help: 'API key of the MySportsFeeds poller; without one it is off' },
  { name: 'SDS_MSF_BASE_URL', fallback: 'https://api.mysportsfeeds.com/v2.1/pull', help: 'where it polls' },
  {
    name: 'SDS_MSF_OWN_KEY',
    fallback: 'off',
    help: 'on: no other client uses that key, so unchanged feeds need not be sent again (force=false)',
  },
  { name: 'SDS_BOARD_WEIGHT', fallback: '0', help: 'rows charged per row of a board, a decimal of 0 or more' },
  {
    name: 'SDS_RATE_LIMITS',
    fallback: 'the tier table',
    help: `requests per ${requestWindow.name}, e.g. PRO:100000,address:5000 (address: without a key)`,
  },
  {
    name: 'SDS_FEED_LIMITS',
    fallback: 'requests:200,bytes:67108864,elements:50000',
    help: 'what a feed key may push per second (bytes inflated), each a bucket of 10 s; omitted names keep the default',
  },
  {
    name: 'SDS_FEED_QUOTAS',
    fallback: 'bytes:68719476736,letters:200000,games:5000',
    help: 'quotas of a feed key per UTC day: bytes of bodies (inflated), dead letters, new games; omitted names keep the default',
  },
  {
    name: 'SDS_DEAD_LETTERS',
    fallback: 'days:30,bytes:4294967296',
    help: 'how long dead letters are kept, and how many bytes of them in all; omitted names keep the default',
  },
  {
    name: 'SDS_RAW_ARCHIVE',
    fallback: 'on; off in the embedded edition',
    help: "on: projectors copy each day's records of the log into the object store, for rebuilds beyond the log's retention",
  },
  {
    name: 'SDS_PROXY_HOPS',
    fallback: '0',
    help: 'your own proxies in front of the API; client addresses are then read from the end of X-Forwarded-For',
  },
  { name: 'SDS_DEMO_MONTH', fallback: null, help: "YYYY-MM, the DEMO tier's sample month" },
  {
    name: 'SDS_KEY_PEPPERS',
    fallback: 'generated in the data dir when embedded',
    help: 'version:base64,…, newest first',
  },
  {
    name: 'DATABASE_URL',
    fallback: null,
    help: 'PostgreSQL; embedded edition: instead of its own; TLS by sslmode and sslrootcert. A login that is a member of sds_migrator, sds_writer, sds_admin and sds_api takes the role it needs',
  },
  {
    name: 'REDIS_URL',
    fallback: null,
    help: 'Redis for the shared counts of API processes and gateways; without it each counts alone; rediss: over TLS',
  },
  {
    name: 'REDIS_TLS_CA_CERT_FILE, _CERT_FILE, _KEY_FILE',
    fallback: "Node's authorities; no certificate",
    help: 'PEM files for rediss: your authorities; for mutual TLS a certificate and its key',
  },
  { name: 'KAFKA_BROKERS', fallback: null, help: 'host:port,…' },
  {
    name: 'KAFKA_SASL_USERNAME, _PASSWORD, _MECHANISM',
    fallback: null,
    help: 'SASL login; scram-sha-512, scram-sha-256 or plain',
  },
  {
    name: 'KAFKA_SECURITY_PROTOCOL',
    fallback: 'sasl_plaintext with a login, else plaintext',
    help: 'sasl_ssl or ssl: over TLS',
  },
  {
    name: 'KAFKA_SSL_CA_LOCATION, _CERTIFICATE_LOCATION, _KEY_LOCATION, _KEY_PASSWORD',
    fallback: "Node's authorities; no certificate",
    help: 'PEM files: your authorities; for mutual TLS a certificate, its key and the password of the key',
  },
  { name: 'SCHEMA_REGISTRY_URL', fallback: null, help: 'Confluent-compatible registry' },
  { name: 'SCHEMA_REGISTRY_BASIC_AUTH_USER_INFO', fallback: null, help: 'user:password at the registry' },
  {
    name: 'SCHEMA_REGISTRY_SSL_CA_LOCATION, _CERTIFICATE_LOCATION, _KEY_LOCATION, _KEY_PASSWORD',
    fallback: "Node's authorities; no certificate",
    help: 'as those of Kafka, for an https:// registry',
  },

  { name: 'SDS_QUOTES_PARTITIONS', fallback: '8', help: 'partitions of topics that do not exist yet' },
  { name: 'SDS_KAFKA_REPLICATION', fallback: '1', help: 'replicas of topics that do not exist yet' },
  { name: 'S3_BUCKET, S3_ENDPOINT, AWS_…', fallback: null, help: 'object store; credentials as AWS tools read them' },
  { name: 'AWS_CA_BUNDLE', fallback: "Node's authorities", help: "PEM file of the object store's authorities" },

  {
    name: 'SDS_SESSION_MS',
    fallback: '6000; distributed 12000',
    help: 'how long a dead projector keeps its partitions',
  },
  { name: 'LOG_LEVEL', fallback: 'info', help: 'trace, debug, info, warn, error or silent' },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    fallback: null,
    help: 'the collector that traces are sent to, over OTLP/HTTP, or the address of its traces; without one nothing is traced',
  },
  {
    name: 'OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG',
    fallback: 'parentbased_always_on',
    help: 'which traces are kept: [parentbased_]always_on, always_off, or traceidratio with a decimal from 0 to 1',
  },
];
