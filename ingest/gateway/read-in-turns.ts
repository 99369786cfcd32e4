// Reads a stream no faster than its key gets turns to work on it. The event loop would otherwise read megabytes of every body at a time,
// and a key that sends many large ones would delay the pushes and readers of all others.
import type { Readable } from 'node:stream';

/** Runs work on a piece of a body when it is its key's turn; the work does not throw. See body-scheduler.ts. */
export type InTurn = (work: () => void) => Promise<void>;

/** For bodies that wait for no other. */
export const atOnce: InTurn = async (work) => work();

export type ReadingInTurns = {
  /** Whether a piece has been read and waits for its turn. */
  readonly isWaiting: boolean;
  /** Whether the last piece has been read. */
  readonly hasEnded: boolean;
  /** Nothing more is read or kept. */
  stop(): void;
};

type Reader = { keep(piece: Buffer): void; end(): void };

/** Passes the pieces to `keep`, the first one at once because most bodies are one piece; then calls `end`. Neither throws. */
export function readInTurns(stream: Readable, inTurn: InTurn, { keep, end }: Reader): ReadingInTurns {
  let isFirst = true;
  let isWaiting = false;
  let hasEnded = false;
  let isStopped = false;
  const take = (piece: Buffer): void => {
    if (isFirst) {
      isFirst = false;
      keep(piece);
      return;
    }
    isWaiting = true;
    stream.pause();
    void inTurn(() => isStopped || keep(piece)).then(() => {
      isWaiting = false;
      if (isStopped) return;
      if (hasEnded) end();
      else stream.resume();
    });
  };
  // A paused stream ends as soon as its last piece has been read.
  const ended = (): void => {
    hasEnded = true;
    if (!isWaiting) end();
  };
  stream.on('data', take).on('end', ended);
  return {
    get isWaiting() {
      return isWaiting;
    },
    get hasEnded() {
      return hasEnded;
    },
    stop() {
      isStopped = true;
      stream.off('data', take).off('end', ended).pause();
    },
  };
}
