// Asks the brokers once whether this process may use them; if not, finds the wrong setting. The library itself treats all of these faults
// as an outage and retries: it does not distinguish a missing login or a wrong protocol from a broken connection.
import { silentLog } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import type { KafkaLink } from '../config/link-settings.ts';
import { SettingError } from '../config/setting-error.ts';
import { askOnce } from '../links/ask-once.ts';
import { joinAnswers, type LinkAnswer } from '../links/link-answer.ts';
import { transportFault } from '../links/transport-fault.ts';
import { causeOf } from './errors.ts';
import { type ClientRole, openClient } from './kafkajs-client.ts';
import { type OfferedLogins, readOfferedLogins, saslHandshake } from './sasl-handshake.ts';

type Link = Pick<KafkaLink, 'brokers' | 'sasl' | 'tls'>;

const once: ClientRole = { connectionTimeoutMs: 2_000 as Millis, requestTimeoutMs: 3_000, retry: { retries: 0 } };
const names = {
  address: { name: 'KAFKA_BROKERS', example: 'kafka-1:9092,kafka-2:9092' },
  authority: 'KAFKA_SSL_CA_LOCATION',
  certificate: 'KAFKA_SSL_CERTIFICATE_LOCATION',
};

export async function checkKafka(link: Link): Promise<LinkAnswer> {
  return joinAnswers(await Promise.all(link.brokers.map((broker) => checkBroker(broker, link))));
}

async function checkBroker(broker: string, link: Link): Promise<LinkAnswer> {
  const admin = openClient({ ...link, brokers: [broker], clientId: 'sds-check', log: silentLog }, once).admin();
  try {
    await admin.connect();
    await admin.describeCluster();
    return 'right';
  } catch (error) {
    return (await faultOf(broker, link, error)) ?? 'away';
  } finally {
    await admin.disconnect().catch(() => {});
  }
}

async function faultOf(broker: string, { sasl, tls }: Link, error: unknown): Promise<SettingError | null> {
  const { hostname, port } = new URL(`kafka://${broker}`);
  const at = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
  const question = saslHandshake(sasl?.mechanism ?? 'plain');
  const protocol = {
    name: 'KAFKA_SECURITY_PROTOCOL',
    overTls: sasl === null ? 'ssl' : 'sasl_ssl',
    plain: sasl === null ? 'plaintext' : 'sasl_plaintext',
  };
  const answersWithoutTls = async () => offeredIn(await askOnce(at, null, question)) !== null;
  const fault = await transportFault({ ...at, tls, names: { ...names, protocol } }, answersWithoutTls);
  if (fault !== null) return fault;
  const offered = offeredIn(await askOnce(at, tls, question));
  return offered === null ? null : loginFault(broker, sasl, tls !== null, offered, error);
}

function offeredIn(answer: Buffer | null): OfferedLogins | null {
  return answer === null ? null : readOfferedLogins(answer);
}

function loginFault(
  broker: string,
  sasl: Link['sasl'],
  isOverTls: boolean,
  offered: OfferedLogins,
  error: unknown,
): SettingError | null {
  if (sasl === null) {
    if (offered.takesNone) return null;
    return new SettingError('KAFKA_SASL_USERNAME', `is not set, and ${broker} asks for a login`, 'sds');
  }
  if (offered.takesNone) {
    const reason = `asks for a login (KAFKA_SASL_USERNAME is set), and ${broker} takes none`;
    return new SettingError('KAFKA_SECURITY_PROTOCOL', reason, isOverTls ? 'ssl' : 'plaintext');
  }
  const mechanisms = offered.mechanisms.map((each) => each.toLowerCase());
  if (!mechanisms.includes(sasl.mechanism)) {
    const reason = `is ${sasl.mechanism}, and ${broker} takes ${mechanisms.join(', ')}`;
    return new SettingError('KAFKA_SASL_MECHANISM', reason, mechanisms[0] ?? 'plain');
  }
  const cause = causeOf(error);
  if (!(cause instanceof Error && /SASL/.test(`${cause.name} ${cause.message}`))) return null;
  const reason = `or KAFKA_SASL_USERNAME is wrong: ${broker} refuses the login ${sasl.username}`;
  return new SettingError('KAFKA_SASL_PASSWORD', reason, 'the-password-of-that-login');
}
