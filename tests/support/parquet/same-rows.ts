// Compares rows and reports the first difference only: a full comparison of thousands of rows helps no reader.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

type Rows = readonly Readonly<Record<string, unknown>>[];

export function assertSameRows(actual: Rows, expected: Rows): void {
  for (const [index, row] of expected.entries()) {
    const other = actual[index];
    if (isDeepStrictEqual(other, row)) continue;
    const column = Object.keys(row).find((name) => !isDeepStrictEqual(other?.[name], row[name]));
    assert.deepEqual(other, row, `row ${index} of ${expected.length}, column ${column}`);
  }
  assert.equal(actual.length, expected.length, 'number of rows');
}
