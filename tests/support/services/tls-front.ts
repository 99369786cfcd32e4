// TLS before a real service that has none here, like a proxy: it passes the bytes on unchanged. On request it demands a
// client certificate.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';

export type TlsFront = { port: number; close(): Promise<void> };

export async function openTlsFront(
  behind: { host: string; port: number },
  server: { cert: string; key: string },
  clientCa?: string,
): Promise<TlsFront> {
  const open = new Set<Socket>();
  const demands =
    clientCa === undefined ? {} : { ca: readFileSync(clientCa), requestCert: true, rejectUnauthorized: true };
  const front = createServer(
    { cert: readFileSync(server.cert), key: readFileSync(server.key), ...demands },
    (client) => {
      const inner = connect(behind);
      for (const [from, to] of [
        [client, inner],
        [inner, client],
      ] as const) {
        open.add(from);
        from.pipe(to);
        from.on('error', () => to.destroy());
        from.on('close', () => {
          open.delete(from);
          to.destroy();
        });
      }
    },
  );
  front.on('tlsClientError', () => {});
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const address = front.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async close() {
      for (const socket of open) socket.destroy();
      front.close();
      await once(front, 'close');
    },
  };
}
