// A body that is produced piece by piece as the client reads it. A slow reader holds one piece in memory; `cutSlowReaders` decides per
// connection whether a reader is too slow.
import type { ServerResponse } from 'node:http';
import { forgetHead } from './prepared-heads.ts';

export type Pieces = {
  /** May be called once, because sent pieces are no longer in memory. */
  readonly pieces: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Releases the place they occupy, whether they were sent or not; extra calls do nothing. */
  readonly release?: () => void;
};

export function isPieces(body: unknown): body is Pieces {
  return typeof body === 'object' && body !== null && 'pieces' in body;
}

/** Writes the pieces after the head, which the caller has written; resolves when all are written or the client is gone. */
export async function writePieces(response: ServerResponse, { pieces }: Pieces): Promise<void> {
  let isSent = false;
  for await (const piece of pieces()) {
    if (response.destroyed) return;
    const hasRoom = response.write(piece);
    if (!isSent) forgetHead(response);
    isSent = true;
    if (!hasRoom) await roomIn(response);
  }
  response.end();
}

function roomIn(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}
