// A client that reads games by events, by waiting or by polling, chosen at random; it leaves in the middle of answers
// and streams and starts again. It uses only the documented interface, keeps its rows, and records every answer that a
// client should never get.
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type CanonicalRow, canonicalCells } from '../../../core/msf/canonical-row.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import type { Random } from '../../oracle/random.ts';
import { answeredInTime } from '../http/answered-in-time.ts';
import { openEvents } from '../http/event-client.ts';
import { ownMs } from '../processes/own-time.ts';

export type MixedManner = 'events' | 'wait' | 'poll';
export const mixedManners: readonly MixedManner[] = ['events', 'wait', 'poll'];

/** Counts over all clients of a campaign. */
export class MixedTally {
  readonly violations: string[] = [];
  requests = 0;
  /** How many requests that waited were answered, and the longest time by which an answer exceeded its wait. */
  waits = 0;
  longestOverMs = 0;
  /** The longest time to an answer of a request without a wait: it shows how busy the machine is. */
  longestPlainMs = 0;
  streams = 0;
  events = 0;
  /** Answers and streams that a client left in the middle. */
  left = 0;
  /** Requests answered 5xx or not at all because a program was killed; the client repeats them. */
  unanswered = 0;

  /** The violations, and whether a wait was answered much later than a busy machine explains. */
  met(): string[] {
    const late = `a wait was answered ${this.longestOverMs} ms late, while the slowest request without a wait took ${this.longestPlainMs} ms`;
    return [...this.violations, ...(this.longestOverMs > this.longestPlainMs + mostOverMs ? [late] : [])];
  }
}

export type MixedTools = {
  url: string;
  key: string;
  random: Random;
  tally: MixedTally;
  /** How the client reads once clients stay connected. */
  manner: MixedManner;
  /** The current games. */
  games(): readonly string[];
  /** Whether clients now stay connected and keep their manner. */
  isSteady(): boolean;
};

type Listing = { cursor: string; segments: { rows: number; from_row?: number; url: string }[] };
type Page = { cursor: string; rows: Record<string, unknown>[] };
type Answer = { status: number; headers: IncomingMessage['headers']; bytes: Buffer };
type Followed = { rows: string[]; cursor: string; isFinal: boolean; reading: Promise<void> | null };

/** How much later a wait may be answered than the slowest request without one. */
const mostOverMs = 10_000;
/** An answer for this long after its wait is missing: all programs share one machine. */
const mostSilentMs = 60_000;
/**
 * By the end of these attempts a killed service is back. Rows still missing then are read after the next event, or by
 * the next stream.
 */
const mostTries = 100;

/** A row as text, equal for events, answers and files. */
export function textOfRow(row: object): string {
  return JSON.stringify(canonicalCells(sportsbookLines.columns, row as CanonicalRow));
}

export class MixedClient {
  readonly followed = new Map<string, Followed>();
  readonly #tools: MixedTools;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(tools: MixedTools) {
    this.#tools = tools;
  }

  async readUntil(stopped: AbortSignal): Promise<void> {
    const { random, isSteady, manner } = this.#tools;
    const lives: Readonly<Record<MixedManner, () => Promise<void>>> = {
      events: () => this.#readByEvents(stopped),
      wait: () => this.#readByWaiting(stopped),
      poll: () => this.#poll(random.pick(this.#open())),
    };
    while (!stopped.aborted) {
      if (this.#open().length > 0) await lives[isSteady() ? manner : random.pick(mixedManners)]();
      await delay(20 + random.integer(80));
    }
    this.#agent.destroy();
  }

  #open(): string[] {
    return this.#tools.games().filter((game) => !this.#of(game).isFinal);
  }

  #of(game: string): Followed {
    const followed = this.followed.get(game) ?? { rows: [], cursor: '0:0', isFinal: false, reading: null };
    this.followed.set(game, followed);
    return followed;
  }

  /** Reads the rows that each head announces, until it leaves or the stream ends. */
  async #readByEvents(stopped: AbortSignal): Promise<void> {
    const { url, key, random, tally, isSteady } = this.#tools;
    // A stream of named games does not announce games founded later.
    const isOfLeague = isSteady() || random.chance(0.5);
    const games = isOfLeague ? 'league=MLB' : `games=${this.#open().slice(0, 50).join()}`;
    const path = `/v1/events?${games}&datasets=sportsbook-lines`;
    const stream = await answeredInTime(() => openEvents(url, path, key).catch(() => null));
    if (stream?.status !== 200) {
      tally.unanswered += 1;
      if (stream !== null && stream.status < 500) tally.violations.push(`events: ${stream.status}`);
      stream?.close();
      return;
    }
    tally.streams += 1;
    const leave = () => stream.close();
    stopped.addEventListener('abort', leave);
    const leaving = setTimeout(() => {
      if (isSteady() && isOfLeague) return;
      tally.left += 1;
      leave();
    }, random.integer(4_000));
    // A stream of a league covers only games that are not final: games that became final since the last stream are
    // found by asking.
    if (isOfLeague) for (const game of this.#open()) void this.#look(game);
    let taken = 0;
    try {
      while (!stream.isEnded) {
        const { comments } = stream;
        await stream.until(() => stream.isEnded || stream.events.length > taken || stream.comments > comments);
        for (; taken < stream.events.length; taken += 1) {
          const { event, data } = stream.events[taken] ?? { event: '', data: {} };
          tally.events += 1;
          if (event === 'reset') tally.violations.push(`${data.game_id}: a log that nobody rebuilt is reset`);
          void this.#catchUp(String(data.game_id), event === 'head' ? String(data.cursor) : 'final');
        }
      }
    } finally {
      clearTimeout(leaving);
      stopped.removeEventListener('abort', leave);
    }
  }

  /** Reads once, by an answer. */
  async #look(game: string): Promise<void> {
    for (let tries = 0; tries < mostTries && !(await this.#readRows(game, 0, null)); tries += 1) await delay(100);
  }

  /** Reads up to the position of the event; continues a read that an older event began. */
  async #catchUp(game: string, announced: string): Promise<void> {
    const followed = this.#of(game);
    while (followed.reading !== null) await followed.reading;
    for (let tries = 0; !followed.isFinal && isBehind(followed.cursor, announced) && tries < mostTries; tries += 1) {
      followed.reading = this.#readRows(game, 0, null).then(() => {});
      await followed.reading;
      followed.reading = null;
      if (isBehind(followed.cursor, announced)) await delay(100);
    }
  }

  /** Waits for some games at a time, as a page with several games would; once steady, for all of them. */
  async #readByWaiting(stopped: AbortSignal): Promise<void> {
    const { random, isSteady } = this.#tools;
    const open = this.#open();
    const games = isSteady() ? open : open.filter(() => random.chance(0.4));
    await Promise.all(
      games.map(async (game) => {
        const seconds = 1 + random.integer(3);
        const leaveMs = !isSteady() && random.chance(0.3) ? random.integer(1_500) : null;
        if (stopped.aborted) return;
        if (random.chance(0.5)) await this.#readRows(game, seconds, leaveMs);
        else await this.#readSegments(game, seconds, leaveMs);
      }),
    );
  }

  async #poll(game: string): Promise<void> {
    const { random, isSteady } = this.#tools;
    const leaveMs = !isSteady() && random.chance(0.2) ? random.integer(20) : null;
    if (random.chance(0.5)) await this.#readRows(game, 0, leaveMs);
    else await this.#readSegments(game, 0, leaveMs);
  }

  /** Whether it was answered. */
  async #readRows(game: string, seconds: number, leaveMs: number | null): Promise<boolean> {
    const { cursor } = this.#of(game);
    const limit = this.#tools.random.pick([1, 20, 5_000]);
    const path = `/v1/games/${game}/sportsbook-lines/rows?cursor=${cursor}&limit=${limit}`;
    const answer = await this.#ask(path, seconds, leaveMs);
    if (answer === null) return false;
    const followed = this.#of(game);
    if (!(await this.#isLive(game, path, answer))) return followed.isFinal || followed.rows.length === 0;
    const page = JSON.parse(answer.bytes.toString()) as Page;
    this.#take(
      game,
      cursor,
      page.cursor,
      page.rows.map((row) => JSON.stringify(Object.values(row))),
    );
    return true;
  }

  async #readSegments(game: string, seconds: number, leaveMs: number | null): Promise<void> {
    const { cursor } = this.#of(game);
    const path = `/v1/games/${game}/sportsbook-lines/segments?cursor=${cursor}`;
    const answer = await this.#ask(path, seconds, leaveMs);
    if (answer === null || !(await this.#isLive(game, path, answer))) return;
    const listing = JSON.parse(answer.bytes.toString()) as Listing;
    const rows: string[] = [];
    for (const { url, rows: end, from_row: start = 0 } of listing.segments) {
      const isPart = start > 0 && this.#tools.random.chance(0.5);
      const file = await this.#ask(isPart ? `${url}&from_row=${start}` : url, 0, leaveMs);
      if (file === null || !(await this.#isLive(game, url, file))) return;
      const decoded = parquetWriter.decode(sportsbookLines.name, file.bytes);
      rows.push(...(isPart ? decoded : decoded.slice(start, end)).map(textOfRow));
    }
    this.#take(game, cursor, listing.cursor, rows);
  }

  /** `before`: the cursor of the request. An answer is dropped if another one was taken meanwhile. */
  #take(game: string, before: string, after: string, rows: readonly string[]): void {
    const followed = this.#of(game);
    if (followed.cursor !== before) return;
    followed.rows.push(...rows);
    followed.cursor = after;
  }

  /** Whether the answer is that of a live game. For a final game, the remaining rows are taken from its file. */
  async #isLive(game: string, path: string, { status, bytes }: Answer): Promise<boolean> {
    if (status === 200) return true;
    const { reason } = JSON.parse(bytes.toString()) as { reason?: string };
    if (reason === 'final_available') await this.#takeFinal(game);
    else if (reason !== 'no_live_artifact' || this.#of(game).rows.length > 0)
      this.#tools.tally.violations.push(`${path}: ${status} ${bytes.toString().slice(0, 300)}`);
    return false;
  }

  async #takeFinal(game: string): Promise<void> {
    const path = `/v1/games/${game}/sportsbook-lines`;
    const answer = await this.#ask(path, 0, null);
    const followed = this.#of(game);
    if (answer === null || followed.isFinal) return;
    if (answer.status !== 200) {
      this.#tools.tally.violations.push(`${path}: ${answer.status}`);
      return;
    }
    const rows = parquetWriter.decode(sportsbookLines.name, answer.bytes);
    followed.rows.push(...rows.slice(followed.rows.length).map(textOfRow));
    followed.isFinal = true;
  }

  #ask(path: string, seconds: number, leaveMs: number | null): Promise<Answer | null> {
    return answeredInTime(() => this.#askOnce(path, seconds, leaveMs));
  }

  /** Null: no answer, or the client left. `leaveMs`: when the client leaves, unless the answer is complete by then. */
  #askOnce(path: string, seconds: number, leaveMs: number | null): Promise<Answer | null> {
    const { url, key, tally } = this.#tools;
    tally.requests += 1;
    const headers = { authorization: `Bearer ${key}`, ...(seconds > 0 ? { prefer: `wait=${seconds}` } : {}) };
    const askedAt = ownMs();
    return new Promise((resolve) => {
      const end = (answer: Answer | null): void => {
        clearTimeout(leaving);
        if (answer === null || answer.status >= 500) tally.unanswered += 1;
        resolve(answer === null || answer.status >= 500 ? null : answer);
      };
      const sent = request(new URL(path, url), { agent: this.#agent, headers }, (response) => {
        this.#judgeWait(path, seconds, ownMs() - askedAt, response);
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => end(null));
        response.on('end', () =>
          end({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
        );
      });
      const leave = (): void => {
        tally.left += 1;
        sent.destroy();
      };
      const leaving = leaveMs === null ? undefined : setTimeout(leave, leaveMs);
      sent.setTimeout(seconds * 1_000 + mostSilentMs, () => {
        tally.violations.push(`${path} with wait=${seconds} is not answered`);
        sent.destroy();
      });
      sent.on('error', () => end(null));
      sent.on('close', () => resolve(null));
      sent.end();
    });
  }

  #judgeWait(path: string, seconds: number, ms: number, { statusCode = 0, headers }: IncomingMessage): void {
    const { tally } = this.#tools;
    if (seconds === 0) {
      tally.longestPlainMs = Math.max(tally.longestPlainMs, ms);
      return;
    }
    tally.waits += 1;
    tally.longestOverMs = Math.max(tally.longestOverMs, ms - seconds * 1_000);
    if (statusCode === 200 && headers['preference-applied'] !== `wait=${seconds}`)
      tally.violations.push(`${path}: Preference-Applied is ${headers['preference-applied']}`);
  }
}

/** Whether a reader at `cursor` has fewer rows than the head announced. */
function isBehind(cursor: string, announced: string): boolean {
  if (announced === 'final') return true;
  const numbers = (each: string) => each.split(':').map(Number);
  const [[seq = 0, rows = 0], [announcedSeq = 0, announcedRows = 0]] = [numbers(cursor), numbers(announced)];
  return seq < announcedSeq || (seq === announcedSeq && rows < announcedRows);
}
