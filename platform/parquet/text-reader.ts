// Text out of Arrow's bytes. Columns repeat their texts, so each is decoded once and then found again by its bytes: quicker than
// decoding, and the rows of a file share their strings.

type Known = { readonly start: number; readonly length: number; readonly text: string };

/** Beyond this many different texts a column hardly repeats, and its texts are just decoded. */
const mostKnown = 4_096;

export class TextReader {
  private readonly bytes: Uint8Array;
  private readonly buffer: Buffer;
  /** A hash table, never more than half full. */
  private readonly known: (Known | undefined)[];
  private free: number;

  /** For `count` texts. */
  constructor(bytes: Uint8Array, count: number) {
    this.free = Math.min(count, mostKnown);
    this.known = new Array(2 ** (33 - Math.clz32(this.free)));
    this.bytes = bytes;
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The text of `bytes[start, end)`. */
  read(start: number, end: number): string {
    const { bytes, known } = this;
    let hash = end - start;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
    const last = known.length - 1;
    let slot = (hash ^ (hash >>> 15)) & last;
    for (let entry = known[slot]; entry; entry = known[slot]) {
      if (this.equal(entry, start, end)) return entry.text;
      slot = (slot + 1) & last;
    }
    const text = this.buffer.toString('utf8', start, end);
    if (this.free > 0) {
      known[slot] = { start, length: end - start, text };
      this.free--;
    }
    return text;
  }

  private equal(entry: Known, start: number, end: number): boolean {
    if (entry.length !== end - start) return false;
    const { bytes } = this;
    for (let at = 0; at < entry.length; at++) if (bytes[entry.start + at] !== bytes[start + at]) return false;
    return true;
  }
}
