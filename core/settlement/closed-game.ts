// What remains of a game's fold when the game closes. With the rows of its log and the evidence, it determines the final files
// (docs/settlement.md#when-a-game-closes). Plain, JSON-safe data; the catalog stores it with these names.
import type { GameState } from '../live/game-state.ts';
import type { Micros } from '../units.ts';
import type { GameLifecycle } from './game-lifecycle.ts';

export type ClosedGame = {
  gameUuid: string;
  /** From its newest record: its public id, or its UUID if it had none. */
  gameId: string;
  league: string;
  /** The log that was closed, and its rows. */
  generation: number;
  rows: number;
  logTime: Micros | null;
  course: GameLifecycle;
};

/** The facts of a game that is closed. */
export function closedGame({ uuid, gameId, league, generation, rows, logTime, lifecycle }: GameState): ClosedGame {
  return { gameUuid: uuid, gameId, league, generation, rows, logTime, course: structuredClone(lifecycle) };
}
