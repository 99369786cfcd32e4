// Caps the number of connections of a listener (`ConnectionTable`). A connection above a cap is closed before any of its bytes are read.
// Independent of requests.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ConnectionCaps, ConnectionTable } from '../core/connections/connection-table.ts';
import { addressSubject } from '../core/limits/address-subject.ts';

/** Caps the connections of `server`. */
export function capConnections(server: Server, caps: ConnectionCaps): void {
  const table = new ConnectionTable(caps, isAnswering);
  server.on('connection', (socket: Socket) => {
    const address = addressSubject(socket.remoteAddress);
    socket.on('close', () => table.close(socket, address));
    table.open(socket, address)?.destroy();
  });
}

/** Node keeps the response in progress at its socket. */
function isAnswering(socket: Socket): boolean {
  return ((socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? null) !== null;
}
