// Inflates bodies one at a time, alternating between keys, so that a hundred decompression bombs use no more memory than one. The
// inflater's buffers are freed as soon as they are copied, because the garbage collector would let tens of megabytes accumulate.
import type { Transform } from 'node:stream';
import { openLane } from './body-scheduler.ts';
import { GatheredBytes } from './gathered-bytes.ts';
import { atOnce, type InTurn, readInTurns } from './read-in-turns.ts';

/** The buffer size of an inflater made for `inflateWithin`; smaller buffers would share their memory with others. */
export const pieceBytes = 64 * 1024;

/** The body inflates to more bytes than allowed. */
export class TooMuchInside extends Error {
  override readonly name = 'TooMuchInside';
}

/** There are bytes after the end of the compressed data. */
export class BytesBehind extends Error {
  override readonly name = 'BytesBehind';
}

/** As node:zlib makes them: `bytesWritten` counts the input that the inflater has consumed. */
type Inflater = Transform & { readonly bytesWritten: number };

/** The compressed data, in pieces if the inflater stops at the end of each frame and is continued with the next one. */
export type Deflated<Stopped> = {
  openInflater: () => Inflater;
  pieces: readonly Uint8Array[];
  /** Sees each piece of output before it is kept. A result other than null ends the inflation. */
  watch?: (piece: Uint8Array) => Stopped | null;
  /** Left out: each piece is taken at once. */
  inTurn?: InTurn;
};

/**
 * Waits for the turn of `key`, then inflates to the end, or until `watch` ends it. Rejects with TooMuchInside, with BytesBehind, or with the
 * inflater's own error.
 */
type InflateWithin = <Stopped = never>(key: string, deflated: Deflated<Stopped>) => Promise<Uint8Array | Stopped>;

/** Inflates bodies of at most `mostBytes`. */
export function inflatingWithin(mostBytes: number): InflateWithin {
  const alone = openLane();
  return (key, deflated) => alone(key, () => inflateUpTo(mostBytes, deflated));
}

function inflateUpTo<Stopped>(
  mostBytes: number,
  { openInflater, pieces, watch, inTurn = atOnce }: Deflated<Stopped>,
): Promise<Uint8Array | Stopped> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | Stopped>();
  const inflater = openInflater();
  const given = pieces.reduce((sum, { length }) => sum + length, 0);
  const gathered = new GatheredBytes(mostBytes);
  let size = 0;
  let last: ArrayBufferLike | null = null;
  const end = (): void => {
    reading.stop();
    inflater.destroy();
    gathered.giveBack();
  };
  const giveUp = (why: unknown): void => {
    end();
    reject(why);
  };
  const keep = (piece: Buffer): void => {
    const { buffer, byteOffset, length } = piece;
    if (size + length > mostBytes) {
      giveUp(new TooMuchInside(`more than ${mostBytes} bytes`));
      return;
    }
    try {
      const stopped = watch?.(piece) ?? null;
      if (stopped !== null) {
        end();
        resolve(stopped);
        return;
      }
    } catch (error) {
      // A bug fails only this body.
      giveUp(error);
      return;
    }
    gathered.add(new Uint8Array(buffer, byteOffset, length));
    size += length;
    // The inflater fills one buffer after another, so the earlier ones are free.
    if (last !== buffer && last instanceof ArrayBuffer) last.transfer(0);
    last = buffer;
  };
  const finish = (): void => {
    const behind = given - inflater.bytesWritten;
    if (behind === 0) resolve(gathered.bytes());
    else giveUp(new BytesBehind(`${behind} bytes lie behind the last compressed one`));
  };
  // Only `end` stops the reading: an inflater destroys itself while its last piece may still wait for its turn.
  const reading = readInTurns(inflater, inTurn, { keep, end: finish });
  inflater.on('error', giveUp);
  for (const piece of pieces) inflater.write(piece);
  inflater.end();
  return promise;
}
