// Kafka with a listener for each kind of link: plain, TLS, mutual TLS, and logins with and without TLS.
import type { Certificates } from './certificates.ts';
import type { Kafka } from './kafka.ts';
import { freePort } from './ports.ts';
import type { Controls } from './process.ts';
import { services } from './services.ts';

export type KafkaListeners = { plain: string; tls: string; mutual: string; loginPlain: string; loginTls: string };

export const kafkaLogin = { username: 'sds', password: 'kafka-secret-of-no-worth' };

export async function startTlsKafka(made: Certificates): Promise<{
  kafka: Kafka & Controls & { skip: string | false };
  at: KafkaListeners;
}> {
  const more = { TLS: await freePort(), MUTUAL: await freePort(), LOGIN: await freePort(), LOGINTLS: await freePort() };
  const protocols =
    'PLAINTEXT:PLAINTEXT,TLS:SSL,MUTUAL:SSL,LOGIN:SASL_PLAINTEXT,LOGINTLS:SASL_SSL,CONTROLLER:PLAINTEXT';
  const keystore = (listener: string) => ({
    [`listener.name.${listener}.ssl.keystore.type`]: 'PEM',
    [`listener.name.${listener}.ssl.keystore.location`]: made.server.both,
  });
  const plainLogin = `org.apache.kafka.common.security.plain.PlainLoginModule required user_${kafkaLogin.username}="${kafkaLogin.password}";`;
  const scram = 'org.apache.kafka.common.security.scram.ScramLoginModule required;';
  const login = (listener: string) => ({
    [`listener.name.${listener}.sasl.enabled.mechanisms`]: 'PLAIN,SCRAM-SHA-512',
    [`listener.name.${listener}.plain.sasl.jaas.config`]: plainLogin,
    [`listener.name.${listener}.scram-sha-512.sasl.jaas.config`]: scram,
  });
  const settings = {
    'listener.security.protocol.map': protocols,
    ...keystore('tls'),
    ...keystore('mutual'),
    'listener.name.mutual.ssl.client.auth': 'required',
    'listener.name.mutual.ssl.truststore.type': 'PEM',
    'listener.name.mutual.ssl.truststore.location': made.ca,
    ...keystore('logintls'),
    ...login('login'),
    ...login('logintls'),
  };
  const files = [made.server.both, made.ca];
  const scramLogins = { [kafkaLogin.username]: kafkaLogin.password };
  const kafka = await services.own.kafka({ settings, more, files, scram: scramLogins });
  if (kafka.skip !== false) {
    const none = '127.0.0.1:1';
    return { kafka, at: { plain: none, tls: none, mutual: none, loginPlain: none, loginTls: none } };
  }
  const plain = kafka.brokers[0] ?? '';
  const on = (port: number): string => `${plain.split(':')[0]}:${port}`;
  const at = { tls: on(more.TLS), mutual: on(more.MUTUAL), loginPlain: on(more.LOGIN), loginTls: on(more.LOGINTLS) };
  return { kafka, at: { plain, ...at } };
}
