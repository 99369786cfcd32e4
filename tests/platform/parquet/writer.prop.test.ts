// Claim: the file that a projector appends to, flush after flush, holds all rows in order and few row groups, although every append sees
// only the previous file. A violation would need a merge to read other rows than those of the groups it replaces.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import { readFooter } from '../../../core/parquet/footer.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { rowsFrom } from '../../support/parquet/rows.ts';
import { assertSameRows } from '../../support/parquet/same-rows.ts';

const none = new Map<string, string>();

it('grows by appends and merges', () => {
  const flushes = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 120 });
  fc.assert(
    fc.property(fc.nat(), flushes, (seed, sizes) => {
      const pieces = sizes.map((size, index) => rowsFrom(sportsbookLines, seed + index, size));
      const bytes = pieces.reduce(
        (file, rows) => runToEnd(parquetWriter.appending('sportsbook-lines', file, rows, none)),
        parquetWriter.encode('sportsbook-lines', [], none),
      );
      assertSameRows(parquetWriter.decode('sportsbook-lines', bytes), pieces.flat());
      const groups = readFooter(bytes).groups.length;
      assert.ok(groups <= 31, `${groups} groups`);
      assert.ok(sizes.length < 16 || groups < sizes.length);
    }),
    { numRuns: 15 },
  );
});

it('knows the datasets and the board, and nothing else', () => {
  assert.deepEqual(parquetWriter.decode('board', parquetWriter.encode('board', [], none)), []);
  assert.throws(() => parquetWriter.encode('boards', [], none), /no dataset boards/);
});
