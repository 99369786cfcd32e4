// Which part of DATABASE_URL is wrong, for failures that waiting cannot cure: PostgreSQL or TLS reports the cause. Never repeats the URL.
import { SettingError } from '../config/setting-error.ts';
import { codeOf } from './failures.ts';

/** Null: the failure says nothing about the URL. */
export function linkFault(error: unknown): SettingError | null {
  if (!(error instanceof Error)) return null;
  const code = codeOf(error);
  for (const [sign, reason, example] of faults)
    if (sign.test(code) || sign.test(error.message))
      return new SettingError('DATABASE_URL', `${reason} (${error.message})`, example);
  return null;
}

const plain = 'postgres://sds:secret@db:5432/sds';
const secure = `${plain}?sslmode=verify-full&sslrootcert=/etc/sds/db-ca.pem`;
const mutual = `${secure}&sslcert=/etc/sds/sds.pem&sslkey=/etc/sds/sds-key.pem`;

const faults: readonly (readonly [sign: RegExp, reason: string, example: string])[] = [
  [/^28P01$|no password|password must be a string/, 'has no password, or one that the database refuses', plain],
  [
    /requires a valid client certificate|_ALERT_(CERTIFICATE|BAD_CERT|UNKNOWN_CA)/,
    'has no sslcert and sslkey that the database takes',
    mutual,
  ],
  [/no encryption|insecure connection/i, 'asks for no TLS, which the database demands', secure],
  [/^28000$/, 'has a login that the database refuses', plain],
  [/^3D000$/, 'names a database that does not exist', plain],
  [/does not support SSL/, 'asks for TLS by its sslmode, and the database has none', `${plain}?sslmode=disable`],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "has a host that is not in the server's certificate", secure],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'leads to a server whose certificate is not valid now', secure],
  [
    /SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE/,
    "has no sslrootcert with the authority of the server's certificate",
    secure,
  ],
  [/establishing an SSL connection|WRONG_VERSION_NUMBER/, 'leads to something that is no PostgreSQL', plain],
];
