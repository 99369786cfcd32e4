// A cache of catalog records that follows the catalog's notices: an entry is read again when the catalog announces a change, is never older
// than a few seconds, and never goes back to an older state (docs/interface.md#what-an-instance-remembers). Independent of the kind of
// records. Before a route refuses, it calls `latest`, which reads the catalog itself.
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { type Micros, microsPerSecond } from '../../core/units.ts';
import { messageOf } from '../dependencies/deadlines.ts';

export type Followed<Value> = {
  /** The value in memory, if it may answer; undefined: call `current`. */
  peek(name: string): Value | undefined;
  /** The current value, from memory if it may answer. */
  current(name: string): Promise<Value>;
  /** The current value, from a read that begins now. */
  latest(name: string): Promise<Value>;
  /** Calls `moved` after each read of the record, until the returned function is called. Meanwhile it is read at each notice. */
  watch(name: string, moved: () => void): () => void;
  close(): Promise<void>;
};

type Notices<Notice> = {
  /** The record has changed to what the notice says. Returns whether it is being read, because an older one is in memory. */
  moved(name: string, notice: Notice): boolean;
  /** The record has changed; the notice does not say to what. */
  changed(name: string): void;
  /** Notices may have been missed: any record may have changed. */
  lost(): void;
};

type FollowedOptions<Value, Found, Notice> = {
  /** The name of the records in log lines. */
  subject: string;
  /** @throws Unavailable */
  read(name: string): Promise<Found>;
  /** The value to keep after a read that found `found`; it never goes back, whatever the catalog returns. */
  take(name: string, held: Value | null, found: Found): Value;
  /** Whether memory lacks what was announced. */
  lacks(held: Value, notice: Notice): boolean;
  isNewer(notice: Notice, than: Notice): boolean;
  watch(notices: Notices<Notice>): Promise<() => Promise<void>>;
  clock: Clock;
  log: Log;
  maxAge: Micros;
  /** How many entries are kept. */
  most: number;
};

type Entry<Value, Notice> = {
  value: Value | null;
  /** When the read that confirmed it began; -Infinity: unconfirmed. */
  confirmedAt: Micros;
  announced: Notice | null;
  /** How many notices reported a change without its content. */
  changes: number;
  usedAt: Micros;
  /** After a failed read: no refresh in advance before this time. */
  retryAt: Micros;
  reading: Promise<void> | null;
  /** The read that begins when the present one ends, for callers that came after that one began. */
  following: Promise<void> | null;
  /** Called after each read; while there are any, the entry is kept and kept up to date. */
  readonly watchers: Set<() => void>;
  isKeptUp: boolean;
};

const watchAgainMs = 1_000;
const retryPause = microsPerSecond / 4;
const retryPauseMs = 250;
/** How often watched entries are checked for their age. */
const lookEveryMs = 1_000;

export function openFollowed<Value extends object, Found, Notice>(
  options: FollowedOptions<Value, Found, Notice>,
): Followed<Value> {
  const { clock, log, maxAge } = options;
  const entries = new LRUCache<string, Entry<Value, Notice>>({ max: options.most });
  const closing = new AbortController();
  /** Watched entries, which are kept however full the cache is. */
  const watched = new Map<string, Entry<Value, Notice>>();
  let isLooking = false;
  /** How often notices may have been missed. */
  let losses = 0;
  const watching = watch();

  function entryOf(name: string): Entry<Value, Notice> {
    const known = entries.get(name);
    if (known !== undefined) return known;
    const entry: Entry<Value, Notice> = watched.get(name) ?? {
      value: null,
      confirmedAt: Number.NEGATIVE_INFINITY,
      announced: null,
      changes: 0,
      usedAt: clock.now(),
      retryAt: 0,
      reading: null,
      following: null,
      watchers: new Set(),
      isKeptUp: false,
    };
    entries.set(name, entry);
    return entry;
  }

  function isCurrent({ value, announced, confirmedAt }: Entry<Value, Notice>, now: Micros): boolean {
    if (value === null || (announced !== null && options.lacks(value, announced))) return false;
    const age = now - confirmedAt;
    return age >= 0 && age < maxAge;
  }

  async function readOnce(name: string, entry: Entry<Value, Notice>): Promise<void> {
    const beganAt = clock.now();
    const missedBefore = losses + entry.changes;
    const found = await options.read(name);
    // A change during the read may be missing from its result.
    if (losses + entry.changes === missedBefore) entry.confirmedAt = beganAt;
    entry.value = options.take(name, entry.value, found);
    for (const moved of [...entry.watchers]) moved();
  }

  /** A read; callers during it share it. */
  function read(name: string, entry: Entry<Value, Notice>): Promise<void> {
    entry.reading ??= readOnce(name, entry).finally(() => {
      entry.reading = null;
    });
    return entry.reading;
  }

  /** A read that begins no earlier than now. */
  function readAnew(name: string, entry: Entry<Value, Notice>): Promise<void> {
    if (entry.reading === null) return read(name, entry);
    entry.following ??= entry.reading
      .catch(() => {})
      .then(() => {
        entry.following = null;
        return read(name, entry);
      });
    return entry.following;
  }

  function readAhead(name: string, entry: Entry<Value, Notice>, now: Micros): void {
    if (entry.reading !== null || now < entry.retryAt) return;
    read(name, entry).catch(() => {
      entry.retryAt = now + retryPause;
    });
  }

  async function watch(): Promise<(() => Promise<void>) | null> {
    while (!closing.signal.aborted) {
      try {
        const stop = await options.watch({ moved, changed, lost });
        // A change committed before the watch began is not announced.
        lost();
        return stop;
      } catch (error) {
        log.warn(`cannot watch ${options.subject}`, { error: messageOf(error) });
        await clock.sleep(watchAgainMs, closing.signal);
      }
    }
    return null;
  }

  function moved(name: string, notice: Notice): boolean {
    const entry = entries.peek(name) ?? watched.get(name);
    if (entry === undefined) return false;
    if (entry.announced === null || options.isNewer(notice, entry.announced)) entry.announced = notice;
    follow(name, entry);
    return entry.reading !== null || entry.following !== null;
  }

  function changed(name: string): void {
    const entry = entries.peek(name) ?? watched.get(name);
    if (entry === undefined) return;
    entry.changes += 1;
    entry.confirmedAt = Number.NEGATIVE_INFINITY;
    follow(name, entry);
  }

  /** Reads a recently used entry at once, so that its next reader finds it in memory. */
  function follow(name: string, entry: Entry<Value, Notice>): void {
    const now = clock.now();
    if (entry.watchers.size > 0) void keepUp(name, entry);
    else if (now - entry.usedAt < maxAge && !isCurrent(entry, now)) readAhead(name, entry, now);
  }

  /** Reads a watched entry until memory has what was announced. */
  async function keepUp(name: string, entry: Entry<Value, Notice>): Promise<void> {
    if (entry.isKeptUp) return;
    entry.isKeptUp = true;
    const isBehind = () => entry.watchers.size > 0 && !closing.signal.aborted && !isCurrent(entry, clock.now());
    for (let reads = 0; isBehind(); reads += 1) {
      // If the catalog lacks what it announced, as after a restore, repeated reads are spaced out.
      if (reads > 1) await clock.sleep(retryPauseMs, closing.signal);
      await readAnew(name, entry).catch(() => clock.sleep(retryPauseMs, closing.signal));
    }
    entry.isKeptUp = false;
  }

  /** Refreshes watched entries that have grown too old. */
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    while (watched.size > 0 && !closing.signal.aborted) {
      await clock.sleep(lookEveryMs, closing.signal);
      for (const [name, entry] of watched) void keepUp(name, entry);
    }
    isLooking = false;
  }

  function lost(): void {
    losses += 1;
    for (const entry of entries.values()) entry.confirmedAt = Number.NEGATIVE_INFINITY;
    for (const [name, entry] of watched) {
      entry.confirmedAt = Number.NEGATIVE_INFINITY;
      void keepUp(name, entry);
    }
  }

  return {
    peek(name) {
      const entry = entries.get(name) ?? watched.get(name);
      if (entry === undefined) return undefined;
      const now = clock.now();
      entry.usedAt = now;
      if (!isCurrent(entry, now)) return undefined;
      if (now - entry.confirmedAt > maxAge / 2) readAhead(name, entry, now);
      return entry.value as Value;
    },
    async current(name) {
      const entry = entryOf(name);
      entry.usedAt = clock.now();
      if (!isCurrent(entry, entry.usedAt)) await read(name, entry);
      // A notice during the read may announce something newer than the read saw.
      if (!isCurrent(entry, clock.now())) await readAnew(name, entry);
      return entry.value as Value;
    },
    async latest(name) {
      const entry = entryOf(name);
      await readAnew(name, entry);
      return entry.value as Value;
    },
    watch(name, moved) {
      const entry = entryOf(name);
      entry.watchers.add(moved);
      watched.set(name, entry);
      void keepUp(name, entry);
      void look();
      return () => {
        entry.watchers.delete(moved);
        if (entry.watchers.size === 0) watched.delete(name);
      };
    },
    async close() {
      closing.abort();
      const stop = await watching;
      await stop?.();
    },
  };
}
