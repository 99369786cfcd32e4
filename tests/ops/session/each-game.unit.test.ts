import assert from 'node:assert/strict';
import { it } from 'vitest';
import { anyGame, type CatalogGame, type GamesQuery } from '../../../core/ports/catalog/games.ts';
import { eachGame } from '../../../ops/session/each-game.ts';

/** A catalog of `count` games of one day, and what it was asked. */
function catalogOf(count: number) {
  const all = Array.from({ length: count }, (_, at) => ({
    gameDate: '2026-08-05',
    gameId: String(at).padStart(6, '0'),
  })) as CatalogGame[];
  const asked: GamesQuery[] = [];
  const list = async (query: GamesQuery) => {
    asked.push(query);
    const from = query.after === null ? 0 : Number(query.after.id) + 1;
    return all.slice(from, from + query.limit);
  };
  return { all, asked, list };
}

for (const count of [0, 1, 999, 1_000, 1_001, 2_500]) {
  it(`reads ${count} games, each once, and no page more than needed`, async () => {
    const catalog = catalogOf(count);
    const found = await Array.fromAsync(eachGame(catalog, { ...anyGame, league: 'MLB' }));
    assert.deepEqual(found, catalog.all);
    assert.equal(catalog.asked.length, Math.floor(count / 1_000) + 1);
    assert.ok(catalog.asked.every(({ league }) => league === 'MLB'));
  });
}
