// Claim: what is written is read back, value for value, whatever the rows hold; the same rows give the same bytes; and a file says
// how many rows it has. A violation would need an encoding, a level or a length to be wrong for some mixture of values.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { readFooter } from '../../../core/parquet/footer.ts';
import { sameBytes } from '../../../core/parquet/same-bytes.ts';
import { decodeParquet } from '../../../platform/parquet/decode.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { encodeParquet } from '../../support/builders/in-one-go.ts';
import { everyFileKind, rowsFrom } from '../../support/parquet/rows.ts';
import { assertSameRows } from '../../support/parquet/same-rows.ts';

const numRuns = cases(40);

describe('a file read back holds the rows that were written', () => {
  for (const { name, dataset } of everyFileKind) {
    it(name, () => {
      fc.assert(
        fc.property(fc.nat(), fc.oneof(fc.nat(12), fc.nat(700)), (seed, count) => {
          const rows = rowsFrom(dataset, seed, count);
          const bytes = encodeParquet(dataset, rows, new Map([['sds.dataset', name]]));
          assertSameRows(decodeParquet(dataset, bytes), rows);
          assert.ok(sameBytes(encodeParquet(dataset, structuredClone(rows), new Map([['sds.dataset', name]])), bytes));
          const footer = readFooter(bytes);
          assert.equal(footer.rows, count);
          assert.equal(footer.metadata.get('sds.row_count'), String(count));
          assert.equal(footer.metadata.get('sds.dataset'), name);
        }),
        { numRuns },
      );
    });
  }
});

it('holds more rows than one row group takes', () => {
  const rows = rowsFrom(sportsbookLines, 7, 40_000);
  const bytes = encodeParquet(sportsbookLines, rows, new Map());
  assert.equal(readFooter(bytes).groups.length, 2);
  assertSameRows(decodeParquet(sportsbookLines, bytes), rows);
});
