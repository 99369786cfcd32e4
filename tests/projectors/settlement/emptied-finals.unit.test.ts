// Which files a removal would empty: told by the rows that the log would have left, whether or not the files have landed.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import type { ServedLog } from '../../../core/ports/catalog/live.ts';
import type { RowSpan } from '../../../core/ports/catalog/settlement.ts';
import { newLifecycle } from '../../../core/settlement/game-lifecycle.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { emptiedFinals } from '../../../projectors/settlement/emptied-finals.ts';
import { InputDamaged } from '../../../projectors/settlement/settlement-tools.ts';
import { openRow, StagedFiles, stagedInputs } from '../../support/builders/staged-build.ts';

const suspended = { is_open: false, change: 'suspended' };

/** A game that began at 20: two rows before, of which the second closes nothing, and one during play. */
const rows = [openRow(1, 'home'), { ...openRow(2, 'away'), ...suspended }, { ...openRow(30, 'home'), row_number: 3 }];

async function emptied(removed: readonly RowSpan[], spans: readonly RowSpan[], log = true) {
  const files = new StagedFiles();
  const { key, size, sha256 } = files.add('log', 'sportsbook-lines', rows);
  const closed = [{ seq: 1, rows: 3, min_timestamp: 1, max_timestamp: 30, key, size, sha256 }];
  const served = { gameUuid: 'g', generation: 1, rows: 3, closed, tail: null } as unknown as ServedLog;
  const tools = {
    objects: { put: async () => {}, get: (name: string) => files.get(name) },
    parquet: parquetWriter,
    live: { servedLog: async () => (log ? served : null) },
  };
  const course = { ...newLifecycle(), startedAt: 20, starts: [{ logTime: null, start: 20 }] };
  const inputs = { closed: { ...stagedInputs.closed, rows: 3, course }, removed };
  return await emptiedFinals(tools, inputs, spans);
}

it('a removal empties the files whose last row it takes', async () => {
  assert.deepEqual(await emptied([], [[2, 3]]), []);
  assert.deepEqual(await emptied([], [[1, 2]]), ['closing-lines']);
  assert.deepEqual(
    await emptied(
      [],
      [
        [1, 1],
        [3, 3],
      ],
    ),
    ['closing-lines', 'market-results'],
  );
  assert.deepEqual(await emptied([], [[1, 3]]), ['sportsbook-lines', 'closing-lines', 'market-results']);
});

it('what was removed before counts, and what it has emptied is not emptied again', async () => {
  assert.deepEqual(await emptied([[3, 3]], [[2, 2]]), []);
  assert.deepEqual(await emptied([[3, 3]], [[1, 1]]), ['closing-lines', 'market-results']);
  assert.deepEqual(await emptied([[1, 1]], [[2, 2]]), []);
  await assert.rejects(emptied([], [[1, 1]], false), InputDamaged);
});
