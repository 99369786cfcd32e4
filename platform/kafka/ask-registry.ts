// One request to the schema registry's REST interface, for what the client library does not offer.
import { request } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { BrokerUnavailable } from '../../core/ports/broker.ts';
import type { Millis } from '../../core/units.ts';
import type { RegistryLink } from '../config/link-settings.ts';

const patienceMs: Millis = 5_000;
const contentType = 'application/vnd.schemaregistry.v1+json';

/** `body`: parsed JSON, or null. */
export type RegistryAnswer = { status: number; body: unknown };

/** Sends GET, or POST if there is a body to send. @throws BrokerUnavailable while the registry does not answer */
export function askRegistry({ url, login, tls }: RegistryLink, path: string, sent?: unknown): Promise<RegistryAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RegistryAnswer>();
  const fail = (error: Error) =>
    reject(new BrokerUnavailable(`the schema registry cannot answer now: ${error.message}`, { cause: error }));
  const options = {
    ...(tls ?? {}),
    ...(login ? { auth: `${login.username}:${login.password}` } : {}),
    method: sent === undefined ? 'GET' : 'POST',
    agent: false,
    timeout: patienceMs,
    headers: { accept: contentType, 'content-type': contentType },
  };
  const base = url.replace(/\/{1,64}$/, '');
  const asked = (url.startsWith('https:') ? requestOverTls : request)(`${base}${path}`, options, (answer) => {
    const parts: Buffer[] = [];
    answer.on('data', (part: Buffer) => void parts.push(part));
    answer.on('error', fail);
    answer.on('end', () => {
      const status = answer.statusCode ?? 0;
      if (status >= 500 || status === 429) fail(new Error(`status ${status}`));
      else resolve({ status, body: asJson(Buffer.concat(parts).toString('utf8')) });
    });
  });
  asked.on('timeout', () => asked.destroy(new Error('no answer in time')));
  asked.on('error', fail);
  asked.end(sent === undefined ? undefined : JSON.stringify(sent));
  return promise;
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
