// Inflation into one place, one body after the other: what a hundred bombs cost is what one costs. The inflater's pieces are given back
// to the system as soon as they are copied, since the garbage collector lets tens of megabytes of them pile up before it looks.
import type { Transform } from 'node:stream';

/** What an inflater made for `inflateWithin` asks for at a time: nothing smaller, or pieces would share their memory with others. */
export const pieceBytes = 64 * 1024;

/** The bytes would be more than there is room for. */
export class TooMuchInside extends Error {
  override readonly name = 'TooMuchInside';
}

export type InflateWithin = (openInflater: () => Transform, body: Uint8Array) => Promise<Uint8Array>;

/** Inflates bodies of at most `mostBytes`. Rejects with TooMuchInside beyond that, and as the inflater does. */
export function inflatingWithin(mostBytes: number): InflateWithin {
  let room: Uint8Array | null = null;
  let before: Promise<unknown> = Promise.resolve();
  return (openInflater, body) => {
    const mine = before.then(() => {
      room ??= new Uint8Array(mostBytes);
      return inflateInto(room, openInflater(), body);
    });
    before = mine.catch(() => {});
    return mine;
  };
}

function inflateInto(room: Uint8Array, inflater: Transform, body: Uint8Array): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
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
  inflater.on('end', () => resolve(room.slice(0, size)));
  inflater.on('error', reject);
  inflater.end(body);
  return promise;
}
