// Caps the connections that the API keeps at a time (`ConnectionTable`). A connection beyond the caps is closed before a byte of it is read.
// Unaware of requests, which the limiter counts.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressSubject } from '../../core/access/address-subject.ts';
import { ConnectionTable } from '../../core/access/connection-table.ts';

export type ConnectionLimits = {
  /**
   * Connections at a time, in all and of one address; those of a proxy of ours count in all only. An idle one costs some 20 kB: all of them
   * stay near 300 MB, and no address has more than a sixteenth.
   */
  connections: number;
  connectionsOfAddress: number;
};

/** Caps the connections of `server`. Behind proxies of our own every connection is theirs, and only the cap of all applies. */
export function capConnections(
  server: Server,
  { connections, connectionsOfAddress }: ConnectionLimits,
  proxyHops: number,
): void {
  const ofAddress = proxyHops > 0 ? connections : connectionsOfAddress;
  const table = new ConnectionTable({ all: connections, ofAddress }, isAnswering);
  server.on('connection', (socket: Socket) => {
    const address = addressSubject(socket.remoteAddress);
    socket.once('close', () => table.close(socket, address));
    table.open(socket, address)?.destroy();
  });
}

/** Node keeps the answer that is under way at its socket. */
function isAnswering(socket: Socket): boolean {
  return ((socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? null) !== null;
}
