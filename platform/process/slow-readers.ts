// Cuts connections whose reader takes too little of what is sent. Independent of requests, and of how progress is measured.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type ReaderPace, usualReaderPace } from '../../core/connections/reader-progress.ts';
import type { Millis } from '../../core/units.ts';
import { ReaderWatch } from './reader-watch.ts';

/** How often connections are checked. */
const usualLookMs: Millis = 1_000;

/**
 * Watches the connections of `server` until it is closed. They are cut with a reset, so that the kernel keeps nothing for such a reader.
 */
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
  // Node ends connections that it considers idle. Those with bytes waiting for the reader are checked here instead, and a client that waits
  // for an answer gets it however long the work takes. Requests that do not arrive completely have a time-out of their own.
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0 || isOwedAnAnswer(socket)) socket.setTimeout(socket.timeout ?? 0);
    else socket.destroy();
  });
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
}

/** Resets the connection at once. Node's own reset waits until everything is written, which might be never. */
function cut(socket: Socket): void {
  socket.resetAndDestroy();
  socket.destroy();
}

/** Whether a request on this connection is in progress: Node keeps its response at the socket. */
function isOwedAnAnswer(socket: Socket): boolean {
  return ((socket as { _httpMessage?: object | null })._httpMessage ?? null) !== null;
}
