// Files too large to be held in memory: read and sent piece by piece, at the pace of the reader. No byte is sent before it is verified. The
// first request for a file reads all of it once and compares it with the catalog's SHA-256, which makes the hashes of its pieces
// trustworthy; from then on each piece is compared with its hash whenever it is sent.
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
  /** The bytes of a part of the file, each verified; the first piece has been read. */
  pieces(file: FileRef, part: Part): Promise<Pieces>;
};

const hashBytes = 32;
/** Hashes of pieces that are remembered: those of some 64 GB of files. */
const hashMemoryBytes = 8 * 1024 * 1024;
/** Files that are read through at the same time, and further ones that wait for a turn. */
const readThroughs = { atOnce: 4, waiting: 64 };

export function openLargeFiles(options: {
  objects: NamedObjects;
  deadlines: Deadlines;
  log: Log;
  /** What one read takes, and what a reader holds in memory. */
  pieceBytes: number;
  /** How many are prepared and sent at the same time; further requests are refused for the moment. */
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

  /** The hashes of the file's pieces; concurrent first requests share one reading through. */
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

  /** Takes a place among the files that are being sent; the function returned releases it, once however often it is called. */
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
    // Released when it is sent, so that a slow reader holds one piece.
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
      // Taken before the first read: a prepared file whose read is not charged yet holds memory as well.
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
