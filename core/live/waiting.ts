// Whether a game waits for its close, and by which clock (docs/settlement.md#when-a-game-closes; docs/quotes.md#ticks).
import { hasEnded } from '../games/status.ts';
import type { GameState } from './game-state.ts';

/** `ticked`: ticks advance the game. Otherwise the times of its own source do. */
type WaitingForClose = { ticked: boolean };

/** Null: the game is not over yet, or is already closed. */
export function waitingFor({ closed, lifecycle, receiveTimed }: GameState): WaitingForClose | null {
  if (closed || lifecycle.status === null || !hasEnded(lifecycle.status.status)) return null;
  return { ticked: receiveTimed !== false };
}
