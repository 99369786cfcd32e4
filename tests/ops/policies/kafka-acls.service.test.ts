// ops/policies/kafka-acls on a real broker that enforces it, over TLS and SASL (SECURITY.md, S23): each login writes and reads what its line
// says and nothing else, and the roles of the service can do all that they do. A violation would need a line that grants too much, or too little.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { parseArgs } from 'node:util';
import kafkajs from 'kafkajs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Broker } from '../../../core/ports/broker.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { serviceTopics } from '../../../platform/broker/topic-settings.ts';
import type { Sasl } from '../../../platform/config/link-settings.ts';
import { openKafkaBroker } from '../../../platform/kafka/kafka-broker.ts';
import { type ClientRole, openClient } from '../../../platform/kafka/kafkajs-client.ts';
import { type TopicName, topics } from '../../../schemas/events/topics.ts';
import { gameUuids, image } from '../../support/builders/broker-records.ts';
import { findProgram, run } from '../../support/services/installed.ts';
import type { Kafka } from '../../support/services/kafka.ts';
import { freePort } from '../../support/services/ports.ts';
import type { Controls } from '../../support/services/process.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const registry = await services.registry();
const openssl = findProgram('openssl');
const all = Object.values(topics);
const { quotes, observations, games, deadLetters, publications } = topics;

/** The topics that each login of the file may write. */
const writes: Readonly<Record<string, readonly TopicName[]>> = {
  'sds-ingest': [quotes, observations, games],
  'sds-ticker': [quotes, observations],
  'sds-projectors': [quotes, observations, deadLetters, publications],
  'sds-tools': [quotes, observations],
  'feed-mybook': [quotes],
  'reader-cache': [],
  stranger: [],
};
/** The topics that each login may read, and in which group. */
const reads: readonly (readonly [login: string, group: string, readable: readonly TopicName[]])[] = [
  ['sds-projectors', 'sds-live', all],
  ['sds-projectors', 'reader-cache', []],
  ['sds-tools', 'sds-read-1', all],
  ['sds-tools', 'sds-live', []],
  ['reader-cache', 'reader-cache', [publications]],
  ['reader-cache', 'sds-live', []],
  ['sds-ingest', 'sds-live', []],
  ['sds-ticker', 'sds-live', []],
  ['feed-mybook', 'feed-mybook', []],
  ['stranger', 'stranger', []],
];

const once: ClientRole = { connectionTimeoutMs: 5_000, requestTimeoutMs: 10_000, retry: { retries: 0 } };
/** The first request about a group waits until the broker has created its groups topic. */
const patient: ClientRole = { ...once, retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 20 } };
const passwordOf = (login: string) => `${login}-of-no-worth`;
const saslOf = (username: string): Sasl => ({ mechanism: 'plain', username, password: passwordOf(username) });

const skip = registry.skip || (openssl === undefined && 'there is no openssl to make a certificate');

describe('the ACLs of the topics', skipFor(skip), () => {
  const folder = mkdtempSync(join(tmpdir(), 'sds-acls-'));
  const trusted = getCACertificates('default');
  const opened: { disconnect(): Promise<void> }[] = [];
  let server: Kafka & Controls;
  let address = '';
  let certificate = '';

  beforeAll(async () => {
    certificate = await makeCertificate(folder);
    const [port, keystore] = [await freePort(), join(folder, 'both.pem')];
    const settings = securedSettings(keystore);
    const own = await services.own.kafka({ settings, more: { SASL_SSL: port }, files: [keystore] });
    assert.equal(own.skip, false);
    server = own;
    address = `${server.brokers[0]?.split(':')[0]}:${port}`;
    const admin = new kafkajs.Kafka({ brokers: [...server.brokers], logLevel: kafkajs.logLevel.NOTHING }).admin();
    await admin.connect();
    await admin.createTopics({ topics: all.map((topic) => ({ topic, numPartitions: 1 })) });
    await admin.createAcls({ acl: readAcls() });
    await admin.disconnect();
    setDefaultCACertificates([...trusted, certificate]);
  });
  afterAll(async () => {
    setDefaultCACertificates(trusted);
    await Promise.all(opened.map((each) => each.disconnect()));
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const clientOf = (login: string, sasl: Sasl | null = saslOf(login), role = once) =>
    openClient({ brokers: [address], clientId: login, sasl, tls: {}, log: silentLog }, role);
  const brokerOf = (login: string): Broker =>
    openKafkaBroker({
      brokers: [address],
      registry: { url: registry.url },
      sasl: saslOf(login),
      tls: {},
      topics: serviceTopics(1),
    });

  it('let each login write to its own topics alone', async () => {
    for (const [login, own] of Object.entries(writes)) {
      const producer = clientOf(login).producer({ allowAutoTopicCreation: false });
      opened.push(producer);
      await producer.connect();
      const written: TopicName[] = [];
      for (const topic of all) {
        const sent = producer.send({ topic, messages: [{ key: 'a', value: login }] });
        const refusal = await sent.then(() => null, typeOf);
        if (refusal === null) written.push(topic);
        else assert.equal(refusal, 'TOPIC_AUTHORIZATION_FAILED', `${login} ${topic}`);
      }
      assert.deepEqual(written, own, login);
    }
  });

  it('let each login read its own topics alone, in a group of its own', async () => {
    for (const [login, group, readable] of reads)
      for (const topic of all) {
        const outcome = await readOne(clientOf(login, saslOf(login), patient), topic, group);
        assert.match(outcome, readable.includes(topic) ? /^read$/ : refused, `${login} in ${group} of ${topic}`);
      }
  });

  it('let no login make or delete a topic, or change what it may do', async () => {
    for (const login of Object.keys(writes)) {
      const admin = clientOf(login).admin();
      opened.push(admin);
      await admin.connect();
      const asked: readonly (() => Promise<unknown>)[] = [
        () => admin.createTopics({ topics: [{ topic: 'sds.more.v1', numPartitions: 1 }] }),
        () => admin.deleteTopics({ topics: [quotes] }),
        () => admin.alterConfigs({ validateOnly: false, resources: [forgetful] }),
        () => admin.createAcls({ acl: [{ ...toAll, principal: `User:${login}` }] }),
      ];
      for (const [at, ask] of asked.entries())
        assert.match(
          await ask().then(() => 'done', typeOf),
          /^(?:TOPIC|CLUSTER)_AUTHORIZATION_FAILED$/,
          `${login} ${at}`,
        );
    }
  });

  it('leave the roles all that they do: the gateway writes, the projectors read and seek', async () => {
    const [gateway, projectors] = [brokerOf('sds-ingest'), brokerOf('sds-projectors')];
    try {
      await Promise.all([gateway.prepare(), projectors.prepare()]);
      assert.equal(await gateway.healthy(), true);
      const [mark] = await projectors.watermarks(quotes);
      const from = mark?.high ?? 0;
      const [game] = gameUuids as [string];
      await gateway.produce(quotes, [{ key: game, value: image(game, 1) }]);
      const found: number[] = [];
      for await (const batch of projectors.read(quotes, 0, from, from + 1))
        found.push(...batch.records.map(({ offset }) => offset));
      assert.deepEqual(found, [from]);
      const seen: number[] = [];
      const consumer = await projectors.consume(
        { topic: quotes, group: 'sds-live' },
        {
          assigned: async () => from,
          revoked() {},
          async batch({ records }) {
            seen.push(...records.map(({ offset }) => offset));
          },
          failed(error) {
            throw error;
          },
        },
      );
      await until('the projectors have read it', () => seen.includes(from));
      await consumer.stop();
    } finally {
      await Promise.all([gateway.close(), projectors.close()]);
    }
  });

  it('hold behind a login and a certificate: neither a wrong password, none, nor an unknown authority gets in', async () => {
    const wrong = clientOf('sds-ingest', { ...saslOf('sds-ingest'), password: 'guessed' });
    await assert.rejects(wrong.admin().connect(), /authentication/i);
    const admin = clientOf('sds-ingest', null).admin();
    opened.push(admin);
    await assert.rejects(admin.connect().then(() => admin.listTopics()));
    setDefaultCACertificates(trusted);
    try {
      await assert.rejects(clientOf('sds-ingest').admin().connect(), /self-signed|certificate/i);
    } finally {
      setDefaultCACertificates([...trusted, certificate]);
    }
  });
});

/** The lines of the file as `kafka-acls.sh --add` reads them. */
function readAcls(): kafkajs.AclEntry[] {
  const lines = readFileSync(new URL('../../../ops/policies/kafka-acls', import.meta.url), 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#')).flatMap(aclsOf);
}

function aclsOf(line: string): kafkajs.AclEntry[] {
  const options = { 'allow-principal': {}, operation: {}, topic: {}, group: {}, 'resource-pattern-type': {} };
  const typed = Object.fromEntries(
    Object.keys(options).map((name) => [name, { type: 'string', multiple: true, default: [] as string[] } as const]),
  );
  const { values } = parseArgs({ args: line.split(' '), options: typed, strict: true });
  const given = (name: keyof typeof options) => values[name] as string[];
  const [pattern = 'literal'] = given('resource-pattern-type');
  const named = kafkajs.ResourcePatternTypes[pattern.toUpperCase() as keyof typeof kafkajs.ResourcePatternTypes];
  const of = (type: kafkajs.AclResourceTypes) => (resourceName: string) => ({ resourceType: type, resourceName });
  const resources = [
    ...given('topic').map(of(kafkajs.AclResourceTypes.TOPIC)),
    ...given('group').map(of(kafkajs.AclResourceTypes.GROUP)),
  ];
  return given('allow-principal').flatMap((principal) =>
    given('operation').flatMap((operation) =>
      resources.map((resource) => ({
        ...toAll,
        ...resource,
        principal,
        resourcePatternType: named,
        operation: kafkajs.AclOperationTypes[operation.toUpperCase() as keyof typeof kafkajs.AclOperationTypes],
      })),
    ),
  );
}

const forgetful = {
  type: kafkajs.ConfigResourceTypes.TOPIC,
  name: quotes,
  configEntries: [{ name: 'retention.ms', value: '1' }],
};

const toAll = {
  resourceType: kafkajs.AclResourceTypes.TOPIC,
  resourceName: '*',
  resourcePatternType: kafkajs.ResourcePatternTypes.LITERAL,
  host: '*',
  operation: kafkajs.AclOperationTypes.ALL,
  permissionType: kafkajs.AclPermissionTypes.ALLOW,
};

/** kafkajs does not find the coordinator of a group that it may not see; an allowed login found the same one before. */
const refused = /^(?:TOPIC|GROUP)_AUTHORIZATION_FAILED$|GroupCoordinatorNotFound/;

/** The result of a first read of a topic: a record, or the broker's answer. */
async function readOne(client: kafkajs.Kafka, topic: string, groupId: string): Promise<string> {
  const consumer = client.consumer({
    groupId,
    maxWaitTimeInMs: 100,
    allowAutoTopicCreation: false,
    retry: patient.retry,
  });
  const outcome = Promise.withResolvers<string>();
  consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => {
    if (!restart) outcome.resolve(typeOf(error));
  });
  try {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({ autoCommit: false, eachMessage: async () => outcome.resolve('read') });
    return await outcome.promise;
  } catch (error) {
    return typeOf(error);
  } finally {
    await consumer.disconnect();
  }
}

function typeOf(error: unknown): string {
  const { type, errors, originalError, cause } = error as {
    type?: string;
    errors?: unknown[];
    originalError?: unknown;
    cause?: unknown;
  };
  const within = errors?.[0] ?? originalError ?? cause;
  return type ?? (within === undefined ? String(error) : typeOf(within));
}

/** Makes a self-signed certificate for the broker, with its key; answers the certificate. */
async function makeCertificate(folder: string): Promise<string> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  await run(openssl ?? '', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-keyout', key, '-out', certificate, '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'],
  ]);
  const text = readFileSync(certificate, 'utf8');
  writeFileSync(join(folder, 'both.pem'), readFileSync(key, 'utf8') + text, { mode: 0o600 });
  return text;
}

/** The broker and the tests use the plain listener; all other clients use the second one. */
function securedSettings(keystore: string): Record<string, string> {
  const logins = Object.keys(writes).map((login) => `user_${login}="${passwordOf(login)}"`);
  const listener = 'listener.name.sasl_ssl';
  return {
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'allow.everyone.if.no.acl.found': 'false',
    'super.users': 'User:ANONYMOUS',
    [`${listener}.ssl.keystore.type`]: 'PEM',
    [`${listener}.ssl.keystore.location`]: keystore,
    [`${listener}.sasl.enabled.mechanisms`]: 'PLAIN',
    [`${listener}.plain.sasl.jaas.config`]: `org.apache.kafka.common.security.plain.PlainLoginModule required ${logins.join(' ')};`,
  };
}
