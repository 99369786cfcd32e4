// Certificates for tests of TLS links, made by openssl for one test: an authority, a server's certificate for 127.0.0.1
// and localhost, one for another name, an expired one, a client's, and an authority that signed none of these.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, run } from './installed.ts';

type Pair = { cert: string; key: string };

/** Paths of PEM files. `both`: key and certificate in one file, as Kafka needs them. */
export type Certificates = {
  folder: string;
  ca: string;
  otherCa: string;
  server: Pair & { both: string };
  misnamed: Pair;
  expired: Pair;
  client: Pair;
  /** A client's certificate from the other authority. */
  foreignClient: Pair;
  /** The client's key, encrypted with the password `opens-it`. */
  lockedKey: string;
  [Symbol.dispose](): void;
};

export const opensslSkip: string | false =
  findProgram('openssl') === undefined && 'there is no openssl to make certificates';

const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export async function makeCertificates(): Promise<Certificates> {
  const openssl = findProgram('openssl') ?? 'openssl';
  const folder = mkdtempSync(join(tmpdir(), 'sds-links-'));
  const at = (name: string): string => join(folder, name);

  async function authority(name: string): Promise<Pair> {
    const pair = { cert: at(`${name}.pem`), key: at(`${name}-key.pem`) };
    const subject = ['-subj', `/CN=${name}`, '-addext', 'basicConstraints=critical,CA:TRUE'];
    await run(openssl, ['req', '-x509', ...curve, '-days', '2', '-keyout', pair.key, '-out', pair.cert, ...subject]);
    return pair;
  }
  async function signed(
    name: string,
    by: Pair,
    names: string,
    times: readonly string[] = ['-days', '2'],
  ): Promise<Pair> {
    const pair = { cert: at(`${name}.pem`), key: at(`${name}-key.pem`) };
    const [request, extensions] = [at(`${name}.csr`), at(`${name}.ext`)];
    writeFileSync(extensions, `subjectAltName=${names}\n`);
    await run(openssl, ['req', ...curve, '-keyout', pair.key, '-out', request, '-subj', `/CN=${name}`]);
    const signer = ['-CA', by.cert, '-CAkey', by.key, '-CAcreateserial', '-extfile', extensions];
    await run(openssl, ['x509', '-req', '-in', request, ...signer, ...times, '-out', pair.cert]);
    return pair;
  }

  const [own, other] = [await authority('own-ca'), await authority('other-ca')];
  const local = 'IP:127.0.0.1,DNS:localhost';
  const server = await signed('server', own, local);
  const both = at('server-both.pem');
  writeFileSync(both, readFileSync(server.key, 'utf8') + readFileSync(server.cert, 'utf8'), { mode: 0o600 });
  const client = await signed('client', own, 'DNS:sds');
  const lockedKey = at('locked-key.pem');
  await run(openssl, ['pkcs8', '-topk8', '-in', client.key, '-passout', 'pass:opens-it', '-out', lockedKey]);
  return {
    folder,
    ca: own.cert,
    otherCa: other.cert,
    server: { ...server, both },
    misnamed: await signed('misnamed', own, 'DNS:elsewhere.example'),
    expired: await signed('expired', own, local, ['-days', '-1']),
    client,
    foreignClient: await signed('foreign', other, 'DNS:sds'),
    lockedKey,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
