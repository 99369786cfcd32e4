// What the fold of a game's quotes leaves of it when it closes: with the rows of its log, all that its final files are made of
// beside the evidence (docs/settlement.md#when-a-game-closes). Plain data that JSON keeps.
import type { GameState } from '../live/game-state.ts';
import type { Micros } from '../units.ts';
import type { GameCourse } from './course.ts';

export type ClosedGame = {
  gameUuid: string;
  /** What its newest record called it: its public id, or its UUID while it had none. */
  gameId: string;
  league: string;
  /** The log that was closed, and its rows. */
  generation: number;
  rows: number;
  logTime: Micros | null;
  course: GameCourse;
};

/** The facts of a game that is closed. */
export function closedGame({ uuid, gameId, league, generation, rows, logTime, course }: GameState): ClosedGame {
  return { gameUuid: uuid, gameId, league, generation, rows, logTime, course: structuredClone(course) };
}
