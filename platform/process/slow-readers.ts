// Cuts connections whose reader takes too little of what is sent to it (core/access/reader-progress.ts). What a reader has taken is what its side
// has acknowledged, where the kernel tells: the kernel holds up to megabytes of a connection, and takes more of us only when a good part of
// them is gone, so that a slow line would look dead for minutes. Unaware of requests.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type ReaderPace, ReaderProgress, usualReaderPace } from '../../core/access/reader-progress.ts';
import type { Millis } from '../../core/units.ts';
import { inodeOf, unreadBytes } from './unread-bytes.ts';

/** How often it is looked what waits. */
const usualLookMs: Millis = 1_000;

type Reader = { progress: ReaderProgress; inode: string | null };

/** Watches the connections of `server` until it is closed. A cut is a reset, so that nothing stays in the kernel for such a reader. */
export function cutSlowReaders(server: Server, pace: ReaderPace = usualReaderPace, lookMs: Millis = usualLookMs): void {
  const open = new Set<Socket>();
  let readers = new Map<Socket, Reader>();
  let looking = false;

  async function look(): Promise<void> {
    const waiting = [...open].filter((socket) => socket.writableLength > 0);
    const known = waiting.some((socket) => readers.has(socket));
    const unread = known ? await unreadBytes() : new Map<string, number>();
    const now = performance.now();
    const still = new Map<Socket, Reader>();
    for (const socket of waiting) {
      const handle = handleOf(socket);
      if (handle === null || socket.writableLength === 0) continue;
      const before = readers.get(socket);
      const reader = before ?? { progress: new ReaderProgress(pace, now), inode: inodeOf(handle.fd) };
      const held = unread.get(reader.inode ?? '') ?? 0;
      // What waits at the first look may be gone at the second: only then is it counted what is taken.
      if (before !== undefined && reader.progress.isTooSlow(now, handle.bytesWritten - handle.writeQueueSize - held))
        cut(socket);
      else still.set(socket, reader);
    }
    readers = still;
  }

  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void look().finally(() => {
      looking = false;
    });
  }, lookMs).unref();
  server.on('close', () => clearInterval(timer));
  // Node ends a connection on which nothing has moved for a while, as far as it knows. Where bytes wait for a reader, we know more; and who
  // waits for an answer gets it, however long the work takes: a request that does not come whole has a time of its own.
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0 || isOwedAnAnswer(socket)) socket.setTimeout(socket.timeout ?? 0);
    else socket.destroy();
  });
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
}

/** Ends the connection with a reset, and at once: by itself a reset waits until all is written, which is never. */
function cut(socket: Socket): void {
  socket.resetAndDestroy();
  socket.destroy();
}

/** Whether a request of the connection is being worked on: Node keeps its response beside the socket. */
function isOwedAnAnswer(socket: Socket): boolean {
  return ((socket as { _httpMessage?: object | null })._httpMessage ?? null) !== null;
}

/** What Node knows of a socket and keeps to itself: bytes given to libuv, those of them that the kernel has not taken, and the descriptor. */
type Handle = { readonly bytesWritten: number; readonly writeQueueSize: number; readonly fd: number };

function handleOf(socket: Socket): Handle | null {
  return (socket as { _handle?: Handle | null })._handle ?? null;
}
