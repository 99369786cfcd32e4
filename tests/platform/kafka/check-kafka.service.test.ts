// Links to a real Kafka over TLS, mutual TLS and logins: correct settings open them, and each wrong one is named within ten seconds, with
// what the broker showed (docs/operations.md#links). A violation is a start that treats a wrong setting as an outage and waits.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { serviceTopics } from '../../../platform/broker/topic-settings.ts';
import { SettingError } from '../../../platform/config/setting-error.ts';
import { readSettings } from '../../../platform/config/settings.ts';
import { checkKafka } from '../../../platform/kafka/check-kafka.ts';
import { openKafkaBroker } from '../../../platform/kafka/kafka-broker.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { gameUuids, image } from '../../support/builders/broker-records.ts';
import { ownMs } from '../../support/processes/own-time.ts';
import { type Certificates, makeCertificates, opensslSkip } from '../../support/services/certificates.ts';
import type { Controls } from '../../support/services/process.ts';
import { services } from '../../support/services/services.ts';
import { type KafkaListeners, kafkaLogin, startTlsKafka } from '../../support/services/tls-kafka.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const registry = await services.registry();
const shared = await services.kafka();

describe('a link to Kafka', skipFor(shared.skip || registry.skip || opensslSkip), () => {
  let made: Certificates;
  let server: Controls;
  let at: KafkaListeners;
  const within = 10_000;

  beforeAll(async () => {
    made = await makeCertificates();
    const started = await startTlsKafka(made);
    assert.equal(started.kafka.skip, false);
    server = started.kafka;
    at = started.at;
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    made?.[Symbol.dispose]();
  });

  const login = (more: Record<string, string> = {}) => ({
    KAFKA_SASL_USERNAME: kafkaLogin.username,
    KAFKA_SASL_PASSWORD: kafkaLogin.password,
    ...more,
  });
  const linkOf = (broker: string, more: Record<string, string>) => {
    const { kafka } = readSettings({ KAFKA_BROKERS: broker, SCHEMA_REGISTRY_URL: 'http://127.0.0.1:1', ...more });
    assert.ok(kafka);
    return kafka;
  };
  const trusting = (protocol: string) => ({ KAFKA_SECURITY_PROTOCOL: protocol, KAFKA_SSL_CA_LOCATION: made.ca });
  const own = () => ({
    KAFKA_SSL_CERTIFICATE_LOCATION: made.client.cert,
    KAFKA_SSL_KEY_LOCATION: made.lockedKey,
    KAFKA_SSL_KEY_PASSWORD: 'opens-it',
  });

  const right: readonly (readonly [string, keyof KafkaListeners, () => Record<string, string>])[] = [
    ['without TLS', 'plain', () => ({})],
    ['TLS', 'tls', () => trusting('ssl')],
    ['mutual TLS with a key under a password', 'mutual', () => ({ ...trusting('ssl'), ...own() })],
    ['a login of SCRAM without TLS', 'loginPlain', () => login()],
    ['a login of SCRAM over TLS', 'loginTls', () => login(trusting('sasl_ssl'))],
    ['a login of PLAIN over TLS', 'loginTls', () => login({ ...trusting('sasl_ssl'), KAFKA_SASL_MECHANISM: 'plain' })],
  ];
  for (const [name, listener, settings] of right)
    it(`opens with ${name}, and carries a record there and back`, async () => {
      const link = linkOf(at[listener], settings());
      assert.equal(await checkKafka(link), 'right');
      const broker = openKafkaBroker({ ...link, registry: { url: registry.url }, topics: serviceTopics(1) });
      try {
        await broker.prepare();
        const [mark] = await broker.watermarks(topics.quotes);
        const from = mark?.high ?? 0;
        const [game] = gameUuids as [string];
        await broker.produce(topics.quotes, [{ key: game, value: image(game, 1) }]);
        const found: number[] = [];
        for await (const batch of broker.read(topics.quotes, 0, from, from + 1))
          found.push(...batch.records.map(({ offset }) => offset));
        assert.deepEqual(found, [from]);
      } finally {
        await broker.close();
      }
    });

  const wrong: readonly (readonly [string, keyof KafkaListeners, () => Record<string, string>, RegExp])[] = [
    [
      'no TLS, where the broker has it',
      'tls',
      () => ({}),
      /^KAFKA_SECURITY_PROTOCOL asks for no TLS, and \S+ speaks TLS alone; .*=ssl$/,
    ],
    [
      'a login without TLS, where the broker has TLS',
      'loginTls',
      () => login(),
      /^KAFKA_SECURITY_PROTOCOL asks for no TLS.*=sasl_ssl$/,
    ],
    [
      'TLS, where the broker has none',
      'plain',
      () => trusting('ssl'),
      /^KAFKA_SECURITY_PROTOCOL asks for TLS, and \S+ speaks without; .*=plaintext$/,
    ],
    [
      'TLS and a login, where the broker has no TLS',
      'loginPlain',
      () => login(trusting('sasl_ssl')),
      /^KAFKA_SECURITY_PROTOCOL asks for TLS.*=sasl_plaintext$/,
    ],
    [
      'no authority',
      'tls',
      () => ({ KAFKA_SECURITY_PROTOCOL: 'ssl' }),
      /^KAFKA_SSL_CA_LOCATION is not set, and Node does not trust/,
    ],
    [
      'another authority',
      'loginTls',
      () => login({ ...trusting('sasl_ssl'), KAFKA_SSL_CA_LOCATION: made.otherCa }),
      /^KAFKA_SSL_CA_LOCATION does not have the authority/,
    ],
    [
      'no certificate, where one is asked for',
      'mutual',
      () => trusting('ssl'),
      /^KAFKA_SSL_CERTIFICATE_LOCATION is not set, and \S+ asks for a certificate/,
    ],
    [
      'a certificate of another authority',
      'mutual',
      () => ({
        ...trusting('ssl'),
        KAFKA_SSL_CERTIFICATE_LOCATION: made.foreignClient.cert,
        KAFKA_SSL_KEY_LOCATION: made.foreignClient.key,
      }),
      /^KAFKA_SSL_CERTIFICATE_LOCATION names a certificate that \S+ refuses/,
    ],
    ['no login', 'loginTls', () => trusting('ssl'), /^KAFKA_SASL_USERNAME is not set, and \S+ asks for a login/],
    ['no login without TLS', 'loginPlain', () => ({}), /^KAFKA_SASL_USERNAME is not set, and \S+ asks for a login/],
    [
      'a login, where there is none',
      'tls',
      () => login(trusting('sasl_ssl')),
      /^KAFKA_SECURITY_PROTOCOL asks for a login .*=ssl$/,
    ],
    [
      'a mechanism that the broker does not take',
      'loginTls',
      () => login({ ...trusting('sasl_ssl'), KAFKA_SASL_MECHANISM: 'scram-sha-256' }),
      /^KAFKA_SASL_MECHANISM is scram-sha-256, and \S+ takes plain, scram-sha-512; /,
    ],
    [
      'a wrong password of SCRAM',
      'loginTls',
      () => login({ ...trusting('sasl_ssl'), KAFKA_SASL_PASSWORD: 'guessed' }),
      /^KAFKA_SASL_PASSWORD or KAFKA_SASL_USERNAME is wrong: \S+ refuses the login sds/,
    ],
    [
      'a wrong password of PLAIN',
      'loginPlain',
      () => login({ KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_PASSWORD: 'guessed' }),
      /^KAFKA_SASL_PASSWORD or/,
    ],
    [
      'an unknown login',
      'loginTls',
      () => login({ ...trusting('sasl_ssl'), KAFKA_SASL_USERNAME: 'stranger' }),
      /^KAFKA_SASL_PASSWORD or KAFKA_SASL_USERNAME is wrong/,
    ],
  ];
  for (const [name, listener, settings, message] of wrong)
    it(`names the setting of ${name}`, async () => {
      const begun = ownMs();
      const answer = await checkKafka(linkOf(at[listener], settings()));
      assert.ok(answer instanceof SettingError, `${answer}`);
      assert.match(answer.message, message);
      assert.doesNotMatch(answer.message, /secret-of-no-worth|guessed|opens-it/);
      assert.ok(ownMs() - begun < within, `${ownMs() - begun} ms`);
    });

  it('can be used if one of its brokers can, and is away where none listens', async () => {
    assert.equal(await checkKafka(linkOf(`127.0.0.1:1,${at.plain}`, {})), 'right');
    assert.equal(await checkKafka(linkOf('127.0.0.1:1', {})), 'away');
  });

  it('reports an unreachable broker, and no wrong setting, while the broker is frozen', async () => {
    await server.freeze();
    try {
      for (const settings of [{}, trusting('ssl')]) assert.equal(await checkKafka(linkOf(at.plain, settings)), 'away');
    } finally {
      await server.resume();
    }
  });
});
