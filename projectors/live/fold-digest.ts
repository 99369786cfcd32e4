// The digest of a partition's state: one hash a game, over how far its log and its times are, put together by exclusive or — not by a sum:
// what puts a game's hash in takes it out again, without carries, in whatever order games were met. So a flush hashes the games that
// records have touched since the last one, however many there are. Two owners that have folded the same records have the same digest.
import { hash } from 'node:crypto';
import type { GameState } from '../../core/live/game-state.ts';

export type FoldDigest = { all: bigint; ofGame: Map<string, bigint>; touched: Set<GameState> };

/** The digest of a state that holds `games`. */
export function newFoldDigest(games: Iterable<GameState>): FoldDigest {
  return { all: 0n, ofGame: new Map(), touched: new Set(games) };
}

/** The digest with all that was done to the games touched. */
export function foldDigest(digest: FoldDigest): string {
  for (const game of digest.touched) {
    const now = hashOf(game);
    digest.all ^= now ^ (digest.ofGame.get(game.uuid) ?? 0n);
    digest.ofGame.set(game.uuid, now);
  }
  digest.touched.clear();
  return digest.all.toString(16).padStart(64, '0');
}

function hashOf({ uuid, generation, rows, segment, logTime, appliedThrough }: GameState): bigint {
  const facts = [uuid, generation, rows, segment?.seq, segment?.rows, logTime, appliedThrough];
  return BigInt(`0x${hash('sha256', JSON.stringify(facts), 'hex')}`);
}
