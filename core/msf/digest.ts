// The digest of a state, and the order of rows that it is made in (decisions.md 25). Lines are kept by whoever keeps the state, so that
// a small change costs its own lines and one pass of SHA-256.
import { createHash } from 'node:crypto';
import type { Dataset } from '../../schemas/datasets/column.ts';
import { compareUtf8 } from '../live/utf8-order.ts';
import type { CanonicalRow } from './canonical-row.ts';

/** Lines are handed to the hash in pieces of this size: a call per line costs more than its hashing. */
const pieceBytes = 64 * 1024;
const piece = Buffer.allocUnsafe(pieceBytes);
const newline = 0x0a;
const mostBytesPerUnit = 3;

/** SHA-256 (hex) of the canonical lines in key order, each with a newline behind it. decisions.md 25. */
export function stateDigest(lines: Iterable<string>): string {
  const hash = createHash('sha256');
  let filled = 0;
  for (const line of lines) {
    const most = line.length * mostBytesPerUnit + 1;
    if (filled + most > pieceBytes) {
      hash.update(piece.subarray(0, filled));
      filled = 0;
    }
    if (most > pieceBytes) {
      hash.update(`${line}\n`, 'utf8');
      continue;
    }
    filled += piece.write(line, filled, 'utf8');
    piece[filled] = newline;
    filled += 1;
  }
  return hash.update(piece.subarray(0, filled)).digest('hex');
}

type Keyed = { readonly row: CanonicalRow };

/** The order of a state's rows: by primary key, column after column, strings by UTF-8 bytes and numbers by value. decisions.md 25. */
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
