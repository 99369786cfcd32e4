// Following the log of a game: each row once, in order, until the final rows. The position is what the caller has taken, and nothing else moves
// it: not a listing, not a retry, not a row that was only handed out (docs/clients.md#following).
import { beginning, type Cursor, microsOf, readCursor, textOfCursor } from './cursor.ts';
import { isProblem, NotAsPublished, Problem } from './errors.ts';
import type { SportsbookLinesRow } from './rows.ts';
import type { CursorStore } from './stores.ts';
import type { Transport } from './transport.ts';

/** All that was taken before of this game, or stream, is void: what follows begins anew. */
export class Reset {
  readonly subject: string;
  readonly reason: string;

  constructor(subject: string, reason: string) {
    this.subject = subject;
    this.reason = reason;
  }
}

type Segment = { seq: number; rows: number; url: string };
type Listing = { segments: Segment[]; segments_omitted?: number; cursor: string };

/** A segment that was listed is not there any more. */
class SegmentGone extends Error {}

export class Follower implements AsyncIterableIterator<SportsbookLinesRow | Reset> {
  readonly #transport: Transport;
  readonly #store: CursorStore;
  readonly #game: string;
  readonly #key: string;
  readonly #live: string;
  #items: AsyncGenerator<SportsbookLinesRow | Reset, void>;
  readonly #ended = new AbortController();
  #cursor: Cursor;
  #saved: string;
  /** `row_number` of the live log at the cursor's `seq:rows`: below the row that was taken last within final rows; null while unknown. */
  #liveRow: number | null;
  #fromNow: boolean;
  #listedAt = 0;
  #isLoaded = false;

  constructor(transport: Transport, game: string, since: string | null, store: CursorStore) {
    if (!/^[0-9A-Za-z_-]{1,64}$/.test(game)) throw new RangeError(`not a game's id: ${game}`);
    this.#transport = transport;
    this.#store = store;
    this.#game = game.toUpperCase();
    this.#key = `${this.#game}.sportsbook-lines`;
    this.#live = `/v1/games/${this.#game}/sportsbook-lines/segments`;
    this.#fromNow = since === 'now';
    this.#cursor = since === null || this.#fromNow ? beginning(this.#game) : readCursor(since, this.#game);
    this.#saved = textOfCursor(this.#cursor);
    this.#liveRow = since === null ? 0 : null;
    this.#items = this.#run();
  }

  /** After the rows that were taken. */
  get cursor(): string {
    return textOfCursor(this.#cursor);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<SportsbookLinesRow | Reset, void>> {
    const items = this.#items;
    try {
      return await items.next();
    } catch (error) {
      // A generator that has thrown ends, which would look like the end of the game: asked again, it goes on from its position.
      if (this.#items === items) this.#items = this.#run();
      throw error;
    }
  }

  /** Ends following, also while it waits, and saves the cursor. The row that was handed out last counts as not taken. */
  async return(): Promise<IteratorResult<SportsbookLinesRow | Reset, void>> {
    this.#ended.abort();
    return this.#items.return();
  }

  async *#run(): AsyncGenerator<SportsbookLinesRow | Reset, void> {
    try {
      yield* this.#follow();
    } catch (error) {
      if (!this.#ended.signal.aborted) throw error;
    } finally {
      await this.#save();
    }
  }

  async #save(): Promise<void> {
    if (this.cursor === this.#saved) return;
    await this.#store.save(this.#key, this.cursor);
    this.#saved = this.cursor;
  }

  async *#follow(): AsyncGenerator<SportsbookLinesRow | Reset, void> {
    const held = this.#isLoaded ? null : await this.#store.load(this.#key);
    if (held !== null && held !== undefined) {
      this.#cursor = readCursor(held, this.#game);
      this.#saved = held;
      this.#liveRow = null;
      this.#fromNow = false;
    }
    // Not before: asked again after a cursor that it cannot read, it would begin at the first row and replace that cursor.
    this.#isLoaded = true;
    if (this.#cursor.final) return;
    let trouble = 0;
    let isLost = this.#cursor.row === null || this.#fromNow;
    for (;;) {
      let more = false;
      try {
        if (isLost) yield* this.#findAgain();
        isLost = false;
        more = yield* this.#round();
        trouble = 0;
      } catch (error) {
        trouble += 1;
        if (isProblem(error, 'live-cursor-reset', 'live-segment-behind') || error instanceof SegmentGone) isLost = true;
        else if (!isProblem(error, 'not-found')) throw error;
        else if (error.document.reason === 'final_available') {
          if (yield* this.#final(String(error.document.final), error.document.first_seq)) return;
        } else if (error.document.reason !== 'no_live_artifact') throw error;
        // What comes first once the game is tracked comes after now.
        else this.#fromNow = false;
      }
      // The first trouble is asked about at once; what goes on, or comes back without a row in between, is not asked about in a loop.
      if (more || trouble === 1) continue;
      const { poll, mostPoll } = this.#transport;
      const seconds = Math.max(poll, Math.min(mostPoll, poll * 2 ** Math.min(trouble, 30)));
      await this.#transport.pauseUntil(this.#listedAt + seconds, this.#ended.signal);
    }
  }

  #list(cursor: string | null): Promise<Listing> {
    const path = cursor === null ? this.#live : `${this.#live}?cursor=${cursor}`;
    return this.#transport.json<Listing>(path, ['segments', 'cursor'], this.#ended.signal);
  }

  /** Hands out the rows after the cursor. Whether there are more that were not listed. */
  async *#round(): AsyncGenerator<SportsbookLinesRow | Reset, boolean> {
    this.#listedAt = this.#transport.now();
    const listing = await this.#list(`${this.#cursor.seq}:${this.#cursor.rows}`);
    let handed = false;
    for (const { seq, rows, url } of listing.segments) {
      const start = seq === this.#cursor.seq ? this.#cursor.rows : 0;
      if (seq < this.#cursor.seq || rows <= start) continue;
      const read = await this.#segment(url);
      if (read.length < rows) throw new NotAsPublished(`${url} has ${read.length} rows`);
      handed = true;
      yield* this.#hand(read.slice(start, rows), seq, start);
    }
    return handed && (listing.segments_omitted ?? 0) > 0;
  }

  async #segment(url: string): Promise<SportsbookLinesRow[]> {
    try {
      return await this.#transport.file(url, { signal: this.#ended.signal });
    } catch (error) {
      if (isProblem(error, 'not-found') && error.document.reason === undefined) throw new SegmentGone(url);
      throw error;
    }
  }

  /** Rows that were taken from the final file already, which an instance that is behind still lists, are passed over. */
  async *#hand(
    rows: readonly SportsbookLinesRow[],
    seq: number,
    start: number,
  ): AsyncGenerator<SportsbookLinesRow, void> {
    // The whole batch, before any row of it is handed out.
    let last = Math.min(this.#liveRow ?? Number(rows[0]?.row_number) - 1, this.#cursor.row ?? 0);
    for (const { row_number: number } of rows) {
      if (number !== last + 1)
        throw new NotAsPublished(`${this.#game}: row ${number} of segment ${seq} comes after row ${last}`);
      last = number;
    }
    for (const [at, row] of rows.entries()) {
      const number = row.row_number;
      const place = { seq, rows: start + at + 1 };
      if (number > (this.#cursor.row ?? 0)) {
        yield row;
        this.#took(row, place);
      } else this.#cursor = { ...this.#cursor, ...place };
      this.#liveRow = number;
    }
    await this.#save();
  }

  #took(row: SportsbookLinesRow, place: Partial<Cursor>): void {
    this.#cursor = { ...this.#cursor, ...place, row: Number(row.row_number), time: microsOf(String(row.timestamp)) };
  }

  /** Lists anew. A `seq` is never used twice: where it is listed with enough rows, they are the rows that were taken. */
  async *#findAgain(): AsyncGenerator<Reset, void> {
    this.#listedAt = this.#transport.now();
    const own = this.#cursor;
    let before = 0;
    let page: string | null = null;
    for (let omitted = 1; omitted > 0; ) {
      const listing: Listing = await this.#list(page);
      for (const { seq, rows } of listing.segments) {
        if (seq === own.seq && rows >= own.rows && !this.#fromNow) {
          this.#liveRow = before + own.rows;
          this.#cursor = { ...own, row: own.row ?? this.#liveRow };
          return;
        }
        before += rows;
      }
      page = listing.cursor;
      omitted = listing.segments.length === 0 ? 0 : (listing.segments_omitted ?? 0);
    }
    if (this.#fromNow) {
      const [seq = 0, rows = 0] = (page ?? '0:0').split(':').map(Number);
      this.#cursor = { ...beginning(this.#game), seq, rows, row: before };
      this.#liveRow = before;
      this.#fromNow = false;
    } else if (own.seq > 0 || own.rows > 0) yield* this.#reset('the live log was rebuilt');
  }

  async *#reset(reason: string): AsyncGenerator<Reset, void> {
    yield new Reset(this.#game, reason);
    this.#cursor = beginning(this.#game);
    this.#liveRow = 0;
    await this.#save();
  }

  /** Hands out the rows of the final file after those that were taken; none are paid for where there are none. */
  async *#final(path: string, firstSeq: unknown): AsyncGenerator<SportsbookLinesRow | Reset, boolean> {
    const { signal } = this.#ended;
    const last = await this.#transport.lastRow(path, signal);
    const { seq, row } = this.#cursor;
    // 0 is no segment: such a cursor is of no log, or within the final file already.
    const isOther = seq > 0 && typeof firstSeq === 'number' && seq < firstSeq;
    if (!this.#fromNow && (isOther || last !== row)) {
      let rows: SportsbookLinesRow[];
      try {
        rows = await this.#transport.file(path, { signal });
      } catch (error) {
        // For at most five seconds another instance still serves the game live.
        if (error instanceof Problem && error.type === 'not-final') return false;
        throw error;
      }
      // From the first version no row was removed; a log of which nothing is known may be another one.
      yield* this.#handFinal(rows, isOther, last === null && typeof firstSeq === 'number');
    }
    this.#cursor = { ...this.#cursor, final: true };
    await this.#save();
    return true;
  }

  async *#handFinal(
    rows: readonly SportsbookLinesRow[],
    isOther: boolean,
    mayEndEarlier: boolean,
  ): AsyncGenerator<SportsbookLinesRow | Reset, void> {
    const { row, time } = this.#cursor;
    const known = rows.find(({ row_number: number }) => number === row);
    const differs = known !== undefined && time !== null && microsOf(String(known.timestamp)) !== time;
    const endsEarlier = !mayEndEarlier && Number(rows.at(-1)?.row_number ?? 0) < (row ?? 0);
    if (row === null || isOther || endsEarlier || differs)
      yield* this.#reset('the final file is of a log that was rebuilt');
    const taken = this.#cursor.row ?? 0;
    for (const each of rows) {
      if (Number(each.row_number) <= taken) continue;
      yield each;
      // Until the last row is taken the game is followed from where its live log was left.
      this.#took(each, {});
    }
  }
}
