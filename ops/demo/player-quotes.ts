// What books quote for a game's players: over and under at each market's line, or that a player scores at all. They withdraw these quotes
// when the game begins.
import { playerUuid } from '../../core/msf/ids.ts';
import { quotesPlayers } from './books.ts';
import { chance, drift } from './chance.ts';
import { sportOf } from './demo-leagues.ts';
import { american, type DemoQuote } from './demo-quote.ts';
import { playersOf } from './rosters.ts';
import type { DemoGame } from './slate.ts';

const looksEvery = 240;

export function playerQuotesAt(seed: number, book: string, game: DemoGame, now: number): DemoQuote[] {
  if (!quotesPlayers(book) || now >= game.actual) return [];
  const { league } = game;
  const margin = 0.03 + chance(seed, book, 'player margin') * 0.03;
  const seen = Math.floor(now / looksEvery) * looksEvery;
  return [game.away, game.home].flatMap((team) => {
    const players = playersOf(seed, { league, name: team });
    return sportOf(league).playerMarkets.flatMap(({ market, slot, line }): DemoQuote[] => {
      const known = players[slot];
      if (known === undefined) return [];
      const player = { name: `${known.firstName} ${known.lastName}`, id: playerUuid(league, known.id) };
      const lean = 0.06 * drift(seed, seen, book, game.eventId, market, known.id);
      const quote = (selection: DemoQuote['selection'], probability: number): DemoQuote => {
        return { market, selection, player, line, american: american(probability + margin) };
      };
      return line === null ? [quote('yes', 0.35 + lean)] : [quote('over', 0.5 + lean), quote('under', 0.5 - lean)];
    });
  });
}
