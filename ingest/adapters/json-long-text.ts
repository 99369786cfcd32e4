// A long text in the bytes of a body, decoded as it stands: a parser would hold it three times over.

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;

/** A text of so many bytes is worth the look whether it can be taken as it stands. */
const longBytes = 64 * 1024;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text that stands, with its quotes, at [start, end) of UTF-8 bytes; null of one that is short or has escapes, and of anything else. */
export function longTextIn(bytes: Uint8Array, start: number, end: number): string | null {
  if (end - start < longBytes || bytes[start] !== quote || bytes[end - 1] !== quote) return null;
  for (let at = start + 1; at < end - 1; at += 1) {
    const code = bytes[at] as number;
    if (code < space || code === quote || code === backslash) return null;
  }
  return decoder.decode(bytes.subarray(start + 1, end - 1));
}
