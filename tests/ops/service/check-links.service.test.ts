// The whole distributed edition over links that are all secured, with every secret in a file: it serves, and neither its log, its commands nor its
// refusals show a secret. A start that has one of them wrong ends with the setting's name, instead of waiting for it; so does one whose
// broker comes back and refuses (docs/operations.md#links).
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { ReadyFile } from '../../../ops/service/first-keys.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { runSds } from '../../support/processes/sds.ts';
import { openProxy } from '../../support/services/broker-proxy.ts';
import { type Certificates, makeCertificates, opensslSkip } from '../../support/services/certificates.ts';
import { openLoginFront } from '../../support/services/login-front.ts';
import { services } from '../../support/services/services.ts';
import { openTlsFront } from '../../support/services/tls-front.ts';
import { type KafkaListeners, kafkaLogin, startTlsKafka } from '../../support/services/tls-kafka.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const [registry, s3] = [await services.registry(), await services.s3()];
const [postgres, redis, kafka] = [await services.postgres(), await services.redis(), await services.kafka()];
const skip = registry.skip || s3.skip || postgres.skip || redis.skip || kafka.skip || opensslSkip;
const secrets = {
  database: 'database-secret-of-no-worth',
  redis: 'redis-secret-of-no-worth',
  registry: 'registry-secret-of-no-worth',
};

describe('the links of a start', skipFor(skip), () => {
  const folder = makeDataFolder('links');
  const closing = new AsyncDisposableStack();
  let made: Certificates;
  let at: KafkaListeners;
  let environment: Record<string, string> = {};
  const shown: string[] = [];

  const secretFile = (name: string, secret: string): string => {
    const path = join(folder, `${name}.secret`);
    writeFileSync(path, `${secret}\n`, { mode: 0o600 });
    return path;
  };

  beforeAll(async () => {
    made = await makeCertificates();
    closing.defer(() => made[Symbol.dispose]());
    const front = async (address: URL, ca?: string): Promise<number> => {
      const opened = await openTlsFront({ host: address.hostname, port: Number(address.port) }, made.server, ca);
      closing.defer(() => opened.close());
      return opened.port;
    };
    const broker = await startTlsKafka(made);
    closing.use(broker.kafka);
    at = broker.at;
    const registryUrl = new URL(registry.url);
    const login = await openLoginFront(registryUrl, `sds:${secrets.registry}`);
    closing.defer(() => login.close());
    const ownRedis = closing.use(await services.own.redis());
    const client = new Redis(ownRedis.url);
    await client.config('SET', 'requirepass', secrets.redis);
    client.disconnect();
    const rights = join(made.folder, 'pg_hba.conf');
    writeFileSync(rights, 'host all tests all trust\nhostssl all sds all scram-sha-256\n');
    const database = closing.use(
      await services.own.postgres({
        files: [made.folder, made.server.cert, made.server.key, rights],
        settings: { ssl: 'on', ssl_cert_file: made.server.cert, ssl_key_file: made.server.key, hba_file: rights },
      }),
    );
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    await owner.query(`create role sds login superuser password '${secrets.database}'`);
    await owner.query('create database sds owner sds');
    await owner.end();
    const databaseUrl = `postgres://sds:${secrets.database}@${new URL(database.url).host}/sds?sslmode=verify-full&sslrootcert=${made.ca}`;
    const pepper = `1:${Buffer.from('a pepper of no worth at all').toString('base64')}`;
    mkdirSync(join(folder, 'data'), { mode: 0o700 });
    environment = {
      SDS_EDITION: 'distributed',
      SDS_DATA_DIR: join(folder, 'data'),
      SDS_API_PORT: '0',
      SDS_INGEST_PORT: '0',
      SDS_QUOTES_PARTITIONS: '1',
      LOG_LEVEL: 'debug',
      DATABASE_URL_FILE: secretFile('database', databaseUrl),
      REDIS_URL_FILE: secretFile(
        'redis',
        `rediss://:${secrets.redis}@127.0.0.1:${await front(new URL(ownRedis.url), made.ca)}`,
      ),
      REDIS_TLS_CA_CERT_FILE: made.ca,
      REDIS_TLS_CERT_FILE: made.client.cert,
      REDIS_TLS_KEY_FILE: made.client.key,
      KAFKA_BROKERS: at.loginTls,
      KAFKA_SECURITY_PROTOCOL: 'sasl_ssl',
      KAFKA_SASL_USERNAME: kafkaLogin.username,
      KAFKA_SASL_PASSWORD_FILE: secretFile('kafka', kafkaLogin.password),
      KAFKA_SSL_CA_LOCATION: made.ca,
      SCHEMA_REGISTRY_URL: `https://127.0.0.1:${await front(new URL(`http://127.0.0.1:${login.port}`))}${registryUrl.pathname}`,
      SCHEMA_REGISTRY_BASIC_AUTH_USER_INFO_FILE: secretFile('registry', `sds:${secrets.registry}`),
      SCHEMA_REGISTRY_SSL_CA_LOCATION: made.ca,
      S3_BUCKET: await s3.createBucket(),
      S3_ENDPOINT: `https://127.0.0.1:${await front(new URL(s3.endpoint))}`,
      AWS_REGION: s3.region,
      AWS_CA_BUNDLE: made.ca,
      AWS_ACCESS_KEY_ID: s3.accessKeyId,
      AWS_SECRET_ACCESS_KEY_FILE: secretFile('aws', s3.secretAccessKey),
      AWS_SECRET_ACCESS_KEY: '',
      SDS_KEY_PEPPERS_FILE: secretFile('peppers', pepper),
    };
  });
  afterAll(async () => {
    await closing.disposeAsync();
    rmSync(folder, { recursive: true, force: true });
  });

  async function run(args: readonly string[], more: Record<string, string> = {}, begun?: Parameters<typeof runSds>[2]) {
    const ended = await runSds({ ...environment, ...more }, args, begun);
    shown.push(ended.out, ended.err);
    return ended;
  }

  it('carry a push to its row, with every secret in a file', async () => {
    const ready = join(folder, 'ready.json');
    const outcome = Promise.withResolvers<string>();
    const using = async (): Promise<string> => {
      const { ingest_url: gateway, feed_key: key } = JSON.parse(readFileSync(ready, 'utf8')) as ReadyFile;
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ events: [quoted] });
      const pushed = await fetch(`${gateway}/v1/sources/feed/quotes`, { method: 'POST', body, headers });
      const { receipt } = (await pushed.json()) as { receipt: string };
      const state = async (): Promise<string> => {
        const answer = await fetch(`${gateway}/v1/receipts/${receipt}`, { headers });
        return ((await answer.json()) as { state: string }).state;
      };
      await until('the push is applied', async () => (await state()) === 'applied');
      const { out } = await run(['status', '--json']);
      return (JSON.parse(out) as { edition: string }).edition;
    };
    const { code, err } = await run(
      ['start', '--migrate'],
      { SDS_READY_FILE: ready },
      {
        begun(child) {
          until('it serves', () => existsSync(ready) || child.exitCode !== null)
            .then(using)
            .finally(() => child.kill('SIGTERM'))
            .then(outcome.resolve, outcome.reject);
        },
      },
    );
    assert.equal(code, 0, err.slice(-2_000));
    assert.equal(await outcome.promise, 'distributed');
  });

  const wrong: readonly (readonly [string, () => Record<string, string>, RegExp])[] = [
    [
      'database',
      () => ({
        DATABASE_URL_FILE: secretFile(
          'wrong',
          readFileSync(join(folder, 'database.secret'), 'utf8').replace(secrets.database, 'guessed'),
        ),
      }),
      /^sds: DATABASE_URL has no password, or one that the database refuses/m,
    ],
    [
      'broker',
      () => ({ KAFKA_SASL_PASSWORD_FILE: secretFile('wrong', 'guessed') }),
      /^sds: KAFKA_SASL_PASSWORD or KAFKA_SASL_USERNAME is wrong/m,
    ],
    [
      'broker that speaks TLS',
      () => ({ KAFKA_SECURITY_PROTOCOL: 'sasl_plaintext', KAFKA_SSL_CA_LOCATION: '' }),
      /^sds: KAFKA_SECURITY_PROTOCOL asks for no TLS/m,
    ],
    [
      'registry',
      () => ({ SCHEMA_REGISTRY_BASIC_AUTH_USER_INFO_FILE: secretFile('wrong', 'sds:guessed') }),
      /^sds: SCHEMA_REGISTRY_BASIC_AUTH_USER_INFO is refused/m,
    ],
    ['object store', () => ({ AWS_CA_BUNDLE: made.otherCa }), /^sds: AWS_CA_BUNDLE does not have the authority/m],
    [
      'Redis',
      () => ({ REDIS_TLS_CERT_FILE: '', REDIS_TLS_KEY_FILE: '' }),
      /^sds: REDIS_TLS_CERT_FILE is not set, and \S+ asks for a certificate/m,
    ],
  ];
  for (const [name, settings, message] of wrong)
    it(`end a start that has that of the ${name} wrong, and are not waited for`, async () => {
      const { code, err } = await run(['start', 'all'], settings());
      assert.equal(code, 2, err.slice(-2_000));
      assert.match(err, message);
      assert.doesNotMatch(err, /waiting for a dependency/);
    });

  it('end a start that waits for a broker which comes back and refuses', async () => {
    const [host = '', behind = ''] = at.loginTls.split(':');
    const proxy = await openProxy(host, Number(behind));
    await proxy.cut();
    const settings = {
      KAFKA_BROKERS: `127.0.0.1:${proxy.port}`,
      KAFKA_SASL_PASSWORD_FILE: secretFile('wrong', 'guessed'),
    };
    let isBack = false;
    const { code, err } = await run(['start', 'all'], settings, {
      begun(child) {
        let said = '';
        child.stderr?.on('data', (text: Buffer) => {
          said += text.toString();
          if (isBack || !said.includes('waiting for a dependency')) return;
          isBack = true;
          void proxy.mend();
        });
      },
    });
    await proxy.close();
    assert.equal(code, 2, err.slice(-2_000));
    assert.match(err, /^sds: KAFKA_SASL_PASSWORD or KAFKA_SASL_USERNAME is wrong/m);
  });

  it('tell a command whose database refuses it the same', async () => {
    const url = readFileSync(join(folder, 'database.secret'), 'utf8')
      .replace('verify-full', 'disable')
      .replace(/&sslrootcert=\S+/, '');
    const { code, err } = await run(['status'], { DATABASE_URL_FILE: secretFile('wrong', url) });
    assert.equal(code, 2, err);
    assert.match(err, /^sds: DATABASE_URL asks for no TLS, which the database demands/m);
  });

  const wrongOfCommands = [
    ['the log', 'broker', ['log', 'rebuild', '--partition', '0', '--yes']],
    ['the log, by its registry', 'registry', ['log', 'rebuild', '--partition', '0', '--yes']],
    ['objects', 'object store', ['verify']],
  ] as const;
  for (const [used, name, args] of wrongOfCommands)
    it(`tell a command that uses ${used} which setting is wrong`, async () => {
      const [, settings, message] = wrong.find(([each]) => each === name) ?? assert.fail(name);
      const { code, err } = await run(args, settings());
      assert.equal(code, 2, err);
      assert.match(err, message);
    });

  it('show no secret in a log, a command or a refusal', () => {
    const all = shown.join('\n');
    assert.ok(all.includes('waiting for a dependency'), 'the log is among what was shown');
    assert.doesNotMatch(all, /of-no-worth|guessed|BEGIN (?:EC )?PRIVATE KEY/);
    assert.ok(!all.includes(Buffer.from('a pepper of no worth at all').toString('base64')));
  });
});

const quoted = {
  kind: 'image',
  operator: 'book',
  game: {
    league: 'MLB',
    event_id: 'e1',
    home_team: 'NYY',
    away_team: 'BOS',
    commence_time: '2040-08-05T23:00:00Z',
  },
  quotes: [{ market: 'moneyline', selection: 'home', price: { american: 110 } }],
};
