// What an instance remembers of games: docs/interface.md#what-an-instance-remembers. The date moves with the start, so it is asked for again,
// and no request waits for the answer.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { openDeadlines } from '../../../api/dependencies/deadlines.ts';
import { GameDirectory } from '../../../api/serving/game-directory.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { microsPerSecond } from '../../../core/units.ts';
import { FakeCatalog, uuidOf } from '../../support/fakes/api-fakes.ts';
import { MovableClock } from '../../support/http/api-http.ts';

const id = 'MLB_STL_NYY_20260805';

for (const [how, name] of [
  ['its id', id],
  ['its UUID', uuidOf(id)],
] as const) {
  it(`a moved date counts after a minute for requests that name the game by ${how}; until then the earlier date serves`, () =>
    moves(name));
}

/** Moves the game's date and checks what the directory answers, also while the catalog is unreachable. */
async function moves(name: string): Promise<void> {
  const [catalog, clock] = [new FakeCatalog(), new MovableClock()];
  const deadlines = openDeadlines(clock, silentLog, { catalog: 1_000, objects: 1_000 });
  const directory = new GameDirectory(catalog, deadlines, clock, 5 * microsPerSecond);
  const dateNow = () => directory.remembered(name)?.gameDate;
  const game = catalog.addGame({ gameId: id, uuid: uuidOf(id) });
  await directory.record(name);
  assert.equal(dateNow(), '2026-08-05');

  Object.assign(game, { gameDate: '2026-09-01' });
  clock.ahead += 59 * microsPerSecond;
  assert.deepEqual([dateNow(), catalog.calls.find], ['2026-08-05', 1]);
  catalog.state = 'down';
  clock.ahead += 2 * microsPerSecond;
  assert.deepEqual([dateNow(), dateNow(), catalog.calls.find], ['2026-08-05', '2026-08-05', 2], 'asked once');
  await new Promise(setImmediate);
  assert.equal(dateNow(), '2026-08-05');

  catalog.state = 'up';
  clock.ahead += 61 * microsPerSecond;
  dateNow();
  await new Promise(setImmediate);
  assert.deepEqual([dateNow(), catalog.calls.find], ['2026-09-01', 3]);
}
