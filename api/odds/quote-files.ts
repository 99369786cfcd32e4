// The quotes in committed files, decoded once and cached by the content of the file, up to a number of bytes: boards, and for whole
// segments the newest row of each selection. Concurrent requests share one decoding.
import { LRUCache } from 'lru-cache';
import { LogQuotes } from '../../core/odds/log-quotes.ts';
import { type Quote, quoteOf } from '../../core/odds/quote.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Meter } from '../../core/ports/meter.ts';
import type { FileRef } from '../../core/ports/object-store.ts';
import type { ParquetWriter } from '../../core/ports/parquet.ts';
import type { Micros } from '../../core/units.ts';
import type { Files } from '../files/files.ts';
import { countLookUps } from '../files/look-ups.ts';

export type QuoteFiles = {
  /** All rows of a file, in order; synchronous if they are in memory. */
  rows(file: FileRef): readonly Quote[] | Promise<readonly Quote[]>;
  /** The newest row of each selection in a file of the log. */
  newest(file: FileRef): readonly Quote[] | Promise<readonly Quote[]>;
  /** Adds those of the first `count` rows of a file of the log that are at or before `at`, without keeping those of a large file. */
  addUntil(log: LogQuotes, file: FileRef, count: number, at: Micros): Promise<void>;
};

export function openQuoteFiles(options: {
  files: Pick<Files, 'bytes'>;
  parquet: Pick<ParquetWriter, 'batches'>;
  clock: Clock;
  memoryBytes: number;
  meter: Meter;
}): QuoteFiles {
  const { files, parquet, clock } = options;
  const lookedUp = countLookUps(options.meter, 'quotes');
  const kept = new LRUCache<string, readonly Quote[]>({
    maxSize: options.memoryBytes,
    // A large file leaves room for others.
    maxEntrySize: options.memoryBytes / 4,
    sizeCalculation: (quotes) => entryBytes + quotes.length * quoteBytes,
  });
  const reading = new Map<string, Promise<readonly Quote[]>>();

  function keptOrRead(name: string, read: () => Promise<readonly Quote[]>): ReturnType<QuoteFiles['rows']> {
    const held = kept.get(name);
    lookedUp(held !== undefined);
    if (held !== undefined) return held;
    const running = reading.get(name);
    if (running !== undefined) return running;
    const promise = read()
      .then((quotes) => {
        kept.set(name, quotes);
        return quotes;
      })
      .finally(() => reading.delete(name));
    reading.set(name, promise);
    return promise;
  }

  /** One row group at a time, with other requests in between. Columns may be those of an earlier release. */
  async function eachGroup(file: FileRef, take: (quotes: readonly Quote[]) => void): Promise<void> {
    const bytes = await files.bytes(file);
    let taken = 0;
    for (const batch of parquet.batches(null, bytes)) {
      if (taken > restEvery) {
        await clock.sleep(0);
        taken = 0;
      }
      take(batch.rows().map((row) => quoteOf(row as Parameters<typeof quoteOf>[0])));
      taken += batch.count;
    }
  }

  const rows = (file: FileRef) =>
    keptOrRead(file.sha256, async () => {
      const groups: (readonly Quote[])[] = [];
      await eachGroup(file, (quotes) => groups.push(quotes));
      return groups.flat();
    });

  return {
    rows,
    newest: (file) =>
      keptOrRead(`${file.sha256} newest`, async () => {
        const log = new LogQuotes();
        await eachGroup(file, (quotes) => log.addUntil(quotes, null));
        return log.newest();
      }),
    async addUntil(log, file, count, at) {
      if (count <= mostHeld) log.addUntil(await rows(file), at);
      else await eachGroup(file, (quotes) => log.addUntil(quotes, at));
    },
  };
}

/** What a quote and its strings cost, and what a cache entry costs besides them. */
const quoteBytes = 256;
const entryBytes = 512;
/** Rows of the largest file whose rows are kept: more than a segment has. */
const mostHeld = 16_384;
/** Rows decoded without a pause: a few milliseconds. */
const restEvery = 4_096;
