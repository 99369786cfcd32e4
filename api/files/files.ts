// Bytes of committed files, by their content: concurrent requests share one read, the bytes are verified against the catalog's size and
// SHA-256, and kept in memory while there is room. Large files are not kept. Bytes that fail verification are never served.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Meter } from '../../core/ports/meter.ts';
import type { FileRef, NamedObjects } from '../../core/ports/object-store.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Deadlines } from '../dependencies/deadlines.ts';
import type { BodyRange } from '../http/answer.ts';
import type { Pieces } from '../http/pieces.ts';
import { damagedFile, readOfFile } from './damaged-file.ts';
import { openLargeFiles } from './large-files.ts';
import { countLookUps } from './look-ups.ts';

export type Files = {
  /** The bytes of a file; at once when they are in memory. */
  bytes(file: FileRef): Buffer | Promise<Buffer>;
  /** What to send: the bytes of the file, or, for a large one, the pieces of `range` (null: the whole file). */
  body(file: FileRef, range: BodyRange | null): Buffer | Promise<Buffer | Pieces>;
};

export function openFiles(options: {
  objects: NamedObjects;
  deadlines: Deadlines;
  log: Log;
  memoryBytes: number;
  /** A larger file is sent in pieces of `pieceBytes`, to at most `atOnce` readers. */
  largestKept: number;
  pieceBytes: number;
  largeAtOnce: number;
  meter: Meter;
}): Files {
  const { objects, deadlines, log } = options;
  const lookedUp = countLookUps(options.meter, 'files');
  const kept = new LRUCache<string, Buffer>({
    maxSize: options.memoryBytes,
    maxEntrySize: options.largestKept,
    sizeCalculation: (bytes) => bytes.length + entryOverhead,
  });
  const reading = new Map<string, Promise<Buffer>>();
  const large = openLargeFiles({
    objects,
    deadlines,
    log,
    pieceBytes: options.pieceBytes,
    atOnce: options.largeAtOnce,
  });

  async function read(file: FileRef): Promise<Buffer> {
    const bytes = await readOfFile({ objects, deadlines, log }, file, 0, file.size);
    if (createHash('sha256').update(bytes).digest('hex') !== file.sha256)
      throw damagedFile(log, file, 'SHA-256 mismatch');
    kept.set(file.sha256, bytes);
    return bytes;
  }

  function bytes(file: FileRef): Buffer | Promise<Buffer> {
    const held = kept.get(file.sha256);
    lookedUp(held !== undefined);
    if (held !== undefined) return held;
    const running = reading.get(file.sha256);
    if (running !== undefined) return running;
    const promise = read(file).finally(() => reading.delete(file.sha256));
    reading.set(file.sha256, promise);
    return promise;
  }

  return {
    bytes,
    body: (file, range) =>
      file.size > options.largestKept ? large.pieces(file, range ?? { start: 0, end: file.size }) : bytes(file),
  };
}

/** What a Buffer and its cache entry cost besides its bytes. */
const entryOverhead = 512;
