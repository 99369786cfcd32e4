// Why an HTTP link cannot be set up; see transport-fault.ts.
import type { SettingError } from '../config/setting-error.ts';
import { askOnce } from './ask-once.ts';
import type { TlsFiles } from './tls-files.ts';
import { transportFault } from './transport-fault.ts';

/** `names`: the settings of the URL, of the authorities, and of the own certificate, if there is one. */
export function webFault(
  url: string,
  tls: TlsFiles | null,
  names: { address: string; authority: string; certificate: string | null },
): Promise<SettingError | null> {
  const { protocol, hostname, port: given, host: name, pathname, search } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const port = Number(given) || (protocol === 'https:' ? 443 : 80);
  const rest = `${pathname === '/' ? '' : pathname}${search}`;
  const as = (scheme: string): string => `${scheme}://${name}${rest}`;
  const answersWithoutTls = async (): Promise<boolean> => {
    const answer = await askOnce({ host, port }, null, `GET / HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
    return answer?.toString('latin1').startsWith('HTTP/') ?? false;
  };
  const choice = { name: names.address, overTls: as('https'), plain: as('http') };
  const address = { name: names.address, example: 'https://the-name-in-the-certificate' };
  return transportFault({ host, port, tls, names: { ...names, protocol: choice, address } }, answersWithoutTls);
}
