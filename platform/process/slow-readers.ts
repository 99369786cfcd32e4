// Cuts connections whose reader takes too little of what is sent to it. Unaware of requests, and of how a reader's progress is measured.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type ReaderPace, usualReaderPace } from '../../core/access/reader-progress.ts';
import type { Millis } from '../../core/units.ts';
import { ReaderWatch } from './reader-watch.ts';

/** How often the connections are looked at. */
const usualLookMs: Millis = 1_000;

/** Watches the connections of `server` until it is closed. A cut is a reset, so that nothing stays in the kernel for such a reader. */
export function cutSlowReaders(server: Server, pace: ReaderPace = usualReaderPace, lookMs: Millis = usualLookMs): void {
  const open = new Set<Socket>();
  const watch = new ReaderWatch(pace);
  let looking = false;

  async function look(): Promise<void> {
    for (const socket of await watch.tooSlow(open, () => performance.now())) cut(socket);
  }

  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void look().finally(() => {
      looking = false;
    });
  }, lookMs).unref();
  server.on('close', () => clearInterval(timer));
  // Node ends a connection that it considers idle. We know better where bytes wait for a reader, and a client that waits for an answer gets it,
  // however long the work takes: a request that does not arrive completely has a timeout of its own.
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0 || isOwedAnAnswer(socket)) socket.setTimeout(socket.timeout ?? 0);
    else socket.destroy();
  });
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
}

/** Resets the connection at once: Node's own reset waits until everything is written, which would be never. */
function cut(socket: Socket): void {
  socket.resetAndDestroy();
  socket.destroy();
}

/** Whether a request of the connection is being worked on: Node keeps its response beside the socket. */
function isOwedAnAnswer(socket: Socket): boolean {
  return ((socket as { _httpMessage?: object | null })._httpMessage ?? null) !== null;
}
