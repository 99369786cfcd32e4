// Files too large to be kept in memory: read and sent piece by piece, at the pace of the client. No byte is sent before it is verified. The
// first request for a file reads all of it once and checks it against the catalog's SHA-256, so the piece hashes can be trusted; from then on
// each piece is checked against its hash whenever it is sent.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { FileRef, NamedObjects } from '../../core/ports/object-store.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { type Deadlines, Unavailable } from '../dependencies/deadlines.ts';
import { openSemaphore, QueueFull } from '../dependencies/semaphore.ts';
import type { BodyRange } from '../http/answer.ts';
import type { Pieces } from '../http/pieces.ts';
import { damagedFile, readOfFile } from './damaged-file.ts';

export type LargeFiles = {
  /** The bytes of a range of the file, each verified; the first piece has been read. */
  pieces(file: FileRef, range: BodyRange): Promise<Pieces>;
};

const hashBytes = 32;
/** Memory for the hashes of pieces: enough for about 64 GB of files. */
const hashMemoryBytes = 8 * 1024 * 1024;
/** Files that are hashed at the same time, and further ones that wait. */
const hashedFiles = { atOnce: 4, maxWaiting: 64 };

export function openLargeFiles(options: {
  objects: NamedObjects;
  deadlines: Deadlines;
  log: Log;
  /** Size of one read, and of what each client keeps in memory. */
  pieceBytes: number;
  /** How many files are prepared and sent at the same time; further requests get 503. */
  atOnce: number;
}): LargeFiles {
  const { objects, deadlines, log, pieceBytes, atOnce } = options;
  const known = new LRUCache<string, Buffer>({ maxSize: hashMemoryBytes, sizeCalculation: (hashes) => hashes.length });
  const hashing = new Map<string, Promise<Buffer>>();
  const semaphore = openSemaphore(hashedFiles);
  let places = 0;

  function read(file: FileRef, index: number): Promise<Buffer> {
    const from = index * pieceBytes;
    return readOfFile({ objects, deadlines, log }, file, from, Math.min(pieceBytes, file.size - from));
  }

  async function hashWholeFile(file: FileRef): Promise<Buffer> {
    const whole = createHash('sha256');
    const hashes = Buffer.alloc(Math.ceil(file.size / pieceBytes) * hashBytes);
    for (let index = 0; index * pieceBytes < file.size; index += 1) {
      const piece = await read(file, index);
      whole.update(piece);
      hashOf(piece).copy(hashes, index * hashBytes);
    }
    if (whole.digest('hex') !== file.sha256) throw damagedFile(log, file, 'SHA-256 mismatch');
    known.set(file.sha256, hashes);
    return hashes;
  }

  /** The hashes of the file's pieces; concurrent first requests share one read of the file. */
  function hashesOf(file: FileRef): Promise<Buffer> {
    const running = hashing.get(file.sha256);
    if (running !== undefined) return running;
    const promise = semaphore(() => hashWholeFile(file))
      .catch((error: unknown) => {
        throw error instanceof QueueFull ? new Unavailable('objects', error) : error;
      })
      .finally(() => hashing.delete(file.sha256));
    hashing.set(file.sha256, promise);
    return promise;
  }

  async function verified(file: FileRef, hashes: Buffer, index: number): Promise<Buffer> {
    const piece = await read(file, index);
    const expected = hashes.subarray(index * hashBytes, (index + 1) * hashBytes);
    if (!hashOf(piece).equals(expected)) throw damagedFile(log, file, `SHA-256 mismatch at byte ${index * pieceBytes}`);
    return piece;
  }

  /** Takes a place among the files that are being sent. Returns a release function; extra calls do nothing. */
  function takePlace(): () => void {
    if (places >= atOnce) throw new Unavailable('objects', `${places} large files are being sent`);
    places += 1;
    let taken = true;
    return () => {
      if (taken) places -= 1;
      taken = false;
    };
  }

  async function readyPieces(file: FileRef, { start, end }: BodyRange, release: () => void): Promise<Pieces['pieces']> {
    const hashes = known.get(file.sha256) ?? (await hashesOf(file));
    const cut = (piece: Buffer, index: number): Buffer => {
      const offset = index * pieceBytes;
      return piece.subarray(Math.max(0, start - offset), Math.min(piece.length, end - offset));
    };
    const begin = Math.floor(start / pieceBytes);
    let first: Buffer | null = cut(await verified(file, hashes, begin), begin);
    // Released when it is sent, so that a slow client keeps only one piece in memory.
    const takeFirst = (): Buffer => {
      if (first === null) throw new Error('the pieces of a file can be read once');
      const taken = first;
      first = null;
      return taken;
    };
    return async function* all(): AsyncGenerator<Buffer> {
      try {
        yield takeFirst();
        for (let index = begin + 1; index * pieceBytes < end; index += 1) {
          yield cut(await verified(file, hashes, index), index);
        }
      } finally {
        release();
      }
    };
  }

  return {
    async pieces(file, range) {
      // Taken before the first read: a prepared file uses memory even before its read is charged.
      const release = takePlace();
      try {
        return { pieces: await readyPieces(file, range, release), release };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

function hashOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
