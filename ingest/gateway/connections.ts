// How many connections the gateway keeps, in all and of one address. Where one is too many, an idle one ends for it: the oldest of the address that
// has most. So sockets that send nothing, or half a request, keep no sender out; those on which a request is under way are never ended for others.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type ConnectionCaps = { all: number; ofAddress: number };

/** Each costs some 20 KB; feeds are a few hundred, and behind a proxy all are of one address. */
export const usualCaps: ConnectionCaps = { all: 4_096, ofAddress: 2_048 };

type Open = { address: string; requests: number };

export function capConnections(server: Server, caps: ConnectionCaps): void {
  /** Oldest first. */
  const open = new Map<Socket, Open>();
  const counts = new Map<string, number>();

  function forget(socket: Socket, { address }: Open): void {
    if (!open.delete(socket)) return;
    const left = (counts.get(address) ?? 1) - 1;
    if (left === 0) counts.delete(address);
    else counts.set(address, left);
  }

  /** Ends the oldest idle connection of an address; the new one where all others are busy. */
  function endOneOf(address: string, added: Socket): void {
    for (const [socket, state] of open) {
      if (state.address !== address || state.requests > 0 || socket === added) continue;
      forget(socket, state);
      socket.destroy();
      return;
    }
    added.destroy();
  }

  server.on('connection', (socket: Socket) => {
    const state: Open = { address: socket.remoteAddress ?? '', requests: 0 };
    open.set(socket, state);
    const ofAddress = (counts.get(state.address) ?? 0) + 1;
    counts.set(state.address, ofAddress);
    socket.once('close', () => forget(socket, state));
    if (ofAddress > caps.ofAddress) endOneOf(state.address, socket);
    else if (open.size > caps.all) endOneOf(largestOf(counts), socket);
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const state = open.get(socket);
    if (state === undefined) return;
    state.requests += 1;
    response.once('close', () => {
      state.requests -= 1;
    });
  });
}

function largestOf(counts: ReadonlyMap<string, number>): string {
  let found = '';
  for (const [address, count] of counts) if (count > (counts.get(found) ?? 0)) found = address;
  return found;
}
