// Inflation, one body after the other, in turns between keys: what a hundred bombs cost is what one costs. The inflater's pieces are given back
// to the system as soon as they are copied, since the garbage collector lets tens of megabytes of them pile up before it looks.
import type { Transform } from 'node:stream';
import { GatheredBytes } from './gathered-bytes.ts';
import { openLane } from './turns.ts';

/** What an inflater made for `inflateWithin` asks for at a time: nothing smaller, or pieces would share their memory with others. */
export const pieceBytes = 64 * 1024;

/** The bytes would be more than there is room for. */
export class TooMuchInside extends Error {
  override readonly name = 'TooMuchInside';
}

/** Bytes lie behind the last compressed one. */
export class BytesBehind extends Error {
  override readonly name = 'BytesBehind';
}

/** As node:zlib makes them: `bytesWritten` counts what the inflater has used of its input. */
type Inflater = Transform & { readonly bytesWritten: number };

/** What is inflated: in pieces, where an inflater that stops at the end of a frame goes on with the next. */
export type Deflated<Stopped> = {
  openInflater: () => Inflater;
  pieces: readonly Uint8Array[];
  /** Sees each piece as it comes out, before it is kept. What it answers ends the inflation, unless it is null. */
  watch?: (piece: Uint8Array) => Stopped | null;
};

/**
 * Inflates when the turn of `key` has come, to the end or to what the watch answers. Rejects with TooMuchInside, with BytesBehind, and as the
 * inflater does.
 */
type InflateWithin = <Stopped = never>(key: string, deflated: Deflated<Stopped>) => Promise<Uint8Array | Stopped>;

/** Inflates bodies of at most `mostBytes`. */
export function inflatingWithin(mostBytes: number): InflateWithin {
  const alone = openLane();
  return (key, deflated) => alone(key, () => inflateUpTo(mostBytes, deflated));
}

function inflateUpTo<Stopped>(
  mostBytes: number,
  { openInflater, pieces, watch }: Deflated<Stopped>,
): Promise<Uint8Array | Stopped> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | Stopped>();
  const inflater = openInflater();
  const given = pieces.reduce((sum, { length }) => sum + length, 0);
  const gathered = new GatheredBytes(mostBytes);
  let size = 0;
  let last: ArrayBufferLike | null = null;
  const end = (): void => {
    inflater.destroy();
    gathered.giveBack();
  };
  const giveUp = (why: unknown): void => {
    end();
    reject(why);
  };
  inflater.on('data', (piece: Buffer) => {
    const { buffer, byteOffset, length } = piece;
    if (inflater.destroyed) return;
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
      // A defect fails this body alone.
      giveUp(error);
      return;
    }
    gathered.add(new Uint8Array(buffer, byteOffset, length));
    size += length;
    // The inflater fills one piece after the other: it has left those before this one.
    if (last !== buffer && last instanceof ArrayBuffer) last.transfer(0);
    last = buffer;
  });
  inflater.on('end', () => {
    const behind = given - inflater.bytesWritten;
    if (behind === 0) resolve(gathered.bytes());
    else giveUp(new BytesBehind(`${behind} bytes lie behind the last compressed one`));
  });
  inflater.on('error', giveUp);
  for (const piece of pieces) inflater.write(piece);
  inflater.end();
  return promise;
}
