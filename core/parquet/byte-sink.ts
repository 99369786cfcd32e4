// A growing byte buffer for thrift, pages and whole files. Little endian, as Parquet is. `clear` makes it reusable; `toBytes` copies, so
// its result never changes.

const twoTo32 = 4_294_967_296;

/** A buffer that has grown larger than this is not kept for the next file. */
const largestKept = 4_194_304;

export class ByteSink {
  bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Empties the sink, and keeps its buffer unless that has grown large. */
  clear(): void {
    this.length = 0;
    if (this.bytes.length > largestKept) this.bytes = new Uint8Array(1024);
  }

  /** Makes room for `more` bytes behind `length`. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  int32(value: number): void {
    this.reserve(4);
    this.bytes[this.length++] = value;
    this.bytes[this.length++] = value >> 8;
    this.bytes[this.length++] = value >> 16;
    this.bytes[this.length++] = value >> 24;
  }

  /** Overwrites four bytes that were written before. */
  patchInt32(at: number, value: number): void {
    const { length } = this;
    this.length = at;
    this.int32(value);
    this.length = length;
  }

  /** A safe integer in eight bytes, two's complement. */
  int64(value: number): void {
    const high = Math.floor(value / twoTo32);
    this.int32(value - high * twoTo32);
    this.int32(high);
  }

  /** A non-negative safe integer, seven bits a byte. */
  varint(value: number): void {
    this.reserve(10);
    let rest = value;
    while (rest > 127) {
      this.bytes[this.length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.length++] = rest;
  }

  /** A signed integer of at most 52 bits as a varint, small absolute values in few bytes. */
  zigzag(value: number): void {
    this.varint(value < 0 ? value * -2 - 1 : value * 2);
  }

  raw(source: Uint8Array, start = 0, end = source.length): void {
    this.reserve(end - start);
    if (end - start < 24) {
      for (let at = start; at < end; at++) this.bytes[this.length++] = source[at]!;
      return;
    }
    this.bytes.set(source.subarray(start, end), this.length);
    this.length += end - start;
  }

  /** `text` as UTF-8, without its length. */
  text(text: string): void {
    this.reserve(text.length * 3);
    const { bytes } = this;
    let at = this.length;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit > 127) {
        this.length += utf8.encodeInto(text, bytes.subarray(this.length)).written;
        return;
      }
      bytes[at++] = unit;
    }
    this.length = at;
  }

  toBytes(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }
}

const utf8 = new TextEncoder();
