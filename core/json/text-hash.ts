// The SHA-256 of a sequence of texts. Hashing each text in a separate call costs more than the hashing itself, and concatenating them first
// copies them twice. If the sequence begins like a previously hashed one, it continues from there.
import { createHash, type Hash } from 'node:crypto';

/** A finished hash. `marks`: the hash state after the first `count` items, at regular byte intervals. */
export type Hashed<Item> = {
  readonly sha256: string;
  readonly items: readonly Item[];
  readonly marks: readonly { readonly count: number; readonly hash: Hash }[];
};

/** The text of an item, which must not change while the item exists; followed by a newline if `inLines`. */
type Hashing<Item> = { readonly textOf: (item: Item) => string; readonly inLines: boolean };

const mostBytesOfUnit = 3;
const newline = 0x0a;
/** Filled before each call of the hash, and between two marks. */
const buffer = Buffer.allocUnsafe(64 * 1024);

/** Hashes the texts of items in UTF-8. `before`, hashed in the same way, only saves work. */
export function hashTexts<Item>(
  items: readonly Item[],
  { textOf, inLines }: Hashing<Item>,
  before: Hashed<Item> | null = null,
): Hashed<Item> {
  const marks = before === null ? [] : marksOf(before, sameItems(before.items, items));
  const last = marks.at(-1);
  const hash = last?.hash.copy() ?? createHash('sha256');
  let filled = 0;
  for (let at = last?.count ?? 0; at < items.length; at += 1) {
    const text = textOf(items[at] as Item);
    const most = text.length * mostBytesOfUnit + 1;
    if (filled + most > buffer.length) {
      hash.update(buffer.subarray(0, filled));
      filled = 0;
      marks.push({ count: at, hash: hash.copy() });
    }
    if (most > buffer.length) hash.update(text, 'utf8');
    else filled += buffer.write(text, filled, 'utf8');
    if (inLines) {
      buffer[filled] = newline;
      filled += 1;
    }
  }
  return { sha256: hash.update(buffer.subarray(0, filled)).digest('hex'), items, marks };
}

function sameItems<Item>(before: readonly Item[], items: readonly Item[]): number {
  const least = Math.min(before.length, items.length);
  let same = 0;
  while (same < least && before[same] === items[same]) same += 1;
  return same;
}

/** The marks within the first `count` items. */
function marksOf({ marks }: Hashed<unknown>, count: number): { count: number; hash: Hash }[] {
  return marks.filter((mark) => mark.count <= count);
}
