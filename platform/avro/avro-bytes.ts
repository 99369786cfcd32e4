// Reads Avro's primitive values from untrusted bytes. Checks every length against the remaining bytes before it allocates, so no record can
// cost more memory than its own size. Independent of schemas.
import { isUtf8 } from 'node:buffer';

/** The bytes are not a value of the schema. The codec turns it into a reason, so it never leaves platform/avro. */
export class BadBytes extends Error {
  override readonly name = 'BadBytes';
}

/**
 * Longest string, in bytes, unless the topic allows longer ones: nothing else that we store is longer (docs/interface.md#transport-limits).
 */
const maxStringBytes = 65_536;

/** Deepest nesting of records: ours have five levels; a recursive foreign schema could have any number. */
const maxDepth = 32;

// Feeds repeat the same few thousand texts (markets, selections, prices, teams); finding a shared string is faster than creating one.
const maxSharedLength = 40;
const sharedSlots = 8192;

export class AvroBytes {
  private bytes: Buffer = Buffer.alloc(0);
  private at = 0;
  private end = 0;
  private depth = 0;
  private readonly longestString: number;
  private readonly shared: (string | undefined)[] = new Array<string | undefined>(sharedSlots).fill(undefined);

  constructor(longestString: number = maxStringBytes) {
    this.longestString = longestString;
  }

  /** Starts reading other bytes. */
  open(bytes: Buffer, from: number): void {
    this.bytes = bytes;
    this.at = from;
    this.end = bytes.length;
    this.depth = 0;
  }

  /** Drops the bytes, so that the reader keeps no batch alive. */
  release(): void {
    this.bytes = Buffer.alloc(0);
  }

  get left(): number {
    return this.end - this.at;
  }

  enterRecord(): void {
    this.depth += 1;
    if (this.depth > maxDepth) throw new BadBytes('records nested too deeply');
  }

  leaveRecord(): void {
    this.depth -= 1;
  }

  readByte(): number {
    if (this.at >= this.end) throw new BadBytes('bytes end early');
    return this.bytes[this.at++] as number;
  }

  readBoolean(): boolean {
    const byte = this.readByte();
    if (byte > 1) throw new BadBytes('a boolean is neither 0 nor 1');
    return byte === 1;
  }

  /** @throws BadBytes for a number beyond 2^53 */
  readLong(): number {
    const value = this.readAnyLong();
    if (!Number.isFinite(value)) throw new BadBytes('a number is beyond 2^53');
    return value;
  }

  /** A long that a later rule checks. Beyond 2^53 it becomes an infinity: not a safe integer, and outside every bound on the right side. */
  readAnyLong(): number {
    const first = this.readByte();
    if (first < 0x80) return (first >>> 1) ^ -(first & 1);
    // The lowest bit is the sign; summing the rest keeps every safe integer exact.
    let half = (first & 0x7f) >>> 1;
    let scale = 64;
    for (let group = 1; group < 10; group++) {
      const byte = this.readByte();
      half += (byte & 0x7f) * scale;
      if (byte < 0x80) return exactly((first & 1) === 0 ? half : -half - 1);
      scale *= 128;
    }
    throw new BadBytes('a number has more than ten bytes');
  }

  skipLong(): void {
    for (let group = 0; group < 10; group++) {
      if (this.readByte() < 0x80) return;
    }
    throw new BadBytes('a number has more than ten bytes');
  }

  readInt(): number {
    const value = this.readLong();
    if (value !== (value | 0)) throw new BadBytes('an int is beyond 32 bits');
    return value;
  }

  readFloat(): number {
    const from = this.take(4);
    return this.bytes.readFloatLE(from);
  }

  readDouble(): number {
    const from = this.take(8);
    return this.bytes.readDoubleLE(from);
  }

  readBytes(length: number = this.readLong()): Buffer {
    const from = this.take(length);
    return this.bytes.subarray(from, from + length);
  }

  readString(): string {
    const length = this.readLong();
    if (length > this.longestString) throw new BadBytes(`a string has ${length} bytes`);
    const from = this.take(length);
    return length <= maxSharedLength ? this.sharedString(from, length) : this.freshString(from, length);
  }

  private sharedString(from: number, length: number): string {
    const { bytes, shared } = this;
    let hash = length;
    for (let at = from; at < from + length; at++) {
      const byte = bytes[at] as number;
      if (byte >= 0x80) return this.freshString(from, length);
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    const slot = (hash ^ (hash >>> 15)) & (sharedSlots - 1);
    const held = shared[slot];
    if (held !== undefined && held.length === length && this.spells(from, held)) return held;
    const text = bytes.toString('latin1', from, from + length);
    shared[slot] = text;
    return text;
  }

  private spells(from: number, text: string): boolean {
    for (let at = 0; at < text.length; at++) {
      if (this.bytes[from + at] !== text.charCodeAt(at)) return false;
    }
    return true;
  }

  private freshString(from: number, length: number): string {
    if (!isUtf8(this.bytes.subarray(from, from + length))) throw new BadBytes('a string is not UTF-8');
    return this.bytes.toString('utf8', from, from + length);
  }

  /** The number of items of an array's or a map's next block; 0 ends it. */
  readBlock(): number {
    let count = this.readLong();
    if (count < 0) {
      count = -count;
      const size = this.readLong();
      if (size < 0 || size > this.left) throw new BadBytes('a block is longer than the bytes');
    }
    // An item takes at least one byte. (An array of nulls would not, but our schemas have none.)
    if (count > this.left) throw new BadBytes(`a block of ${count} items in ${this.left} bytes`);
    return count;
  }

  skip(length: number): void {
    this.take(length);
  }

  /** Moves past `length` bytes and returns where they began. */
  private take(length: number): number {
    if (length < 0) throw new BadBytes('a negative length');
    if (length > this.end - this.at) throw new BadBytes(`${length} bytes expected, ${this.end - this.at} left`);
    const from = this.at;
    this.at += length;
    return from;
  }
}

/** The number if it is exact, otherwise the infinity of its sign. */
function exactly(value: number): number {
  if (Number.isSafeInteger(value)) return value;
  return value > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}
