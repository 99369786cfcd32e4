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

export function isStatus(text: string): text is GameStatus {
  return (statuses as readonly string[]).includes(text);
}
