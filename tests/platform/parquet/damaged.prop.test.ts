// Claim: reading a file of any bytes quickly gives rows without holes or a ParquetFormatError. A violation would need a length, a code or a
// count of the file to be used before it is checked against the file.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { readFooter } from '../../../core/parquet/footer.ts';
import { ParquetFormatError } from '../../../core/parquet/thrift-reader.ts';
import { decodeParquet } from '../../../platform/parquet/decode.ts';
import { BodyReader } from '../../../platform/parquet/read-values.ts';
import type { Dataset } from '../../../schemas/datasets/column.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { encodeParquet } from '../../support/builders/in-one-go.ts';
import { everyFileKind, rowsFrom } from '../../support/parquet/rows.ts';

const kinds = ['closing-lines', 'sportsbook-lines', 'game-state'].map(
  (name) => everyFileKind.find((kind) => kind.name === name)!,
);

/** The number of rows, or 'refused'; any other error fails the test. */
function read(dataset: Dataset, bytes: Uint8Array): number | 'refused' {
  try {
    const rows = decodeParquet(dataset, bytes);
    // No value was invented for bytes that are missing.
    const holes = rows
      .flatMap((row) => Object.values(row))
      .filter((value) => value === undefined || Number.isNaN(value));
    assert.equal(holes.length, 0);
    return rows.length;
  } catch (error) {
    assert.ok(error instanceof ParquetFormatError, String(error instanceof Error ? error.stack : error));
    return 'refused';
  }
}

describe('a file with other bytes', () => {
  for (const { name, dataset } of kinds) {
    // With compressed and with stored pages.
    for (const count of [20, 700]) {
      const bytes = encodeParquet(dataset, rowsFrom(dataset, 12, count) as never, new Map());

      it(`${name}, ${count} rows, one byte another`, () => {
        const at = Math.ceil(bytes.length / cases(800));
        let refused = 0;
        for (let place = 4; place < bytes.length - 8; place += at) {
          for (const value of [0xff, bytes[place]! ^ 1]) {
            const hurt = bytes.slice();
            hurt[place] = value;
            if (read(dataset, hurt) === 'refused') refused += 1;
          }
        }
        assert.ok(refused > cases(200), `${refused} refused`);
      });

      it(`${name}, ${count} rows, a stretch of others`, () => {
        const { start } = readFooter(bytes);
        const stretch = fc.uint8Array({ minLength: 1, maxLength: 30 });
        fc.assert(
          fc.property(fc.nat(start - 5), stretch, (from, others) => {
            const hurt = bytes.slice();
            hurt.set(others.subarray(0, start - 4 - from), 4 + from);
            read(dataset, hurt);
          }),
          { numRuns: cases(150) },
        );
      });
    }
  }
});

describe('the bytes of a page', () => {
  it('are values, or refused', () => {
    const read = {
      levels: (body: BodyReader, count: number) => body.levels(count),
      codes: (body: BodyReader, count: number) => body.fillCodes(new Uint32Array(count)),
      numbers: (body: BodyReader, count: number) => body.numbers(count, 1),
      flags: (body: BodyReader, count: number) => body.flags(count),
      texts: (body: BodyReader, count: number) => body.texts(count),
      steps: (body: BodyReader, count: number) => body.steps(count),
    };
    const asked = fc.constantFrom(...(Object.keys(read) as (keyof typeof read)[]));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(60), asked, (bytes, count, what) => {
        const body = new BodyReader(bytes);
        try {
          const values = read[what](body, count);
          assert.equal(values.length, count);
        } catch (error) {
          assert.ok(error instanceof ParquetFormatError, String(error));
        }
      }),
      { numRuns: cases(3_000) },
    );
  });

  it('are not read beyond their end', () => {
    // Eight codes of one byte, seven of which are present.
    assert.throws(
      () => new BodyReader(Uint8Array.of(8, 3, 1, 2, 3, 4, 5, 6, 7)).fillCodes(new Uint32Array(8)),
      ParquetFormatError,
    );
    assert.deepEqual(
      [...new BodyReader(Uint8Array.of(8, 3, 1, 2, 3, 4, 5, 6, 7, 8)).fillCodes(new Uint32Array(8))],
      [1, 2, 3, 4, 5, 6, 7, 8],
    );
    // A run of nine with room for eight, then a level of two.
    assert.throws(() => new BodyReader(Uint8Array.of(8, 18, 1)).fillCodes(new Uint32Array(8)), ParquetFormatError);
    assert.throws(() => new BodyReader(Uint8Array.of(2, 0, 0, 0, 16, 2)).levels(8), ParquetFormatError);
    // Texts whose lengths lead out of the page.
    assert.throws(() => new BodyReader(Uint8Array.of(2, 0, 0, 0, 65)).texts(1), ParquetFormatError);
    assert.throws(() => new BodyReader(Uint8Array.of(1, 0, 0, 0, 65)).texts(1_000_000), ParquetFormatError);
  });
});
