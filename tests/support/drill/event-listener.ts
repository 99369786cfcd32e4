// Listens to the event streams of both APIs during a drill: of a league's quotes, and of the games of MSF. It opens a
// stream again whenever it ends, and holds what the newest stream has said, as a client would. Within a stream a head may
// go back only behind a `reset`.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { LiveManifest } from '../../../schemas/http/live.ts';
import type { SnapshotManifest } from '../../../schemas/http/msf.ts';
import { type Api, getJson } from '../editions/published-game.ts';
import { type EventClient, openEvents, type ReadEvent } from '../http/event-client.ts';
import { until } from '../services/until.ts';

export type EventListener = {
  /** What no client should ever be told. */
  readonly violations: string[];
  readonly counts: { streams: number; events: number };
  /** What was reset, as `<game>/<dataset>`. */
  readonly resets: ReadonlySet<string>;
  /** The newest head of `<game>/<dataset>` that the API has sent. */
  head(api: string, name: string): Head | undefined;
  stop(): Promise<void>;
};

/** The members of a head that say how far its dataset has come. */
type Head = {
  cursor: string;
  rows?: number;
  stream_epoch?: string;
  revision?: number;
};

type Heads = Map<string, Head>;

const openAgainMs = 500;

export function startEventListener(apis: readonly string[], apiKey: string, games: readonly string[]): EventListener {
  const stopped = new AbortController();
  const violations: string[] = [];
  const counts = { streams: 0, events: 0 };
  const resets = new Set<string>();
  const queries = ['league=MLB&datasets=sportsbook-lines', `games=${games.join()}`];
  /** By API and query: what the newest stream has said. */
  const held = new Map<string, Heads>();

  async function listen(api: string, query: string): Promise<void> {
    while (!stopped.signal.aborted) {
      const stream = await openEvents(api, `/v1/events?${query}`, apiKey).catch(() => null);
      if (stream?.status === 200) {
        counts.streams += 1;
        // Heads are absolute: those of an older stream are of no use.
        const heads: Heads = new Map();
        held.set(`${api} ${query}`, heads);
        await hear(stream, heads);
      } else if (stream !== null && stream.status !== 503) {
        violations.push(`events of ${query}: ${stream.status}`);
      }
      stream?.close();
      await delay(openAgainMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  }

  /** Takes what the stream says until it ends. */
  async function hear(stream: EventClient, heads: Heads): Promise<void> {
    const close = () => stream.close();
    stopped.signal.addEventListener('abort', close);
    for (let taken = 0; !stream.isEnded; ) {
      const { comments } = stream;
      // Comments come every 15 seconds; an instance that says nothing is left, and asked again.
      const isSilent = await stream
        .until(() => stream.isEnded || stream.events.length > taken || stream.comments > comments)
        .then(() => false)
        .catch(() => true);
      if (isSilent) break;
      for (; taken < stream.events.length; taken += 1) take(stream.events[taken] as ReadEvent, heads);
    }
    stopped.signal.removeEventListener('abort', close);
  }

  function take({ event, data }: ReadEvent, heads: Heads): void {
    const name = `${data.game_id}/${data.dataset}`;
    counts.events += 1;
    if (event === 'reset') {
      resets.add(name);
      heads.delete(name);
      return;
    }
    if (event !== 'head') {
      violations.push(`${name} is ${event}: nothing has closed it`);
      return;
    }
    const head = data as Head;
    const before = heads.get(name);
    if (before !== undefined && goesBack(before, head))
      violations.push(`${name} went from ${JSON.stringify(before)} to ${JSON.stringify(head)} without a reset`);
    heads.set(name, head);
  }

  const done = Promise.all(apis.flatMap((api) => queries.map((query) => listen(api, query))));
  done.catch((error: unknown) => violations.push(String(error)));
  return {
    violations,
    counts,
    resets,
    head: (api, name) =>
      queries.map((query) => held.get(`${api} ${query}`)?.get(name)).find((head) => head !== undefined),
    async stop() {
      stopped.abort();
      await done;
    },
  };
}

/** Whether `after` says less than `before`, or speaks of another epoch. */
function goesBack(before: Head, after: Head): boolean {
  if (before.stream_epoch !== after.stream_epoch) return true;
  const numbers = ({ cursor, revision }: Head) => (revision === undefined ? cursor.split(':').map(Number) : [revision]);
  const [[seq = 0, rows = 0], [seqAfter = 0, rowsAfter = 0]] = [numbers(before), numbers(after)];
  return seqAfter < seq || (seqAfter === seq && rowsAfter < rows);
}

type Judged = {
  apis: readonly Api[];
  /** The games that have quotes. */
  games: readonly string[];
  /** The MSF datasets of games, as `<game>/<dataset>`, and those of them whose epoch has ended. */
  streams: readonly string[];
  ended: readonly string[];
};

/**
 * Asserts that the streams of each API come to say what it serves, and that nothing was reset but what an administrator
 * has. Answers how many heads that are. Nothing may be written meanwhile.
 */
export async function judgeEvents(listener: EventListener, judged: Judged): Promise<number> {
  const { apis, games, streams, ended } = judged;
  const rebuilt = new Set<string>();
  for (const api of apis) {
    for (const game of games) if (await judgeHeadOfLog(listener, api, game)) rebuilt.add(`${game}/sportsbook-lines`);
    for (const name of streams) await judgeHeadOfStream(listener, api, name);
  }
  const unordered = [...listener.resets].filter((name) => !rebuilt.has(name) && !ended.includes(name));
  assert.deepEqual(unordered, [], 'what was reset, and nobody has ordered it');
  assert.deepEqual(listener.violations, [], 'what the listener met');
  return apis.length * (games.length + streams.length);
}

/** Answers whether the log was rebuilt. */
async function judgeHeadOfLog(listener: EventListener, api: Api, game: string): Promise<boolean> {
  const listed = (await getJson(api, `/v1/games/${game}/sportsbook-lines/segments`)) as LiveManifest;
  const rowsListed = listed.segments.reduce((sum, segment) => sum + segment.rows, 0);
  await until(`a stream says what is listed of ${game}`, () => {
    const { cursor, rows } = listener.head(api.apiUrl, `${game}/sportsbook-lines`) ?? {};
    assert.deepEqual({ cursor, rows }, { cursor: listed.cursor, rows: rowsListed });
    return true;
  });
  return listed.segments[0]?.seq !== 1;
}

async function judgeHeadOfStream(listener: EventListener, api: Api, name: string): Promise<void> {
  const manifest = (await getJson(api, `/v1/games/${name}/snapshot`)) as SnapshotManifest;
  await until(`a stream says what is listed of ${name}`, () => {
    const { stream_epoch, revision } = listener.head(api.apiUrl, name) ?? {};
    assert.deepEqual({ stream_epoch, revision }, { stream_epoch: manifest.stream_epoch, revision: manifest.revision });
    return true;
  });
}
