// The SHA-256 of texts that stand one behind the other. A call of the hash for each costs more than hashing it, and to put them together first
// is to copy them twice. Where they begin as others did that were hashed before, it goes on from there.
import { createHash, type Hash } from 'node:crypto';

/** Texts that were hashed. `marks`: the hash of the first `count` of them, at every so many bytes. */
export type HashedTexts = {
  readonly sha256: string;
  readonly texts: readonly string[];
  readonly marks: readonly { readonly count: number; readonly hash: Hash }[];
};

const mostBytesOfUnit = 3;
const newline = 0x0a;
/** Filled before it is hashed, and between two marks. */
const buffer = Buffer.allocUnsafe(64 * 1024);

/**
 * Hashes texts in UTF-8, each with a newline behind it where `inLines`. `before`, which was hashed in the same way, is only asked what of the work
 * is done.
 */
export function hashTexts(texts: readonly string[], inLines = false, before: HashedTexts | null = null): HashedTexts {
  const marks = before === null ? [] : marksOf(before, sameTexts(before.texts, texts));
  const last = marks.at(-1);
  const hash = last?.hash.copy() ?? createHash('sha256');
  let filled = 0;
  for (let at = last?.count ?? 0; at < texts.length; at += 1) {
    const text = texts[at] as string;
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
  return { sha256: hash.update(buffer.subarray(0, filled)).digest('hex'), texts, marks };
}

function sameTexts(before: readonly string[], texts: readonly string[]): number {
  const least = Math.min(before.length, texts.length);
  let same = 0;
  while (same < least && before[same] === texts[same]) same += 1;
  return same;
}

/** The marks of the first `count` texts. */
function marksOf({ marks }: HashedTexts, count: number): { count: number; hash: Hash }[] {
  return marks.filter((mark) => mark.count <= count);
}
