// The open streams of events: who follows what, how many there are, and when each ends (docs/interface.md#events).
import type { Millis } from '../../core/units.ts';
import { type Refusal, refuse, unavailable } from '../../http/refusal.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import type { Pieces } from '../http/pieces.ts';
import { EventReader, type HeldGame } from './event-reader.ts';
import { type FollowedHeads, type HeadsOptions, openFollowedHeads } from './followed-heads.ts';
import { type EventDataset, type Moves, movesOf } from './game-heads.ts';

export type EventLimits = {
  /** Streams that are open at the same time: in all, and of one key. */
  eventStreams: number;
  eventStreamsOfKey: number;
  heartbeatMs: Millis;
  /** How long a stream lives: something between these, so that readers do not come back together. */
  eventStreamLifeMs: { least: Millis; most: Millis };
  /** How often all followed heads are read again. */
  headsRoundMs: Millis;
};

export type WantedEvents = { games: readonly HeldGame[]; league: League | null; datasets: readonly EventDataset[] };

export type EventStreams = {
  heads: Pick<FollowedHeads, 'games' | 'league'>;
  /** Why the key may open no stream now; null: it may. */
  refusal(keyId: string): Refusal | null;
  /** Opens a stream, which begins with all heads. */
  open(keyId: string, wanted: WantedEvents): Pieces;
  /** Ends all streams; none is opened after it. */
  end(): void;
  close(): Promise<void>;
};

/** Clients of the browsers' kind come back after so many milliseconds. */
const opening = 'retry: 1000\n\n';
const everything: Moves = 0xff;
const turnsOfHeartbeat = 15;
/** Its multiples, less their whole parts, lie evenly between 0 and 1, however many there are. */
const goldenPart = 0.618_033_988_75;

export function openEventStreams(options: Omit<HeadsOptions, 'roundMs'> & { limits: EventLimits }): EventStreams {
  const { clock, limits } = options;
  /** With the turn in which each has its heartbeat, so that not all have it at once. */
  const all = new Map<EventReader, number>();
  let opened = 0;
  const ofKeys = new Map<string, number>();
  const ofGames = new Map<HeldGame, Set<EventReader>>();
  const ofLeagues = new Map<League, Set<EventReader>>();
  const closing = new AbortController();
  const heads = openFollowedHeads({
    ...options,
    roundMs: limits.headsRoundMs,
    onMoved(game, moves) {
      for (const reader of ofGames.get(game) ?? []) reader.tell(game, moves);
      const { league } = game.heads ?? {};
      if (league !== undefined) for (const reader of ofLeagues.get(league) ?? []) reader.tell(game, moves);
    },
    isFollowed: (game) => ofGames.has(game),
    isLeagueFollowed: (league) => ofLeagues.has(league),
  });
  const beating = beat();

  async function beat(): Promise<void> {
    for (let turn = 0; !closing.signal.aborted; turn += 1) {
      await clock.sleep(limits.heartbeatMs / turnsOfHeartbeat, closing.signal);
      for (const [reader, turnOf] of all) if (turnOf === turn % turnsOfHeartbeat) reader.beat();
    }
  }

  function enter(keyId: string, { games, league, datasets }: WantedEvents): { reader: EventReader; leave: () => void } {
    const reader = new EventReader(movesOf(datasets));
    all.set(reader, opened % turnsOfHeartbeat);
    opened += 1;
    ofKeys.set(keyId, (ofKeys.get(keyId) ?? 0) + 1);
    if (league === null) for (const game of games) addTo(ofGames, game, reader);
    else addTo(ofLeagues, league, reader);
    for (const game of games) reader.tell(game, everything);
    const leave = () => {
      if (!all.delete(reader)) return;
      reader.end();
      const left = (ofKeys.get(keyId) ?? 1) - 1;
      if (left === 0) ofKeys.delete(keyId);
      else ofKeys.set(keyId, left);
      if (league === null) for (const game of games) takeFrom(ofGames, game, reader);
      else takeFrom(ofLeagues, league, reader);
    };
    return { reader, leave };
  }

  return {
    heads,
    refusal(keyId) {
      if (closing.signal.aborted || all.size >= limits.eventStreams) {
        return unavailable('As many event streams are open as this instance takes.');
      }
      if ((ofKeys.get(keyId) ?? 0) < limits.eventStreamsOfKey) return null;
      const detail = `At most ${limits.eventStreamsOfKey} event streams of a key are open at the same time: close one.`;
      return refuse('rate-limited', { detail, headers: ['Retry-After', '10'] });
    },
    open(keyId, wanted) {
      const { reader, leave } = enter(keyId, wanted);
      // The end may have come since it was asked whether there is room.
      if (closing.signal.aborted) reader.end();
      const over = new AbortController();
      const { least, most } = limits.eventStreamLifeMs;
      void clock.sleep(least + (most - least) * ((opened * goldenPart) % 1), over.signal).then(() => reader.end());
      const end = () => {
        leave();
        over.abort();
      };
      return {
        async *pieces() {
          try {
            for (let next: string | null = opening; next !== null; next = await reader.next()) yield Buffer.from(next);
          } finally {
            end();
          }
        },
        cancel: end,
        release: end,
      };
    },
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
