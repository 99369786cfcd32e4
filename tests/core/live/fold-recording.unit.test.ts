// Evenings of odds through the pure functions: starts that move, books that come and go. A second time all of it is known already.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { boardRows, operatorsWithRows } from '../../../core/live/board.ts';
import { PureService } from '../../support/folds/pure-service.ts';
import { eveningLeftOut } from '../../support/recordings/evening-left-out.ts';
import { oddsEvenings, pollPushes } from '../../support/recordings/odds-evenings.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

for (const evening of oddsEvenings) {
  it(
    `gives the rows of ${evening.name} with correct cuts and states, and none when it is replayed`,
    skipFor(eveningLeftOut(evening)),
    () => {
      const pushes = pollPushes(evening);
      const service = new PureService();
      for (const push of pushes) assert.deepEqual(service.push(push), { refusals: [], duplicates: 0 });

      const games = [...service.games.values()];
      assert.equal(games.length, evening.games);
      const changes: Record<string, number> = {};
      for (const { change } of games.flatMap((game) => game.rows)) changes[change] = (changes[change] ?? 0) + 1;
      assert.deepEqual(changes, evening.changes);

      const { watched } = evening;
      const game = games.find(({ known }) => known.publicId === watched.id);
      assert.ok(game !== undefined);
      assert.equal(game.rows.length, watched.rows);
      assert.deepEqual(game.segments, watched.segments);
      const boards = operatorsWithRows(game.state).map(({ code }) => boardRows(game.state, code));
      const open = boards.map((rows) => rows.filter((row) => row.is_open).length).filter((count) => count > 0);
      assert.equal(open.length, watched.boards);
      assert.equal(
        open.reduce((sum, count) => sum + count, 0),
        watched.open,
      );

      const before = games.map(({ rows }) => rows.length);
      assert.equal(
        before.reduce((sum, count) => sum + count, 0),
        evening.rows,
      );
      let duplicates = 0;
      for (const push of pushes) duplicates += service.push(push).duplicates;
      assert.equal(duplicates, evening.elements);
      assert.deepEqual(
        games.map(({ rows }) => rows.length),
        before,
      );
    },
  );
}
