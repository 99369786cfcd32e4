// What is served of each game, in memory — a version of its live log, then its final files —: it moves when the catalog announces it, is
// never older than a few seconds, and never goes back; once final, a game is final for as long as the process lives (decisions.md 14,
// I16). Knows nothing of bytes or answers. Before a route refuses, it asks `latest`, which is the catalog itself.
import { LRUCache } from 'lru-cache';
import type { LogSegment, LogState } from '../core/live/log-state.ts';
import type { Artifact, ArtifactsCatalog, ServedData } from '../core/ports/catalog/artifacts.ts';
import type { LiveCatalog, ServedLog, ServingNotice } from '../core/ports/catalog/live.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Log } from '../core/ports/telemetry.ts';
import type { Micros } from '../core/units.ts';
import { microsPerSecond } from '../core/units.ts';
import { sportsbookLines } from '../schemas/datasets/sportsbook-lines.ts';
import { messageOf, type Reach } from './reach.ts';

/** One committed version of a game's log, as readers ask about it. */
export type LiveVersion = {
  log: ServedLog;
  state: LogState;
  /** Names the version among all games and versions. */
  key: string;
};

export type ServedGame = {
  /** Null: nothing is tracked, or the game is final. */
  live: LiveVersion | null;
  /** Whether the final sportsbook lines have landed, and replace all that was live. */
  final: boolean;
  /** What has landed, by dataset. */
  artifacts: ReadonlyMap<string, Artifact>;
};

type Version = { generation: number; version: number };

type Entry = {
  served: ServedGame | null;
  /** When the read that confirmed it began; -Infinity: nothing is sure. */
  confirmedAt: Micros;
  announced: Version | null;
  /** How often files of the game were announced to have landed. */
  landings: number;
  usedAt: Micros;
  /** After a failed read: no reading ahead before this. */
  retryAt: Micros;
  reading: Promise<void> | null;
  /** The read that begins when the present one ends: for those who came after that one began. */
  following: Promise<void> | null;
};

const rememberedGames = 5_000;
const rememberedFinals = 50_000;
const retryMs = 1_000;
const retryPause = microsPerSecond / 4;

export type Serving = {
  /** What memory may answer with; undefined: nothing, ask `current`. */
  peek(gameUuid: string): ServedGame | undefined;
  /** What is served, from memory where it may answer. */
  current(gameUuid: string): Promise<ServedGame>;
  /** What is served, by a read that begins now. */
  latest(gameUuid: string): Promise<ServedGame>;
  close(): Promise<void>;
};

export function openServing(options: {
  artifacts: Pick<ArtifactsCatalog, 'served'>;
  live: Pick<LiveCatalog, 'watchServing'>;
  reach: Reach;
  clock: Clock;
  log: Log;
  maxAge: Micros;
  /** Told of each version that becomes the served one. */
  onServed(served: LiveVersion): void;
}): Serving {
  const { artifacts, live, reach, clock, log, maxAge } = options;
  const entries = new LRUCache<string, Entry>({ max: rememberedGames });
  /** Final lines that were seen of games, longer than anything else is remembered of them. */
  const finals = new LRUCache<string, Artifact>({ max: rememberedFinals });
  const closing = new AbortController();
  /** How often notices may have been missed. */
  let losses = 0;
  const watching = watch();

  function entryOf(gameUuid: string): Entry {
    const known = entries.get(gameUuid);
    if (known !== undefined) return known;
    const entry: Entry = {
      served: null,
      confirmedAt: Number.NEGATIVE_INFINITY,
      announced: null,
      landings: 0,
      usedAt: clock.now(),
      retryAt: 0,
      reading: null,
      following: null,
    };
    entries.set(gameUuid, entry);
    return entry;
  }

  function isCurrent(entry: Entry, now: Micros): boolean {
    const { served, announced } = entry;
    if (served === null) return false;
    if (announced !== null && !served.final && (served.live === null || isNewer(announced, served.live.log)))
      return false;
    const age = now - entry.confirmedAt;
    return age >= 0 && age < maxAge;
  }

  async function readOnce(gameUuid: string, entry: Entry): Promise<void> {
    const beganAt = clock.now();
    const missedBefore = losses + entry.landings;
    const found = await reach.catalog(() => artifacts.served(gameUuid));
    // What was announced while it was read may not be in it.
    if (losses + entry.landings === missedBefore) entry.confirmedAt = beganAt;
    accept(gameUuid, entry, found);
  }

  /** Takes over what was read, except where memory has more: nothing goes back, whatever the catalog says. */
  function accept(gameUuid: string, entry: Entry, found: ServedData): void {
    const landed = new Map(found.artifacts.map((artifact) => [artifact.dataset, artifact]));
    const lines = landed.get(sportsbookLines.name) ?? finals.get(gameUuid);
    if (lines !== undefined) {
      finals.set(gameUuid, lines);
      entry.served = { live: null, final: true, artifacts: landed.set(sportsbookLines.name, lines) };
      return;
    }
    const held = entry.served?.live ?? null;
    const moved = found.log !== null && (held === null || isNewer(found.log, held.log));
    const version = moved ? liveVersion(found.log as ServedLog) : held;
    entry.served = { live: version, final: false, artifacts: landed };
    if (moved) options.onServed(version as LiveVersion);
  }

  /** A read; joined by whoever comes while it runs. */
  function read(gameUuid: string, entry: Entry): Promise<void> {
    entry.reading ??= readOnce(gameUuid, entry).finally(() => {
      entry.reading = null;
    });
    return entry.reading;
  }

  /** A read that begins no earlier than now. */
  function readAnew(gameUuid: string, entry: Entry): Promise<void> {
    if (entry.reading === null) return read(gameUuid, entry);
    entry.following ??= entry.reading
      .catch(() => {})
      .then(() => {
        entry.following = null;
        return read(gameUuid, entry);
      });
    return entry.following;
  }

  function readAhead(gameUuid: string, entry: Entry, now: Micros): void {
    if (entry.reading !== null || now < entry.retryAt) return;
    read(gameUuid, entry).catch(() => {
      entry.retryAt = now + retryPause;
    });
  }

  async function watch(): Promise<(() => Promise<void>) | null> {
    while (!closing.signal.aborted) {
      try {
        const stop = await live.watchServing({ moved, landed, lost });
        // What was committed before is announced no more.
        lost();
        return stop;
      } catch (error) {
        log.warn('cannot watch what is served', { error: messageOf(error) });
        await clock.sleep(retryMs, closing.signal);
      }
    }
    return null;
  }

  function moved(notice: ServingNotice): void {
    const entry = entries.peek(notice.gameUuid);
    if (entry === undefined) return;
    if (entry.announced === null || isNewer(notice, entry.announced)) entry.announced = notice;
    follow(notice.gameUuid, entry);
  }

  function landed(gameUuid: string): void {
    const entry = entries.peek(gameUuid);
    if (entry === undefined) return;
    entry.landings += 1;
    entry.confirmedAt = Number.NEGATIVE_INFINITY;
    follow(gameUuid, entry);
  }

  /** A game that is being followed is read at once, so that its next reader finds it in memory. */
  function follow(gameUuid: string, entry: Entry): void {
    const now = clock.now();
    if (now - entry.usedAt < maxAge && !isCurrent(entry, now)) readAhead(gameUuid, entry, now);
  }

  function lost(): void {
    losses += 1;
    for (const entry of entries.values()) entry.confirmedAt = Number.NEGATIVE_INFINITY;
  }

  return {
    peek(gameUuid) {
      const entry = entries.get(gameUuid);
      if (entry === undefined) return undefined;
      const now = clock.now();
      entry.usedAt = now;
      if (!isCurrent(entry, now)) return undefined;
      if (now - entry.confirmedAt > maxAge / 2) readAhead(gameUuid, entry, now);
      return entry.served as ServedGame;
    },
    async current(gameUuid) {
      const entry = entryOf(gameUuid);
      entry.usedAt = clock.now();
      if (!isCurrent(entry, entry.usedAt)) await read(gameUuid, entry);
      // A notice that came during the read may speak of something newer than it saw.
      if (!isCurrent(entry, clock.now())) await readAnew(gameUuid, entry);
      return entry.served as ServedGame;
    },
    async latest(gameUuid) {
      const entry = entryOf(gameUuid);
      await readAnew(gameUuid, entry);
      return entry.served as ServedGame;
    },
    async close() {
      closing.abort();
      const stop = await watching;
      await stop?.();
    },
  };
}

function isNewer(a: Version, b: Version): boolean {
  return a.generation > b.generation || (a.generation === b.generation && a.version > b.version);
}

function liveVersion(log: ServedLog): LiveVersion {
  return {
    log,
    state: { generation: log.generation, firstSeq: log.firstSeq, segments: segmentsOf(log) },
    key: `${log.gameUuid}/${log.generation}.${log.version}`,
  };
}

function segmentsOf(log: ServedLog): readonly LogSegment[] {
  const segments: LogSegment[] = log.closed.map(({ seq, rows, min_timestamp, max_timestamp }) => ({
    seq,
    rows,
    closed: true,
    min_timestamp,
    max_timestamp,
  }));
  if (log.tail !== null) {
    const { seq, rows, min_timestamp, max_timestamp } = log.tail;
    segments.push({ seq, rows, closed: false, min_timestamp, max_timestamp });
  }
  return segments;
}
