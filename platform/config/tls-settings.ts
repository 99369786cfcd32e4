// Reads the PEM files that the settings of a link name and checks that they fit together, so that the start reports a wrong file, not the
// first connection.
import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { TlsFiles } from '../links/tls-files.ts';
import { type ReadText, readNamedFile } from './environment-text.ts';
import { SettingError } from './setting-error.ts';

/** The variables of one link; `password`: that of the key, null if none is allowed. */
export type TlsNames = { ca: string; cert: string; key: string; password: string | null };

/** The TLS files of a link; `{}` if it names none. @throws SettingError */
export function tlsFiles(text: ReadText, names: TlsNames): TlsFiles {
  const [ca, cert, key] = [names.ca, names.cert, names.key].map((name) => pemOf(text, name));
  const password = names.password === null ? null : text(names.password);
  if (cert === undefined && key !== undefined) throw missing(names.cert, names.key);
  if (key === undefined && cert !== undefined) throw missing(names.key, names.cert);
  if (key === undefined && names.password !== null && password !== null) throw missing(names.key, names.password);
  if (ca !== undefined) checkCertificates(names.ca, ca);
  if (cert !== undefined) checkCertificates(names.cert, cert);
  const own = cert === undefined || key === undefined ? {} : { cert, key };
  const files = { ...(ca === undefined ? {} : { ca }), ...own, ...(password === null ? {} : { passphrase: password }) };
  if (cert !== undefined) checkPair(files, names);
  return files;
}

/** The first TLS variable that is set, for a link without TLS. */
export function firstTlsName(text: ReadText, { ca, cert, key, password }: TlsNames): string | null {
  const names = [ca, cert, key, ...(password === null ? [] : [password])];
  return names.find((name) => text(name) !== null) ?? null;
}

function pemOf(text: ReadText, name: string): string | undefined {
  const path = text(name);
  return path === null ? undefined : readNamedFile(name, path, exampleOf(name));
}

const certificateBegins = '-----BEGIN CERTIFICATE-----';

/** @throws SettingError unless the file contains certificates and nothing malformed */
export function checkCertificates(name: string, pem: string): void {
  const [, ...found] = pem.split(certificateBegins);
  try {
    for (const each of found) new X509Certificate(certificateBegins + each);
    if (found.length > 0) return;
  } catch {
    // The parser's own message would help less than the one below.
  }
  throw new SettingError(name, 'names a file without a certificate in PEM that can be read', exampleOf(name));
}

function checkPair(files: TlsFiles, names: TlsNames): void {
  try {
    createSecureContext(files);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (/mismatch/i.test(message))
      throw new SettingError(names.key, `names a key that does not belong to ${names.cert}`, exampleOf(names.key));
    if (/decrypt|password|interrupted or cancelled/i.test(message))
      throw names.password === null
        ? new SettingError(names.key, 'names a key under a password, and must be without', exampleOf(names.key))
        : new SettingError(names.password, `does not open the key of ${names.key}`, 'the-password-of-the-key');
    throw new SettingError(
      names.key,
      'names a file without a private key in PEM that can be used',
      exampleOf(names.key),
    );
  }
}

function missing(name: string, needing: string): SettingError {
  return new SettingError(name, `is missing, and ${needing} needs it`, exampleOf(name));
}

/** A path such as `/etc/sds/kafka-ssl-ca.pem`. */
export function exampleOf(name: string): string {
  return `/etc/sds/${name
    .replace(/_(LOCATION|FILE)$/, '')
    .toLowerCase()
    .replaceAll('_', '-')}.pem`;
}
