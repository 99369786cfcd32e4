// Inflation into one place, one body after the other: what a hundred bombs cost is what one costs. The inflater's pieces are given back
// to the system as soon as they are copied, since the garbage collector lets tens of megabytes of them pile up before it looks.
import type { Transform } from 'node:stream';

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
export type Inflater = Transform & { readonly bytesWritten: number };

/** Inflates a body that is given in pieces. An inflater that stops at the end of a frame goes on where a piece begins there. */
export type InflateWithin = (openInflater: () => Inflater, pieces: readonly Uint8Array[]) => Promise<Uint8Array>;

/** Inflates bodies of at most `mostBytes`. Rejects with TooMuchInside beyond that, with BytesBehind, and as the inflater does. */
export function inflatingWithin(mostBytes: number): InflateWithin {
  let room: Uint8Array | null = null;
  let before: Promise<unknown> = Promise.resolve();
  return (openInflater, pieces) => {
    const mine = before.then(() => {
      room ??= new Uint8Array(mostBytes);
      return inflateInto(room, openInflater(), pieces);
    });
    before = mine.catch(() => {});
    return mine;
  };
}

function inflateInto(room: Uint8Array, inflater: Inflater, pieces: readonly Uint8Array[]): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const given = pieces.reduce((sum, { length }) => sum + length, 0);
  let size = 0;
  let last: ArrayBufferLike | null = null;
  inflater.on('data', ({ buffer, byteOffset, length }: Buffer) => {
    if (size + length > room.length) {
      inflater.destroy();
      reject(new TooMuchInside(`more than ${room.length} bytes`));
      return;
    }
    room.set(new Uint8Array(buffer, byteOffset, length), size);
    size += length;
    // The inflater fills one piece after the other: it has left those before this one.
    if (last !== buffer && last instanceof ArrayBuffer) last.transfer(0);
    last = buffer;
  });
  inflater.on('end', () => {
    const behind = given - inflater.bytesWritten;
    if (behind === 0) resolve(room.slice(0, size));
    else reject(new BytesBehind(`${behind} bytes lie behind the last compressed one`));
  });
  inflater.on('error', reject);
  for (const piece of pieces) inflater.write(piece);
  inflater.end();
  return promise;
}
