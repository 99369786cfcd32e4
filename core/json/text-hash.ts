// Texts that are there in pieces, for a hash. A call of it for each piece costs more than hashing it, and to put them together first is to copy
// them twice.
import { createHash, type Hash } from 'node:crypto';

const mostBytesOfUnit = 3;
const newline = 0x0a;
const buffer = Buffer.allocUnsafe(64 * 1024);

/** Hashes the texts in UTF-8, one behind the other, each with a newline behind it where `inLines`. */
export function hashTexts(hash: Hash, texts: readonly string[], inLines = false): Hash {
  let filled = 0;
  for (const text of texts) {
    const most = text.length * mostBytesOfUnit + 1;
    if (filled + most > buffer.length) {
      hash.update(buffer.subarray(0, filled));
      filled = 0;
    }
    if (most > buffer.length) hash.update(text, 'utf8');
    else filled += buffer.write(text, filled, 'utf8');
    if (inLines) {
      buffer[filled] = newline;
      filled += 1;
    }
  }
  return hash.update(buffer.subarray(0, filled));
}

/** SHA-256 (hex) of the texts in UTF-8, one behind the other. */
export function sha256OfTexts(texts: readonly string[]): string {
  return hashTexts(createHash('sha256'), texts).digest('hex');
}
