// Asks the schema registry once whether this process may use it; if not, finds the wrong setting.
import { request } from 'node:http';
import { request as requestOverTls } from 'node:https';
import type { Millis } from '../../core/units.ts';
import type { RegistryLink } from '../config/link-settings.ts';
import { SettingError } from '../config/setting-error.ts';
import type { LinkAnswer } from '../links/link-answer.ts';
import { webFault } from '../links/web-fault.ts';

const patienceMs: Millis = 3_000;
const login = 'SCHEMA_REGISTRY_BASIC_AUTH_USER_INFO';
const names = {
  address: 'SCHEMA_REGISTRY_URL',
  authority: 'SCHEMA_REGISTRY_SSL_CA_LOCATION',
  certificate: 'SCHEMA_REGISTRY_SSL_CERTIFICATE_LOCATION',
};

export async function checkRegistry(link: RegistryLink): Promise<LinkAnswer> {
  const answer = await subjects(link);
  const { url } = link;
  if (answer !== null && answer.status < 300 && answer.isList) return 'right';
  if (answer?.status === 401 || answer?.status === 403) {
    const reason = link.login ? `is refused by ${url} (${answer.status})` : `is not set, and ${url} asks for a login`;
    return new SettingError(login, reason, 'user:password');
  }
  const fault = await webFault(url, link.tls ?? null, names);
  if (fault !== null) return fault;
  if (answer === null || answer.status >= 500 || answer.status === 429) return 'away';
  return new SettingError(
    'SCHEMA_REGISTRY_URL',
    `leads to ${url}, and no registry is at that path (${answer.status})`,
    'http://registry:8081/apis/ccompat/v7',
  );
}

/** Null: no answer. */
function subjects({ url, login, tls }: RegistryLink): Promise<{ status: number; isList: boolean } | null> {
  return new Promise((resolve) => {
    const options = {
      ...(tls ?? {}),
      agent: false,
      timeout: patienceMs,
      headers: { accept: 'application/vnd.schemaregistry.v1+json' },
      ...(login ? { auth: `${login.username}:${login.password}` } : {}),
    };
    const asked = (url.startsWith('https:') ? requestOverTls : request)(`${url}/subjects`, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        if (text.length < 16) text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, isList: text.trimStart().startsWith('[') }));
      answer.on('error', () => resolve(null));
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(null));
    asked.end();
  });
}
