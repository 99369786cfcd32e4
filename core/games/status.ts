// Statuses of a game (decisions.md 4). Unaware of who tells them and when.

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

/** Whether a game in this status has ended and waits for its close. settlement.md, "When a game closes" 1. */
export function hasEnded(status: string): boolean {
  return status === 'COMPLETED' || status === 'CANCELLED';
}

export function isStatus(text: string): text is GameStatus {
  return (statuses as readonly string[]).includes(text);
}
