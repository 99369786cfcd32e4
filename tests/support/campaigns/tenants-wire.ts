// Attacks of hostile keys below the level of push contents: compression bombs, and sockets that stall or hang up.
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { Tenant } from './tenants-grants.ts';

export const mebibyte = 1_048_576;

const zeros = Buffer.alloc(64 * mebibyte);
const commas = Buffer.from(`{"events":[${'0,'.repeat(1_000_000)}0]}`);

export const bombs = [
  { encoding: 'gzip', body: gzipSync(zeros) },
  { encoding: 'zstd', body: zstdCompressSync(zeros) },
  { encoding: 'zstd', body: zstdCompressSync(commas) },
];

type Wired = Tenant & { gatewayUrl: string; signal: AbortSignal };

/** Sends the head of a request and some of its body, piece by piece, and hangs up. */
export async function trickle(context: Wired, pieces: number, pauseMs: number): Promise<number> {
  const { hostname, port } = new URL(context.gatewayUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const path = `/v1/sources/${context.source}/quotes`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${context.key}\r\nContent-Type: application/json\r\nContent-Length: ${8 * mebibyte}\r\n\r\n{"events":[`,
  );
  for (let piece = 0; piece < pieces && !context.signal.aborted && !socket.destroyed; piece += 1) {
    socket.write(' '.repeat(pauseMs === 0 ? mebibyte : 1));
    await delay(pauseMs, undefined, { signal: context.signal }).catch(() => {});
  }
  socket.destroy();
  return 0;
}
