// The digest of a partition's state: one hash per game, over the position of its log and its times, combined by exclusive or. Exclusive or lets the
// same operation add and remove a game's hash, in any order. So a flush hashes only the games touched since the last flush. Two owners that folded
// the same records have the same digest.
import { hash } from 'node:crypto';
import type { GameState } from '../../core/live/game-state.ts';

export class FoldDigest {
  /** Games that were met, or changed, since the digest was asked for. */
  readonly touched: Set<GameState>;
  readonly #ofGame = new Map<string, bigint>();
  #all = 0n;

  /** The digest of a state that holds `games` and knows that games of the UUIDs `closed` are over. */
  constructor(games: Iterable<GameState>, closed: Iterable<string> = []) {
    this.touched = new Set(games);
    for (const uuid of closed) this.close(uuid);
  }

  /** The game is over, and touched no more. */
  close(uuid: string): void {
    this.#set(uuid, hashOfFacts([uuid, 'closed']));
  }

  /** With all that was done to the games touched. */
  now(): string {
    for (const game of this.touched) this.#set(game.uuid, hashOf(game));
    this.touched.clear();
    return this.#all.toString(16).padStart(64, '0');
  }

  #set(uuid: string, now: bigint): void {
    this.#all ^= now ^ (this.#ofGame.get(uuid) ?? 0n);
    this.#ofGame.set(uuid, now);
  }
}

/** All that is remembered of a closed game. */
function hashOf({ uuid, closed, generation, rows, segment, logTime, appliedThrough }: GameState): bigint {
  if (closed) return hashOfFacts([uuid, 'closed']);
  return hashOfFacts([uuid, generation, rows, segment?.seq, segment?.rows, logTime, appliedThrough]);
}

function hashOfFacts(facts: readonly unknown[]): bigint {
  return BigInt(`0x${hash('sha256', JSON.stringify(facts), 'hex')}`);
}
