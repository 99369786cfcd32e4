// How much the reader of each connection has taken, and whether that is too little (core/connections/reader-progress.ts). Where the kernel
// reports it, "taken" means acknowledged by the other side: the kernel buffers megabytes per connection and accepts more from us only after
// sending a good part of them, so a slow line would look dead for minutes. Independent of servers and of time: the caller decides when to
// check.
import type { Socket } from 'node:net';
import { type ReaderPace, ReaderProgress } from '../../core/connections/reader-progress.ts';
import type { Millis } from '../../core/units.ts';
import { inodeOf, unreadBytes } from './unread-bytes.ts';

/** What the kernel reports about the sockets of this process; only Linux reports it. */
export type KernelReports = {
  /** Unsent and unacknowledged bytes per socket, by inode. */
  unreadBytes(): Promise<ReadonlyMap<string, number>>;
  inodeOf(descriptor: number): string | null;
};

/** `isReported`: whether the kernel reported this socket at the last check; null: not checked yet. */
type Reader = { progress: ReaderProgress; inode: string | null; isReported: boolean | null };

export class ReaderWatch {
  readonly #pace: ReaderPace;
  readonly #kernel: KernelReports;
  #readers = new Map<Socket, Reader>();

  constructor(pace: ReaderPace, kernel: KernelReports = { unreadBytes, inodeOf }) {
    this.#pace = pace;
    this.#kernel = kernel;
  }

  /** The connections whose reader is too slow. Call it repeatedly, never twice at once. */
  async tooSlow(open: Iterable<Socket>, now: () => Millis): Promise<Socket[]> {
    const waiting = Array.from(open).flatMap((socket) => waitingFor(socket) ?? []);
    const isAnyKnown = waiting.some(({ socket }) => this.#readers.has(socket));
    const unread = isAnyKnown ? await this.#kernel.unreadBytes() : new Map<string, number>();
    const at = now();
    const slow: Socket[] = [];
    const still = new Map<Socket, Reader>();
    for (const { socket, handed } of waiting) {
      const after = waitingFor(socket);
      if (after === null) continue;
      const before = this.#readers.get(socket);
      const reader = before ?? {
        progress: new ReaderProgress(this.#pace, at),
        inode: this.#kernel.inodeOf(after.descriptor),
        isReported: null,
      };
      // Check only connections that still have bytes waiting at the second look.
      if (before !== undefined && this.#isTooSlow(reader, at, handed, after.handed, unread.get(reader.inode ?? '')))
        slow.push(socket);
      else still.set(socket, reader);
    }
    this.#readers = still;
    return slow;
  }

  /**
   * `handed`, `since`: our count before and after the kernel was asked. `held`: the kernel's bytes for this connection; undefined if it
   * does not report them.
   */
  #isTooSlow(reader: Reader, at: Millis, handed: number, since: number, held: number | undefined): boolean {
    // The kernel accepted more bytes while it was asked, so its number and ours are of different moments, and their difference is
    // unreliable. It had room for these bytes because the reader took some.
    if (since !== handed) {
      reader.progress.moved(at);
      return false;
    }
    // A socket that is missing once, or a table that cannot be read now, is no evidence about the reader.
    if (held === undefined && reader.isReported === true) return false;
    if (held !== undefined && reader.isReported === false) reader.progress = new ReaderProgress(this.#pace, at);
    reader.isReported = held !== undefined;
    return reader.progress.isTooSlow(at, handed - (held ?? 0));
  }
}

/** `handed`: bytes that the kernel has accepted from us. */
type Waiting = { socket: Socket; handed: number; descriptor: number };

/** A connection with bytes that the kernel has not accepted yet; null: there are none, or it is closed. */
function waitingFor(socket: Socket): Waiting | null {
  const handle = (socket as { _handle?: Handle | null })._handle ?? null;
  if (handle === null || socket.writableLength === 0) return null;
  return { socket, handed: handle.bytesWritten - handle.writeQueueSize, descriptor: handle.fd };
}

/** Internal state of a Node socket: bytes given to libuv, how many of them the kernel has not accepted, and the descriptor. */
type Handle = { readonly bytesWritten: number; readonly writeQueueSize: number; readonly fd: number };
