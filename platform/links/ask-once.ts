// Sends one question over a connection of its own and reads the first bytes of the answer, to see which protocol a service speaks.
import { connect, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Millis } from '../../core/units.ts';
import type { TlsFiles } from './tls-files.ts';

const patienceMs: Millis = 2_000;

/** Null: no connection, no answer in time, or closed without one. `tls` null: no TLS. */
export function askOnce(
  at: { host: string; port: number },
  tls: TlsFiles | null,
  question: Uint8Array | string,
): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const name = isIP(at.host) === 0 ? { servername: at.host } : {};
    const socket = tls === null ? connect(at) : connectTls({ ...at, ...name, ...tls });
    const end = (answer: Buffer | null): void => {
      resolve(answer);
      socket.destroy();
    };
    socket.setTimeout(patienceMs, () => end(null));
    socket.once(tls === null ? 'connect' : 'secureConnect', () => socket.write(question));
    socket.once('data', end);
    socket.on('error', () => end(null));
    socket.on('close', () => end(null));
  });
}
