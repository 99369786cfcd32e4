// The bodies that the simulated sources push: an odds provider that polls several books for whole leagues (The Odds API v4), and a book
// that pushes its own quotes (native images, with suspensions). Pure: the same seed and second give the same bodies.
import { formatMicros } from '../../core/time/rfc3339.ts';
import { microsPerSecond } from '../../core/units.ts';
import { leagueTable } from '../../schemas/reference/leagues.ts';
import { directBook, polledBooks } from './books.ts';
import type { DemoQuote } from './demo-quote.ts';
import { offerAt } from './market.ts';
import { announcedStart, type DemoGame } from './slate.ts';

/** The provider's names of markets that differ from ours. */
const marketKeys: Readonly<Record<string, string>> = { moneyline: 'h2h', spread: 'spreads', total: 'totals' };

/** One poll of these games by the provider. */
export function pollBody(seed: number, games: readonly DemoGame[], now: number): unknown[] {
  return games.map((game) => ({
    id: game.eventId,
    sport_key: leagueTable[game.league].oddsApi,
    commence_time: time(announcedStart(game, now)),
    home_team: game.home,
    away_team: game.away,
    bookmakers: polledBooks.flatMap((book) => {
      const offer = offerAt(seed, book, game, now);
      if (offer === null || offer.suspended) return [];
      return [{ key: book, title: book, last_update: time(now), markets: marketsOf(game, offer.quotes, now) }];
    }),
  }));
}

/** One image per game by the direct book. */
export function directBody(seed: number, games: readonly DemoGame[], now: number): { events: unknown[] } {
  return {
    events: games.flatMap((game) => {
      const offer = offerAt(seed, directBook, game, now);
      if (offer === null) return [];
      const state = offer.suspended ? 'suspended' : 'open';
      return [
        {
          kind: 'image',
          operator: directBook,
          game: eventGame(game, now),
          in_play: now >= game.actual,
          quotes: offer.quotes.map(({ market, selection, player, line, american }) => ({
            market,
            selection,
            ...(player === null ? {} : { player: player.name, player_id: player.id }),
            line,
            price: { american },
            state,
            source_timestamp: time(now),
          })),
        },
      ];
    }),
  };
}

/** The game as a native event names it. */
function eventGame(game: DemoGame, now: number): object {
  return {
    league: game.league,
    event_id: game.eventId,
    home_team: game.home,
    away_team: game.away,
    commence_time: time(announcedStart(game, now)),
  };
}

/** Heartbeats of the direct book: its quotes still stand. */
export function heartbeatBody(seed: number, games: readonly DemoGame[], now: number): { events: unknown[] } {
  const quoted = games.filter((game) => offerAt(seed, directBook, game, now) !== null);
  return {
    events: quoted.map((game) => ({
      kind: 'heartbeat',
      operator: directBook,
      game: eventGame(game, now),
    })),
  };
}

function marketsOf(game: DemoGame, quotes: readonly DemoQuote[], now: number): unknown[] {
  const names = { home: game.home, away: game.away, over: 'Over', under: 'Under', yes: 'Yes' };
  return [...Map.groupBy(quotes, ({ market }) => market)].map(([market, own]) => {
    const outcomes = own.map(({ selection, player, line, american }) => ({
      name: names[selection],
      ...(player === null ? {} : { description: player.name }),
      price: american,
      ...(line === null ? {} : { point: line }),
    }));
    return { key: marketKeys[market] ?? market, last_update: time(now), outcomes };
  });
}

function time(seconds: number): string {
  return formatMicros(seconds * microsPerSecond);
}
