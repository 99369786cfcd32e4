// The digest of a state, and the order of its rows (docs/revisions.md#digest). The owner of the state keeps the lines, so that a small
// change costs its own lines and one pass of SHA-256.
import type { Dataset } from '../../schemas/datasets/column.ts';
import { hashTexts } from '../json/text-hash.ts';
import { compareUtf8 } from '../live/utf8-order.ts';
import type { CanonicalRow } from './canonical-row.ts';

/** SHA-256 (hex) of the canonical lines in key order, each followed by a newline. docs/revisions.md#digest. */
export function stateDigest(lines: readonly string[]): string {
  return hashTexts(lines, { textOf: (line) => line, inLines: true }).sha256;
}

type Keyed = { readonly row: CanonicalRow };

/** The order of a state's rows: by primary key, column after column, strings by UTF-8 bytes and numbers by value. docs/revisions.md#digest. */
export function rowOrder({ primaryKey }: Pick<Dataset, 'primaryKey'>): (a: Keyed, b: Keyed) => number {
  return (a, b) => {
    for (const name of primaryKey) {
      const difference = compareKeys(a.row[name], b.row[name]);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

function compareKeys(a: CanonicalRow[string] | undefined, b: CanonicalRow[string] | undefined): number {
  if (typeof a === 'string' && typeof b === 'string') return a === b ? 0 : compareUtf8(a, b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  throw new Error('a key is neither text nor a number');
}
