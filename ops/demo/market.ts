// What the simulated sportsbooks would quote of a game at a moment: a fair price that drifts, more in play than before, and each book's own
// margin, rhythm and gaps. Markets leave and come back, books drop out at the start, lines move in halves.
import { chance, drift } from './chance.ts';
import { type DemoGame, gameLength, isOver } from './slate.ts';

export type DemoQuote = {
  market: 'moneyline' | 'spread' | 'total';
  selection: 'home' | 'away' | 'over' | 'under';
  line: number | null;
  american: number;
};
export type DemoOffer = { quotes: DemoQuote[]; suspended: boolean };

const totals: Readonly<Record<string, { total: number; swing: number; spread: number }>> = {
  MLB: { total: 8.5, swing: 2, spread: 1.5 },
  NBA: { total: 224.5, swing: 12, spread: 6.5 },
  NHL: { total: 6.5, swing: 1, spread: 1.5 },
  NFL: { total: 45.5, swing: 7, spread: 4.5 },
  NCAAM: { total: 143.5, swing: 10, spread: 7.5 },
};

/** The offer of `book` in `game` at `now`; null while the book has dropped out. */
export function offerAt(seed: number, book: string, game: DemoGame, now: number): DemoOffer | null {
  if (isOver(game, now)) return { quotes: [], suspended: false };
  const live = now >= game.actual;
  if (
    chance(seed, book, game.eventId, 'gone', Math.floor(now / 300)) < (Math.abs(now - game.actual) < 300 ? 0.3 : 0.03)
  )
    return null;
  // A book looks at its prices in a rhythm of its own, so most sightings repeat the one before.
  const rhythm = live ? 8 + Math.floor(chance(seed, book) * 12) : 45 + Math.floor(chance(seed, book) * 60);
  const seen = Math.floor(now / rhythm) * rhythm;
  const quotes: DemoQuote[] = [];
  const strength =
    chance(seed, game.eventId, 'strength') * 2 - 1 + drift(seed, seen, game.eventId, 'win') * (live ? 1.6 : 0.25);
  const margin = 0.02 + chance(seed, book, 'margin') * 0.03;
  const home = 1 / (1 + Math.exp(-strength));
  const absent = (market: string): boolean =>
    live && chance(seed, book, game.eventId, market, Math.floor(now / 40)) < 0.04;
  const lateInGame = live && now > game.actual + gameLength * 0.9;
  if (!absent('moneyline') && !lateInGame) {
    quotes.push({ market: 'moneyline', selection: 'home', line: null, american: american(home + margin) });
    quotes.push({ market: 'moneyline', selection: 'away', line: null, american: american(1 - home + margin) });
  }
  const scale = totals[game.league] ?? { total: 8.5, swing: 2, spread: 1.5 };
  if (!absent('spread')) {
    const line = half(-strength * scale.spread);
    const lean = 0.5 + 0.06 * drift(seed, seen, book, game.eventId, 'spread');
    quotes.push({ market: 'spread', selection: 'home', line, american: american(lean + margin) });
    quotes.push({ market: 'spread', selection: 'away', line: -line, american: american(1 - lean + margin) });
  }
  if (!absent('total')) {
    const line = Math.max(
      0.5,
      half(scale.total + scale.swing * drift(seed, seen, game.eventId, 'total') * (live ? 1 : 0.2)),
    );
    const lean = 0.5 + 0.06 * drift(seed, seen, book, game.eventId, 'lean');
    quotes.push({ market: 'total', selection: 'over', line, american: american(lean + margin) });
    quotes.push({ market: 'total', selection: 'under', line, american: american(1 - lean + margin) });
  }
  return { quotes, suspended: live && chance(seed, book, game.eventId, 'suspended', Math.floor(now / 25)) < 0.05 };
}

/** To the nearest half that is no whole number: a line that cannot push. */
function half(value: number): number {
  return Math.floor(value) + 0.5;
}

/** An implied probability as American odds, in steps of five as books show them. */
function american(probability: number): number {
  const p = Math.min(0.97, Math.max(0.03, probability));
  const exact = p >= 0.5 ? (-100 * p) / (1 - p) : (100 * (1 - p)) / p;
  const stepped = Math.round(exact / 5) * 5;
  return Math.abs(stepped) <= 100 ? 100 : stepped;
}
