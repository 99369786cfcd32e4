// A client that uses only the documented interface: it lists games, follows each from the cursor `0:0`, reads every
// listed file and keeps the rows. It records every answer that a client should never get, and repeats requests without
// an answer.

import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import type { Api } from '../editions/published-game.ts';
import { answeredInTime } from '../http/answered-in-time.ts';

export type FollowedRow = Readonly<Record<string, unknown>>;

export type Follower = {
  rows: Map<string, FollowedRow[]>;
  polls: number;
  /** Requests answered 5xx or not at all: allowed in an outage; the client repeats them. */
  unanswered: number;
  violations: string[];
  /** Stops its rounds and reads every game until nothing is new. Two rounds at once would count a row twice. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
};

type Listing = { cursor: string; segments: { seq: number; rows: number; from_row?: number; url: string }[] };

/** `listGames`: the public ids of the games to follow (default: the first thousand). */
export function startFollower(
  api: Api,
  pauseMs = 100,
  listGames: (() => Promise<readonly string[]>) | null = null,
): Follower {
  const stopped = new AbortController();
  const cursors = new Map<string, string>();
  const follower: Follower = {
    rows: new Map(),
    polls: 0,
    unanswered: 0,
    violations: [],
    async catchUp() {
      await follower.stop();
      let quietRounds = 0;
      while (quietRounds < 2) quietRounds = (await round(0)) ? 0 : quietRounds + 1;
    },
    async stop() {
      stopped.abort();
      await done;
    },
  };

  async function get(path: string): Promise<Response | null> {
    follower.polls += 1;
    const headers = { authorization: `Bearer ${api.apiKey}` };
    const ask = () => fetch(api.apiUrl + path, { headers, signal: AbortSignal.timeout(20_000) }).catch(() => null);
    const response = await answeredInTime(ask);
    if (response === null || response.status >= 500) {
      await response?.arrayBuffer().catch(() => {});
      follower.unanswered += 1;
      return null;
    }
    return response;
  }

  /** Whether there was anything new. */
  async function follow(game: string): Promise<boolean> {
    const cursor = cursors.get(game) ?? '0:0';
    const response = await get(`/v1/games/${game}/sportsbook-lines/segments?cursor=${cursor}`);
    if (response === null) return true;
    if (response.status === 404) return false;
    if (response.status !== 200) {
      follower.violations.push(`${game} after ${cursor}: ${response.status} ${await response.text()}`);
      return false;
    }
    const listing = (await response.json()) as Listing;
    const fresh: FollowedRow[] = [];
    for (const segment of listing.segments) {
      const rows = await file(segment.url);
      if (rows === null) return true;
      fresh.push(...rows.slice(segment.from_row ?? 0, segment.rows));
    }
    const known = follower.rows.get(game) ?? [];
    for (const row of fresh) {
      known.push(row);
      if (row.row_number !== known.length)
        follower.violations.push(
          `${game} after ${cursor}: row ${String(row.row_number)} came as number ${known.length}`,
        );
    }
    follower.rows.set(game, known);
    cursors.set(game, listing.cursor);
    return listing.cursor !== cursor;
  }

  async function file(url: string): Promise<readonly FollowedRow[] | null> {
    const response = await get(url);
    if (response === null) return null;
    const bytes = new Uint8Array(await response.arrayBuffer());
    // The game may have become final since the listing; then it has no live content.
    if (response.status === 404 && Buffer.from(bytes).includes('"final_available"')) return null;
    if (response.status !== 200) {
      follower.violations.push(`${url}: ${response.status} ${Buffer.from(bytes).toString()}`);
      return null;
    }
    const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
    if (response.headers.get('etag') !== etag) follower.violations.push(`${url}: the ETag is not of these bytes`);
    const rows = parquetWriter.decode('sportsbook-lines', bytes);
    if (response.headers.get('x-service-rowcount') !== String(rows.length))
      follower.violations.push(`${url}: ${response.headers.get('x-service-rowcount')} rows said, ${rows.length} there`);
    return rows;
  }

  async function listed(): Promise<readonly string[] | null> {
    const response = await get('/v1/games?limit=1000');
    if (response?.status !== 200) return null;
    const { data } = (await response.json()) as { data: { id: string }[] };
    return data.map(({ id }) => id);
  }

  async function round(pause: number): Promise<boolean> {
    const ids = await (listGames ?? listed)();
    if (ids === null) return true;
    let moved = false;
    for (const id of ids) {
      moved = (await follow(id)) || moved;
      if (pause > 0 && stopped.signal.aborted) break;
      if (pause > 0) await delay(pause, undefined, { signal: stopped.signal }).catch(() => {});
    }
    return moved;
  }

  const done = (async () => {
    while (!stopped.signal.aborted) {
      await round(pauseMs).catch((error: unknown) => follower.violations.push(`follower: ${String(error)}`));
      await delay(pauseMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  })();
  return follower;
}
