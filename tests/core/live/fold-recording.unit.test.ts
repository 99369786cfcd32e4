// The real recording of ../shared/data through the pure functions: 26 games of one night, 11 books, starts that moved, books
// that came and went. The counts are those of the acceptance; a second time all of it is known already.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { it } from 'vitest';
import { boardRows, operatorsWithRows } from '../../../core/live/board.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import { type PurePush, PureService } from '../../support/folds/pure-service.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const file = new URL(
  '../../../../shared/data/odds-mlb-2026/snapshots_20260805T2000Z_20260806T0500Z.ndjson.gz',
  import.meta.url,
);
const skip = existsSync(file) ? false : '../shared/data/odds-mlb-2026 is absent';

it('gives 24,262 rows of 26 games, cut and standing as they must, and nothing the second time', skipFor(skip), () => {
  const pushes = recorded();
  const service = new PureService();
  for (const push of pushes) assert.deepEqual(service.push(push), { refusals: [], duplicates: 0 });

  const games = [...service.games.values()];
  assert.equal(games.length, 26);
  const changes: Record<string, number> = {};
  for (const { change } of games.flatMap((game) => game.rows)) changes[change] = (changes[change] ?? 0) + 1;
  assert.deepEqual(changes, {
    opened: 1_530,
    price: 16_908,
    line: 191,
    price_and_line: 4_829,
    withdrawn: 636,
    resumed: 168,
  });

  const game = games.find(({ known }) => known.publicId === 'MLB_STL_NYY_20260805');
  assert.ok(game !== undefined);
  assert.equal(game.rows.length, 2_143);
  assert.deepEqual(game.segments, [512, 512, 512, 512, 95]);
  const boards = operatorsWithRows(game.state).map(({ code }) => boardRows(game.state, code));
  const open = boards.map((rows) => rows.filter((row) => row.is_open).length).filter((count) => count > 0);
  assert.equal(open.length, 7);
  assert.equal(
    open.reduce((sum, count) => sum + count, 0),
    36,
  );

  const before = games.map(({ rows }) => rows.length);
  let duplicates = 0;
  for (const push of pushes) duplicates += service.push(push).duplicates;
  assert.equal(duplicates, 2_138);
  assert.deepEqual(
    games.map(({ rows }) => rows.length),
    before,
  );
});

function recorded(): PurePush[] {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n');
  return lines.map((line) => {
    const observedAt = /^\{"committed_at":"([^"]+)"/.exec(line)?.[1] as string;
    // The body as it stands in the line: what follows `"data":` up to the line's own closing brace.
    const body = line.slice(line.indexOf('"data":') + '"data":'.length, -1);
    return {
      source: 'recorded',
      format: 'the-odds-api-v4',
      query: { oddsFormat: null, markets: null, bookmakers: null },
      receivedAt: parseRfc3339(observedAt) as number,
      observedAt,
      mayBackfill: true,
      idempotencyKey: null,
      body: new TextEncoder().encode(body),
    };
  });
}
