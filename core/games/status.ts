// Statuses of a game and their moves (decisions.md 4). Unaware of who tells them and when.

export const statuses = [
  'SCHEDULED',
  'DELAYED',
  'STARTED',
  'SUSPENDED',
  'COMPLETED',
  'POSTPONED',
  'CANCELLED',
] as const;
export type GameStatus = (typeof statuses)[number];

export function isStatus(text: string): text is GameStatus {
  return (statuses as readonly string[]).includes(text);
}

const moves: Readonly<Record<GameStatus, readonly GameStatus[]>> = {
  SCHEDULED: ['DELAYED', 'STARTED', 'COMPLETED', 'POSTPONED', 'CANCELLED'],
  DELAYED: ['SCHEDULED', 'STARTED', 'COMPLETED', 'POSTPONED', 'CANCELLED'],
  STARTED: ['SUSPENDED', 'COMPLETED', 'POSTPONED', 'CANCELLED'],
  SUSPENDED: ['STARTED', 'COMPLETED', 'POSTPONED', 'CANCELLED'],
  COMPLETED: [],
  POSTPONED: ['SCHEDULED', 'DELAYED', 'STARTED', 'COMPLETED', 'CANCELLED'],
  CANCELLED: [],
};

/** Whether a game may go from `from` (null: never seen) to `to`; `correction`: the audited one, COMPLETED → STARTED. */
export function mayMove(from: GameStatus | null, to: GameStatus, correction = false): boolean {
  if (from === null) return true;
  if (correction && from === 'COMPLETED' && to === 'STARTED') return true;
  return moves[from].includes(to);
}
