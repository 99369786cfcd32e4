// Statuses of a game (docs/quotes.md#game-statuses). Independent of their origin and time.

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

/** Whether a game in this status has ended and waits for its close. docs/settlement.md#when-a-game-closes. */
export function hasEnded(status: string): boolean {
  return status === 'COMPLETED' || status === 'CANCELLED';
}

export function isStatus(text: string): text is GameStatus {
  return (statuses as readonly string[]).includes(text);
}
