// The simulated sportsbooks: five that a provider polls, and one that pushes its own quotes. Not all of them quote players.
export const polledBooks = ['northbook', 'riverbet', 'summit', 'aceline', 'harborlines'] as const;
export const directBook = 'cityexchange';

const withPlayers: ReadonlySet<string> = new Set(['northbook', 'summit', directBook]);

export function quotesPlayers(book: string): boolean {
  return withPlayers.has(book);
}
