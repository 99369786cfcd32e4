// A body that is produced piece by piece as the client reads it. A slow reader holds one piece in memory, and only for a limited time.
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../core/ports/clock.ts';
import type { Millis } from '../../core/units.ts';

export type Pieces = {
  readonly pieces: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Releases the place that is held for them, whether they were sent or not; releasing twice is harmless. */
  readonly release?: () => void;
};

/** How long a client may take for one piece, and the clock that measures it. */
export type Pace = { clock: Clock; slowestMs: Millis };

export function isPieces(body: unknown): body is Pieces {
  return typeof body === 'object' && body !== null && 'pieces' in body;
}

/**
 * Writes the pieces behind a head that is written already; resolves when all are, or the client is gone. A client that takes too long for
 * one is cut off.
 */
export async function writePieces(response: ServerResponse, { pieces }: Pieces, pace: Pace): Promise<void> {
  for await (const piece of pieces()) {
    if (response.destroyed) return;
    if (!response.write(piece)) await roomIn(response, pace);
  }
  response.end();
}

async function roomIn(response: ServerResponse, { clock, slowestMs }: Pace): Promise<void> {
  const taken = new AbortController();
  const done = (): void => taken.abort();
  response.on('drain', done);
  response.on('close', done);
  await clock.sleep(slowestMs, taken.signal);
  response.off('drain', done);
  response.off('close', done);
  if (!taken.signal.aborted) response.destroy();
}
