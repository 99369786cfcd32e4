// Games by filter, in pages. A page starts after the last record of the previous one, so a list that changes meanwhile neither repeats nor
// skips games that did not change.
import type { CatalogGame, GamesCatalog } from '../../core/ports/catalog/games.ts';
import { gamesPage } from '../../schemas/http/games.ts';
import {
  dateParameter,
  leagueParameter,
  limitParameter,
  pageCursorParameter,
  statusParameter,
  teamParameter,
} from '../../schemas/http/parameters.ts';
import type { Filters } from '../pages/page-cursor.ts';
import type { PagePosition, Pages } from '../pages/pages.ts';
import { route } from '../pipeline/route.ts';
import { gameRecord } from '../serving/game-record.ts';

type Needs = { games: Pick<GamesCatalog, 'list'>; pages: Pages };

const listName = '/v1/games';
/** docs/interface.md#limits; both ends are inclusive (docs/interface.md#list-games). */
const longestSpanDays = 366;

export const listGames = route({
  path: listName,
  id: 'listGames',
  tag: 'Discovery',
  summary: 'Games, by Eastern date and then by id.',
  details:
    '`date_from` and `date_to` are given together and span at most 366 days, both counted. A cursor is valid only with the filters it was made with.',
  key: 'required',
  game: 'none',
  query: {
    league: leagueParameter.optional(),
    status: statusParameter.optional(),
    date_from: dateParameter.optional(),
    date_to: dateParameter.optional(),
    team: teamParameter.optional(),
    limit: limitParameter.optional(),
    cursor: pageCursorParameter.optional(),
  },
  answers: { 200: gamesPage },
  charge: 'free',
  cache: 'revalidated',

  check(query, { pages }: Needs) {
    return (
      faultOfDates(query.date_from, query.date_to) ?? pages.faultOfCursor(listName, filtersOf(query), query.cursor)
    );
  },

  handle({ query }, { games, pages }: Needs) {
    const found = (after: PagePosition | null, limit: number): Promise<readonly CatalogGame[]> =>
      games.list({
        league: query.league ?? null,
        status: query.status ?? null,
        dateFrom: query.date_from ?? null,
        dateTo: query.date_to ?? null,
        team: query.team ?? null,
        after: after === null ? null : { gameDate: after[0] ?? '', id: after[1] ?? '' },
        limit,
      });
    return pages.page(
      {
        name: listName,
        filters: filtersOf(query),
        read: found,
        positionOf: (game) => [game.gameDate, game.gameId],
        show: gameRecord,
      },
      query,
    );
  },
});

type GameFilters = {
  league: string | undefined;
  status: string | undefined;
  date_from: string | undefined;
  date_to: string | undefined;
  team: string | undefined;
};

function filtersOf(query: GameFilters): Filters {
  return {
    league: query.league ?? null,
    status: query.status ?? null,
    date_from: query.date_from ?? null,
    date_to: query.date_to ?? null,
    team: query.team?.toLowerCase() ?? null,
  };
}

function faultOfDates(from: string | undefined, to: string | undefined): string | null {
  if (from === undefined && to === undefined) return null;
  if (from === undefined || to === undefined) return 'date_from and date_to are given together or not at all';
  if (from > to) return 'date_from is after date_to';
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  return days > longestSpanDays ? `date_from to date_to is ${days} days; at most ${longestSpanDays} are allowed` : null;
}
