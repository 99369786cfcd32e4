// How many connections the gateway keeps at a time (`ConnectionTable`): sockets that send nothing, or half a request, keep no sender out.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressSubject } from '../../core/access/address-subject.ts';
import { type ConnectionCaps, ConnectionTable } from '../../core/access/connection-table.ts';

/** Each costs some 20 KB; feeds are a few hundred, and behind a proxy all are of one address. */
export const usualCaps: ConnectionCaps = { all: 4_096, ofAddress: 2_048 };

export function capConnections(server: Server, caps: ConnectionCaps): void {
  const table = new ConnectionTable(caps, isAnswering);
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
