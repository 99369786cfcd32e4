// Reads all games that a query asks for, page after page.
import type { CatalogGame, GamesCatalog, GamesQuery } from '../../core/ports/catalog/games.ts';

const gamesAtOnce = 1_000;

export async function* eachGame(
  games: Pick<GamesCatalog, 'list'>,
  query: Omit<GamesQuery, 'after' | 'limit'>,
): AsyncGenerator<CatalogGame> {
  for (let after: GamesQuery['after'] = null; ; ) {
    const page: readonly CatalogGame[] = await games.list({ ...query, after, limit: gamesAtOnce });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < gamesAtOnce) return;
    after = { gameDate: last.gameDate, id: last.gameId };
  }
}
