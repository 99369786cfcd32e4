// What the simulated sportsbooks quote for a game at a moment: a fair price that drifts, more in play than before, with each book's own
// margin, rhythm and gaps. Markets go away and come back, books pause at the start, lines move in halves. At the end all quotes go.
import { chance, drift } from './chance.ts';
import { demoLeagues } from './demo-leagues.ts';
import { american, type DemoQuote } from './demo-quote.ts';
import { playerQuotesAt } from './player-quotes.ts';
import type { DemoGame } from './slate.ts';
import { endOf } from './timeline.ts';

type DemoOffer = { quotes: DemoQuote[]; suspended: boolean };

/** The offer of `book` in `game` at `now`; null while the book pauses. */
export function offerAt(seed: number, book: string, game: DemoGame, now: number): DemoOffer | null {
  if (now >= endOf(game)) return { quotes: [], suspended: false };
  const live = now >= game.actual;
  if (
    chance(seed, book, game.eventId, 'gone', Math.floor(now / 300)) < (Math.abs(now - game.actual) < 300 ? 0.3 : 0.03)
  )
    return null;
  // A book updates its prices in its own rhythm, so most polls repeat the previous one.
  const rhythm = live ? 8 + Math.floor(chance(seed, book) * 12) : 45 + Math.floor(chance(seed, book) * 60);
  const seen = Math.floor(now / rhythm) * rhythm;
  const quotes: DemoQuote[] = [];
  const quote = (market: string, selection: DemoQuote['selection'], line: number | null, probability: number): void =>
    void quotes.push({ market, selection, player: null, line, american: american(probability) });
  const strength =
    chance(seed, game.eventId, 'strength') * 2 - 1 + drift(seed, seen, game.eventId, 'win') * (live ? 1.6 : 0.25);
  const margin = 0.02 + chance(seed, book, 'margin') * 0.03;
  const home = 1 / (1 + Math.exp(-strength));
  const absent = (market: string): boolean =>
    live && chance(seed, book, game.eventId, market, Math.floor(now / 40)) < 0.04;
  const lateInGame = live && now > game.actual + game.length * 0.9;
  if (!absent('moneyline') && !lateInGame) {
    quote('moneyline', 'home', null, home + margin);
    quote('moneyline', 'away', null, 1 - home + margin);
  }
  const scale = demoLeagues[game.league].lines;
  if (!absent('spread')) {
    const line = half(-strength * scale.spread);
    const lean = 0.5 + 0.06 * drift(seed, seen, book, game.eventId, 'spread');
    quote('spread', 'home', line, lean + margin);
    quote('spread', 'away', -line, 1 - lean + margin);
  }
  if (!absent('total')) {
    const line = Math.max(
      0.5,
      half(scale.total + scale.swing * drift(seed, seen, game.eventId, 'total') * (live ? 1 : 0.2)),
    );
    const lean = 0.5 + 0.06 * drift(seed, seen, book, game.eventId, 'lean');
    quote('total', 'over', line, lean + margin);
    quote('total', 'under', line, 1 - lean + margin);
  }
  quotes.push(...playerQuotesAt(seed, book, game, now));
  return { quotes, suspended: live && chance(seed, book, game.eventId, 'suspended', Math.floor(now / 25)) < 0.05 };
}

/** To the nearest half that is not a whole number: a line that cannot push. */
function half(value: number): number {
  return Math.floor(value) + 0.5;
}
