// The heads of all followed games, in memory. The catalog's notices say which games changed; one query at a time reads them all, so the
// cost does not depend on the number of followers. Every few seconds all heads are read again, 500 per query, because a notice may be lost.
// Nothing cheaper could show that nothing has changed: a sequence is raised before its commit is visible, and commits would wait for each
// other if all updated one row. Heads never go back.
import type { GameHeads, HeadsCatalog } from '../../core/ports/catalog/heads.ts';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { MsfCatalog } from '../../core/ports/catalog/msf.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import { type Deadlines, messageOf } from '../dependencies/deadlines.ts';
import type { HeldGame } from './event-reader.ts';
import { type Moves, movedBetween, newerOf } from './game-heads.ts';

export type FollowedHeads = {
  /** These games, kept up to date from now on. @throws Unavailable */
  games(gameUuids: readonly string[]): Promise<readonly HeldGame[]>;
  /** Keeps the open games of the league up to date from now on; games that open later count as moved in it. @throws Unavailable */
  league(league: League): Promise<void>;
  /** The games of a followed league's streams: those that the catalog found open, or final a moment ago. */
  openOf(league: League): readonly HeldGame[];
  close(): Promise<void>;
};

/** A follower of games and leagues; it is notified of each change. */
export type HeadsFollowers = {
  onMoved(game: HeldGame, moves: Moves): void;
  /** A game of the league's streams moved, or became one of them. */
  onMovedIn(league: League, game: HeldGame, moves: Moves): void;
  isFollowed(game: HeldGame): boolean;
  isLeagueFollowed(league: League): boolean;
};

type Held = HeldGame & { usedAt: number };
/**
 * `listed`: the games of the league's streams, as the catalog last found them. It alone decides what these streams show: other games of the league
 * may be held because a stream names them, and may be older than every reader of the league may see.
 */
type FollowedLeague = { usedAt: number; listed: ReadonlySet<string>; found: Promise<void> };

const gamesPerQuery = 500;
const retryPauseMs = 250;
/** How long a game or league is kept up to date after it was last requested or followed. */
const keptRounds = 12;

export type HeadsOptions = {
  heads: HeadsCatalog;
  live: Pick<LiveCatalog, 'watchServing'>;
  msf: Pick<MsfCatalog, 'watch'> | null;
  deadlines: Deadlines;
  clock: Clock;
  log: Log;
  /** How often everything is read again. */
  roundMs: Millis;
};

export function openFollowedHeads(options: HeadsOptions & HeadsFollowers): FollowedHeads {
  const { heads, live, msf, deadlines, clock, log, onMoved, onMovedIn } = options;
  const held = new Map<string, Held>();
  const leagues = new Map<League, FollowedLeague>();
  const dirty = new Set<string>();
  const closing = new AbortController();
  let round = 0;
  let reading: Promise<void> | null = null;
  let isSearchDue = false;
  const watching = watch();
  const going = goRound();

  function hold(gameUuid: string): Held {
    const game = held.get(gameUuid) ?? { heads: null, usedAt: round };
    held.set(gameUuid, game);
    game.usedAt = round;
    return game;
  }

  function apply(found: GameHeads): void {
    const game = held.get(found.gameUuid);
    if (game === undefined) return;
    const moves = movedBetween(game.heads, found);
    game.heads = newerOf(game.heads, found);
    if (moves === 0) return;
    onMoved(game, moves);
    const { league } = found;
    if (isListed(game)) onMovedIn(league, game, moves);
    // It may have become one of the league's games just now.
    else if (leagues.has(league)) isSearchDue = true;
  }

  function isListed({ heads }: HeldGame): boolean {
    return heads !== null && leagues.get(heads.league)?.listed.has(heads.gameUuid) === true;
  }

  async function read(gameUuids: readonly string[]): Promise<void> {
    for (let from = 0; from < gameUuids.length; from += gamesPerQuery) {
      const part = gameUuids.slice(from, from + gamesPerQuery);
      for (const found of await deadlines.catalog(() => heads.heads(part))) apply(found);
    }
  }

  function moved(gameUuid: string): void {
    if (held.has(gameUuid)) {
      dirty.add(gameUuid);
      reading ??= readDirty();
    } else isSearchDue = true;
  }

  /** Reads what has changed, and what changes meanwhile, one query at a time. */
  async function readDirty(): Promise<void> {
    // Lets the other games of the same notice join.
    await null;
    while (dirty.size > 0 && !closing.signal.aborted) {
      const taken = [...dirty];
      dirty.clear();
      try {
        await read(taken);
      } catch {
        for (const gameUuid of taken) dirty.add(gameUuid);
        await clock.sleep(retryPauseMs, closing.signal);
      }
    }
    reading = null;
  }

  function lost(): void {
    for (const gameUuid of held.keys()) moved(gameUuid);
  }

  /** Finds the games of the league's streams; reads those not known yet, and tells of others that it gets. */
  async function search(league: League): Promise<void> {
    const open = new Set(await deadlines.catalog(() => heads.openGames(league)));
    const followed = leagues.get(league);
    if (followed === undefined) return;
    // Its streams are still to have the last move of a game that leaves them: that it is final.
    await read([...followed.listed.difference(open)]);
    const entered = open.difference(followed.listed);
    followed.listed = open;
    const fresh: string[] = [];
    for (const gameUuid of open) {
      const game = hold(gameUuid);
      if (game.heads === null) fresh.push(gameUuid);
      else if (entered.has(gameUuid)) onMovedIn(league, game, movedBetween(null, game.heads));
    }
    await read(fresh);
  }

  async function goRound(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(options.roundMs, closing.signal);
      if (closing.signal.aborted) return;
      round += 1;
      forget();
      lost();
      if (isSearchDue || round % keptRounds === 0) {
        isSearchDue = false;
        await searchAll();
      }
    }
  }

  async function searchAll(): Promise<void> {
    for (const league of leagues.keys()) {
      if (closing.signal.aborted) return;
      await search(league).catch((error: unknown) => {
        isSearchDue = true;
        log.warn('the games of a league cannot be read', { league, error: messageOf(error) });
      });
    }
  }

  /** Drops what is no longer followed. */
  function forget(): void {
    for (const [league, of] of leagues) {
      if (options.isLeagueFollowed(league)) of.usedAt = round;
      else if (round - of.usedAt > keptRounds) leagues.delete(league);
    }
    for (const [gameUuid, game] of held) {
      if (isListed(game) || options.isFollowed(game)) game.usedAt = round;
      else if (round - game.usedAt > keptRounds) held.delete(gameUuid);
    }
  }

  async function watch(): Promise<readonly (() => Promise<void>)[]> {
    while (!closing.signal.aborted) {
      try {
        const stopped = await Promise.all([
          live.watchServing({ moved: ({ gameUuid }) => moved(gameUuid), landed: moved, lost }),
          ...(msf === null ? [] : [msf.watch({ moved: ({ scopeUuid }) => moved(scopeUuid), lost })]),
        ]);
        lost();
        return stopped;
      } catch (error) {
        log.warn('cannot watch the heads of games', { error: messageOf(error) });
        await clock.sleep(1_000, closing.signal);
      }
    }
    return [];
  }

  return {
    async games(gameUuids) {
      const games = gameUuids.map(hold);
      await read(gameUuids.filter((gameUuid) => held.get(gameUuid)?.heads == null));
      return games;
    },
    async league(league) {
      const known = leagues.get(league);
      const of = known ?? { usedAt: round, listed: new Set<string>(), found: Promise.resolve() };
      leagues.set(league, of);
      of.usedAt = round;
      if (known === undefined) of.found = search(league);
      try {
        await of.found;
      } catch (error) {
        leagues.delete(league);
        throw error;
      }
    },
    openOf: (league) =>
      [...(leagues.get(league)?.listed ?? [])].flatMap((gameUuid) => {
        const game = held.get(gameUuid);
        return game === undefined || game.heads === null ? [] : [game];
      }),
    async close() {
      closing.abort();
      const stops = await watching;
      for (const stop of stops) await stop();
      await going;
      await reading;
    },
  };
}
