// Pages of lists. Records are read in batches, each starting after the last record of the previous one: a list that changes meanwhile
// neither repeats nor skips records that did not change, and no database snapshot is held open. A large page is kept as compressed bytes,
// not as records, because its ETag must be known before the first byte is sent and a slow client may take long to read it.
import { createHash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { type Refusal, unavailable } from '../../http/refusal.ts';
import { defaultPageSize } from '../../schemas/http/parameters.ts';
import type { Deadlines } from '../dependencies/deadlines.ts';
import { openSemaphore, QueueFull } from '../dependencies/semaphore.ts';
import { bodyOfText, type Representation, represent } from '../http/answer.ts';
import { cachePolicies } from '../http/caching.ts';
import { etagOfSha256 } from '../http/etag.ts';
import type { Filters, PageCursors } from './page-cursor.ts';

/** The values of a list's sort key at one of its records. */
export type PagePosition = readonly string[];

type List<Item> = {
  /** The route; cursors are bound to it. */
  name: string;
  filters: Filters;
  /** The first `limit` records after a position, in the order of the list. */
  read(after: PagePosition | null, limit: number): Promise<readonly Item[]>;
  positionOf(item: Item): PagePosition;
  show(item: Item): unknown;
};

type PageQuery = { limit?: number | undefined; cursor?: string | undefined };

export type Pages = {
  /** The position of a valid cursor; null: the beginning. */
  positionOf(name: string, filters: Filters, cursor: string | undefined): PagePosition | null;
  /** The cursor of a position, for lists that make their pages themselves. */
  cursorAt(name: string, filters: Filters, position: PagePosition): string;
  /** The fault of a cursor, or null. */
  faultOfCursor(name: string, filters: Filters, cursor: string | undefined): string | null;
  page<Item>(list: List<Item>, query: PageQuery): Promise<Representation | Refusal>;
};

/** Records in memory at a time, per page being made. */
const batchSize = 500;
/** Larger pages wait for their turn. */
const freePageSize = defaultPageSize;
/** Up to this many characters a page is kept as a string; also the size of a compressed piece. */
const shortBody = 64 * 1024;

export function openPages(options: {
  cursors: PageCursors;
  deadlines: Deadlines;
  /** Large pages made at once. */
  atOnce: number;
  /** Compressed bytes of cached pages, shared by readers of the same page. */
  memoryBytes: number;
}): Pages {
  const { cursors, deadlines } = options;
  const semaphore = openSemaphore({ atOnce: options.atOnce, maxWaiting: 4 * options.atOnce });
  // By content, not by query: the same bytes are kept once, however many readers they are sent to.
  const held = new LRUCache<string, Held>({ maxSize: options.memoryBytes, sizeCalculation: (page) => page.heldBytes });

  async function make<Item>(list: List<Item>, after: PagePosition | null, limit: number): Promise<Representation> {
    const bytes = new PageBytes();
    bytes.add('{"data":[');
    let position = after;
    let left = limit;
    let more = true;
    let separator = '';
    while (more && left > 0) {
      const from = position;
      // One more than is shown, to find out whether there is another.
      const wanted = Math.min(batchSize, left) + 1;
      const found = await deadlines.catalog(() => list.read(from, wanted));
      more = found.length === wanted;
      const shown = found.slice(0, wanted - 1);
      for (const item of shown) {
        bytes.add(separator + JSON.stringify(list.show(item)));
        separator = ',';
      }
      left -= shown.length;
      const last = shown.at(-1);
      if (last !== undefined) position = list.positionOf(last);
    }
    const next = more && position !== null ? cursors.issue(list.name, list.filters, position) : null;
    bytes.add(`],"next_cursor":${JSON.stringify(next)}}\n`);
    return represented(bytes.end());
  }

  function represented({ sha256, page }: { sha256: string; page: Held }): Representation {
    const shared = page.text === null ? (held.get(sha256) ?? page) : page;
    if (page.text === null) held.set(sha256, shared);
    return represent({
      etag: etagOfSha256(sha256),
      size: shared.size,
      mediaType: 'application/json',
      cacheControl: cachePolicies.revalidated,
      keyed: true,
      rows: null,
      body: () => (shared.text === null ? { pieces: () => inflated(shared.pieces) } : bodyOfText(shared.text)),
    });
  }

  function positionOf(name: string, filters: Filters, cursor: string | undefined): PagePosition | null {
    return cursor === undefined ? null : cursors.read(name, filters, cursor);
  }

  return {
    positionOf,
    cursorAt: cursors.issue,
    faultOfCursor: (name, filters, cursor) =>
      cursor === undefined || cursors.read(name, filters, cursor) !== null
        ? null
        : 'cursor is not one that this list returned for these filters',
    async page(list, query) {
      const after = positionOf(list.name, list.filters, query.cursor);
      const limit = query.limit ?? defaultPageSize;
      if (limit <= freePageSize) return make(list, after, limit);
      try {
        return await semaphore(() => make(list, after, limit));
      } catch (error) {
        if (error instanceof QueueFull)
          return unavailable('Too many large pages are being made; ask again, or for smaller ones.');
        throw error;
      }
    },
  };
}

/** A cached page: a short one as a string, a long one as compressed pieces. */
type Held = { size: number; text: string | null; pieces: readonly Uint8Array[]; heldBytes: number };

/** The bytes of a page being made. */
class PageBytes {
  readonly #hash = createHash('sha256');
  readonly #pieces: Uint8Array[] = [];
  #text = '';
  #size = 0;

  add(text: string): void {
    this.#text += text;
    if (this.#text.length > shortBody) this.#compress();
  }

  end(): { sha256: string; page: Held } {
    if (this.#pieces.length > 0) this.#compress();
    else this.#hash.update(this.#text);
    const text = this.#pieces.length > 0 ? null : this.#text;
    return {
      sha256: this.#hash.digest('hex'),
      page: {
        size: text === null ? this.#size : Buffer.byteLength(text),
        text,
        pieces: this.#pieces,
        heldBytes: this.#pieces.reduce((sum, piece) => sum + piece.length, 1),
      },
    };
  }

  #compress(): void {
    const bytes = Buffer.from(this.#text, 'utf8');
    this.#text = '';
    this.#size += bytes.length;
    this.#hash.update(bytes);
    this.#pieces.push(zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }));
  }
}

function* inflated(pieces: readonly Uint8Array[]): Iterable<Uint8Array> {
  for (const piece of pieces) yield zstdDecompressSync(piece);
}
