// Decodes a long string directly from the bytes of a body: a parser would hold it in memory three times.

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;

/** From this size on, it pays to check whether a string can be decoded directly. */
const longBytes = 64 * 1024;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The string at [start, end), quotes included, of UTF-8 bytes; null if it is short, has escapes, or is not a string. */
export function longTextIn(bytes: Uint8Array, start: number, end: number): string | null {
  if (end - start < longBytes || bytes[start] !== quote || bytes[end - 1] !== quote) return null;
  for (let at = start + 1; at < end - 1; at += 1) {
    const code = bytes[at] as number;
    if (code < space || code === quote || code === backslash) return null;
  }
  return decoder.decode(bytes.subarray(start + 1, end - 1));
}
