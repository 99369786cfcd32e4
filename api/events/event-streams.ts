// The open event streams: what each follows, how many there are, and when each ends (docs/interface.md#events).
import type { Millis } from '../../core/units.ts';
import { type Refusal, refuse, unavailable } from '../../http/refusal.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import type { Feed } from '../http/feed.ts';
import { EventReader, type HeldGame } from './event-reader.ts';
import { type FollowedHeads, type HeadsOptions, openFollowedHeads } from './followed-heads.ts';
import { type EventDataset, type Moves, movesOf } from './game-heads.ts';

export type EventLimits = {
  /** Streams open at the same time: in total, and per key. */
  eventStreams: number;
  eventStreamsOfKey: number;
  heartbeatMs: Millis;
  /** How long a stream lives: a time between these, so that readers do not all reconnect at once. */
  eventStreamLifeMs: { least: Millis; most: Millis };
  /** How often all followed heads are read again. */
  headsRoundMs: Millis;
};

export type WantedEvents = {
  /** Null: the games of the league. */
  games: readonly HeldGame[] | null;
  league: League | null;
  datasets: readonly EventDataset[];
  /** Whether the key would still be admitted; checked at each heartbeat. */
  keyHolds(): boolean | Promise<boolean>;
};

/** A place among the open streams. It is taken before the heads are read, so that concurrent requests do not share the last one. */
export type EventPlace = {
  /** Opens the stream, which begins with all heads. */
  open(wanted: WantedEvents): Feed;
  /** Releases the place; further calls do nothing. */
  leave(): void;
};

export type EventStreams = {
  heads: Pick<FollowedHeads, 'games' | 'league' | 'openOf'>;
  /** A place for a stream of the key, or why it gets none now. */
  place(keyId: string): EventPlace | Refusal;
  /** How many are open. */
  count(): number;
  /** Ends all streams; no more are opened. */
  end(): void;
  close(): Promise<void>;
};

/** The schedule of an open stream: its last turn, the turn of its heartbeats, and the check of its key. */
type Stay = { lastTurn: number; beatTurn: number; keyHolds: WantedEvents['keyHolds'] };

const everything: Moves = 0xff;
const turnsOfHeartbeat = 15;
/** The fractional parts of its multiples are spread evenly between 0 and 1, however many there are. */
const goldenPart = 0.618_033_988_75;

export function openEventStreams(options: Omit<HeadsOptions, 'roundMs'> & { limits: EventLimits }): EventStreams {
  const { clock, limits } = options;
  const turnMs = limits.heartbeatMs / turnsOfHeartbeat;
  /** The current turn. Turns also end the streams, because a timer per stream would cost memory. */
  let turn = 0;
  const all = new Map<EventReader, Stay>();
  let opened = 0;
  let places = 0;
  const placesOfKeys = new Map<string, number>();
  const ofGames = new Map<HeldGame, Set<EventReader>>();
  const ofLeagues = new Map<League, Set<EventReader>>();
  const closing = new AbortController();
  const heads = openFollowedHeads({
    ...options,
    roundMs: limits.headsRoundMs,
    onMoved(game, moves) {
      for (const reader of ofGames.get(game) ?? []) reader.noteMoves(game, moves);
    },
    onMovedIn(league, game, moves) {
      for (const reader of ofLeagues.get(league) ?? []) reader.noteMoves(game, moves);
    },
    isFollowed: (game) => ofGames.has(game),
    isLeagueFollowed: (league) => ofLeagues.has(league),
  });
  const beating = beat();

  async function beat(): Promise<void> {
    for (; !closing.signal.aborted; turn += 1) {
      await clock.sleep(turnMs, closing.signal);
      for (const [reader, { lastTurn, beatTurn, keyHolds }] of all) {
        if (turn >= lastTurn) reader.end();
        else if (beatTurn === turn % turnsOfHeartbeat) void beatOf(reader, keyHolds);
      }
    }
  }

  async function beatOf(reader: EventReader, keyHolds: WantedEvents['keyHolds']): Promise<void> {
    if (await keyHolds()) reader.beat();
    else reader.end();
  }

  function follow(reader: EventReader, { games, league, keyHolds }: WantedEvents): () => void {
    opened += 1;
    const { least, most } = limits.eventStreamLifeMs;
    const lifeMs = least + (most - least) * ((opened * goldenPart) % 1);
    all.set(reader, { lastTurn: turn + Math.ceil(lifeMs / turnMs), beatTurn: opened % turnsOfHeartbeat, keyHolds });
    for (const game of games ?? []) addTo(ofGames, game, reader);
    if (league !== null) addTo(ofLeagues, league, reader);
    // Games that opened in the league in the meantime were announced only to streams that followed it then.
    for (const game of games ?? (league === null ? [] : heads.openOf(league))) reader.noteMoves(game, everything);
    return () => {
      all.delete(reader);
      for (const game of games ?? []) takeFrom(ofGames, game, reader);
      if (league !== null) takeFrom(ofLeagues, league, reader);
    };
  }

  function open(wanted: WantedEvents, leave: () => void): Feed {
    const reader = new EventReader(movesOf(wanted.datasets));
    const unfollow = follow(reader, wanted);
    // The shutdown may have begun since the place was taken.
    if (closing.signal.aborted) reader.end();
    return {
      take: () => reader.take(),
      whenNews: (wake) => reader.whenNews(wake),
      release() {
        reader.end();
        unfollow();
        leave();
      },
    };
  }

  function takePlace(keyId: string): () => void {
    let isHeld = true;
    places += 1;
    placesOfKeys.set(keyId, (placesOfKeys.get(keyId) ?? 0) + 1);
    return () => {
      if (!isHeld) return;
      isHeld = false;
      places -= 1;
      const left = (placesOfKeys.get(keyId) ?? 1) - 1;
      if (left === 0) placesOfKeys.delete(keyId);
      else placesOfKeys.set(keyId, left);
    };
  }

  return {
    heads,
    place(keyId) {
      if (closing.signal.aborted || places >= limits.eventStreams) {
        return unavailable('As many event streams are open as this instance takes.');
      }
      if ((placesOfKeys.get(keyId) ?? 0) >= limits.eventStreamsOfKey) {
        const detail = `At most ${limits.eventStreamsOfKey} event streams of a key are open at the same time: close one.`;
        return refuse('rate-limited', { detail, headers: ['Retry-After', '10'] });
      }
      const leave = takePlace(keyId);
      return { open: (wanted) => open(wanted, leave), leave };
    },
    count: () => all.size,
    end() {
      closing.abort();
      for (const reader of all.keys()) reader.end();
    },
    async close() {
      await beating;
      await heads.close();
    },
  };
}

function addTo<Key>(sets: Map<Key, Set<EventReader>>, key: Key, reader: EventReader): void {
  const readers = sets.get(key) ?? new Set();
  readers.add(reader);
  sets.set(key, readers);
}

function takeFrom<Key>(sets: Map<Key, Set<EventReader>>, key: Key, reader: EventReader): void {
  const readers = sets.get(key);
  readers?.delete(reader);
  if (readers?.size === 0) sets.delete(key);
}
