// How many connections there are at a time: in all, and of one address, so that one visitor who holds sockets open leaves room for the others.
// What is beyond is closed before a byte of it is read. Unaware of requests: those are counted by the limiter.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressSubject } from '../http/client-address.ts';
import type { ApiLimits } from '../limits.ts';

/** Caps the connections of `server`. Behind proxies of our own every connection is theirs, and only the cap of all applies. */
export function capConnections(
  server: Server,
  { connections, connectionsOfAddress }: Pick<ApiLimits, 'connections' | 'connectionsOfAddress'>,
  proxyHops: number,
): void {
  server.maxConnections = connections;
  if (proxyHops > 0) return;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const subject = addressSubject(socket.remoteAddress ?? '');
    const others = open.get(subject) ?? 0;
    if (others >= connectionsOfAddress) return void socket.destroy();
    open.set(subject, others + 1);
    socket.once('close', () => {
      const left = (open.get(subject) ?? 1) - 1;
      if (left === 0) open.delete(subject);
      else open.set(subject, left);
    });
  });
}
