// Files too large to be held in memory: read and sent piece by piece, at the pace of their reader. None of their bytes is sent before it is
// verified: the first reader of a file has all of it read through once and compared with the catalog's SHA-256, which makes the hashes
// of its pieces as good as the catalog's own; from then on each piece is compared with its hash whenever it is sent.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { FileRef, NamedObjects } from '../../core/ports/object-store.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { type Deadlines, Unavailable } from '../dependencies/deadlines.ts';
import { NoTurn, openTurns } from '../dependencies/turns.ts';
import type { Part } from '../http/answer.ts';
import type { Pieces } from '../http/pieces.ts';
import { damagedFile, readOfFile } from './damaged-file.ts';

export type LargeFiles = {
  /** The bytes of a part of the file, the first of them at hand, all of them known to be what was committed. */
  pieces(file: FileRef, part: Part): Promise<Pieces>;
};

const hashBytes = 32;
/** Hashes of pieces that are remembered: those of some 64 GB of files. */
const hashMemoryBytes = 8 * 1024 * 1024;
/** Files that are read through at the same time, and first readers of others that wait for it. */
const readThroughs = { atOnce: 4, waiting: 64 };

export function openLargeFiles(options: {
  objects: NamedObjects;
  deadlines: Deadlines;
  log: Log;
  /** What is read at a time, and what a reader holds. */
  pieceBytes: number;
  /** How many are made ready and sent at the same time; more are told to come again. */
  atOnce: number;
}): LargeFiles {
  const { objects, deadlines, log, pieceBytes, atOnce } = options;
  const known = new LRUCache<string, Buffer>({ maxSize: hashMemoryBytes, sizeCalculation: (hashes) => hashes.length });
  const readingThrough = new Map<string, Promise<Buffer>>();
  const turns = openTurns(readThroughs);
  let places = 0;

  function read(file: FileRef, index: number): Promise<Buffer> {
    const from = index * pieceBytes;
    return readOfFile({ objects, deadlines, log }, file, from, Math.min(pieceBytes, file.size - from));
  }

  async function readThrough(file: FileRef): Promise<Buffer> {
    const whole = createHash('sha256');
    const hashes = Buffer.alloc(Math.ceil(file.size / pieceBytes) * hashBytes);
    for (let index = 0; index * pieceBytes < file.size; index += 1) {
      const piece = await read(file, index);
      whole.update(piece);
      hashOf(piece).copy(hashes, index * hashBytes);
    }
    if (whole.digest('hex') !== file.sha256) throw damagedFile(log, file, 'other bytes');
    known.set(file.sha256, hashes);
    return hashes;
  }

  /** The hashes of the file's pieces; however many ask first, it is read through once. */
  function hashesOf(file: FileRef): Promise<Buffer> {
    const running = readingThrough.get(file.sha256);
    if (running !== undefined) return running;
    const promise = turns(() => readThrough(file))
      .catch((error: unknown) => {
        throw error instanceof NoTurn ? new Unavailable('objects', error) : error;
      })
      .finally(() => readingThrough.delete(file.sha256));
    readingThrough.set(file.sha256, promise);
    return promise;
  }

  async function verified(file: FileRef, hashes: Buffer, index: number): Promise<Buffer> {
    const piece = await read(file, index);
    const expected = hashes.subarray(index * hashBytes, (index + 1) * hashBytes);
    if (!hashOf(piece).equals(expected)) throw damagedFile(log, file, `other bytes at ${index * pieceBytes}`);
    return piece;
  }

  /** A place among those that are served; it is given back once, however often it is told. */
  function takePlace(): () => void {
    if (places >= atOnce) throw new Unavailable('objects', `${places} large files are being sent`);
    places += 1;
    let kept = true;
    return () => {
      if (kept) places -= 1;
      kept = false;
    };
  }

  async function readyPieces(file: FileRef, { start, end }: Part, release: () => void): Promise<Pieces['pieces']> {
    const hashes = known.get(file.sha256) ?? (await hashesOf(file));
    const cut = (piece: Buffer, index: number): Buffer => {
      const offset = index * pieceBytes;
      return piece.subarray(Math.max(0, start - offset), Math.min(piece.length, end - offset));
    };
    const begin = Math.floor(start / pieceBytes);
    let first: Buffer | null = cut(await verified(file, hashes, begin), begin);
    // Held until it is sent and no longer: a slow reader has one piece.
    const takeFirst = (): Buffer => {
      const taken = first as Buffer;
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
    async pieces(file, part) {
      // Taken before anything is read: what is made ready for a reader who still has to pay is held as well.
      const release = takePlace();
      try {
        return { pieces: await readyPieces(file, part, release), release };
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
