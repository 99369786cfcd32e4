// Why a link cannot be set up: only one side uses TLS, or one side does not trust the other's certificate. A broken connection alone proves
// neither, so the other side is asked again with the other protocol if necessary. Names the wrong setting; independent of the protocol
// above the link.
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { Millis } from '../../core/units.ts';
import { SettingError } from '../config/setting-error.ts';
import type { TlsFiles } from './tls-files.ts';

export type LinkNames = {
  /** The setting that chooses TLS, with an example of each choice. */
  protocol: { name: string; overTls: string; plain: string };
  /** The setting of the address, with an example. */
  address: { name: string; example: string };
  /** The settings of the authorities and of the own certificate; null: there is none. */
  authority: string;
  certificate: string | null;
};

export type LinkEnd = { host: string; port: number; tls: TlsFiles | null; names: LinkNames };

const patienceMs: Millis = 2_000;
/** In TLS 1.3 a side learns only after its own handshake that its certificate was refused. */
const afterthoughtMs: Millis = 300;

/** `answersWithoutTls`: whether the other side answers in its protocol without TLS. Null: no fault was found. */
export async function transportFault(
  end: LinkEnd,
  answersWithoutTls: () => Promise<boolean>,
): Promise<SettingError | null> {
  const { names, tls } = end;
  const at = `${end.host}:${end.port}`;
  if (tls === null) {
    const failure = await handshake(end, {});
    if (failure !== null && !isTlsFailure(failure)) return null;
    const { name, overTls } = names.protocol;
    return new SettingError(name, `asks for no TLS, and ${at} speaks TLS alone`, overTls);
  }
  const failure = await handshake(end, tls);
  if (failure === null) return null;
  const { code } = failure;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const { name, example } = names.address;
    return new SettingError(name, `leads to ${at}, whose certificate is for other names (${failure.message})`, example);
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    const { name, example } = names.address;
    return new SettingError(name, `leads to ${at}, whose certificate is not valid now (${failure.message})`, example);
  }
  if (untrusted.test(code)) {
    const which = tls.ca === undefined ? 'is not set, and Node does not trust' : 'does not have';
    const reason = `${which} the authority that signed the certificate of ${at} (${failure.message})`;
    return new SettingError(names.authority, reason, examplePem);
  }
  if (refusedCertificate.test(code) && names.certificate !== null) {
    const reason =
      tls.cert === undefined
        ? `is not set, and ${at} asks for a certificate`
        : `names a certificate that ${at} refuses`;
    return new SettingError(names.certificate, reason, examplePem);
  }
  if (!(await answersWithoutTls())) return null;
  const { name, plain } = names.protocol;
  return new SettingError(name, `asks for TLS, and ${at} speaks without`, plain);
}

const examplePem = '/etc/sds/link.pem';
const untrusted = /SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE|INVALID_CA/;
const refusedCertificate = /_ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|UNKNOWN_CA)/;

type Failure = { code: string; message: string };

/** A certificate that is not trusted, or an alert: both prove that the other side uses TLS. */
function isTlsFailure({ code }: Failure): boolean {
  return untrusted.test(code) || code.includes('_ALERT_') || /^(ERR_TLS_)?CERT_/.test(code);
}

/** One handshake, nothing after it. Null: it succeeded. */
function handshake({ host, port }: LinkEnd, tls: TlsFiles): Promise<Failure | null> {
  return new Promise((resolve) => {
    const socket: TLSSocket = connect({ host, port, ...tls, ...(isIP(host) === 0 ? { servername: host } : {}) });
    const end = (failure: Failure | null): void => {
      resolve(failure);
      socket.destroy();
    };
    let isSecure = false;
    socket.setTimeout(patienceMs, () => end(isSecure ? null : { code: 'ETIMEDOUT', message: 'no answer' }));
    socket.on('error', (error: NodeJS.ErrnoException) => end({ code: error.code ?? '', message: error.message }));
    socket.on('close', () => end({ code: 'ECONNRESET', message: 'closed' }));
    socket.once('secureConnect', () => {
      isSecure = true;
      socket.setTimeout(afterthoughtMs);
    });
  });
}
