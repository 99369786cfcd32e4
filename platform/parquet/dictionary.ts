// Finds the distinct values of a column and the code of each value. Gives up as soon as the values repeat too little for a dictionary to be
// smaller.

const largest = 32_768;

/** The codes of the current values, `distinct` of them different. Reused from column to column. */
export abstract class Codes<Entries> {
  /** The distinct values, in order of first occurrence. */
  abstract readonly entries: Entries;
  codes = new Uint32Array(1024);
  distinct = 0;

  /** Whether few enough of `count` values are distinct for a dictionary to pay. */
  repeats(count: number): boolean {
    return this.distinct <= Codes.limit(count);
  }

  protected begin(count: number): void {
    if (count > this.codes.length) this.codes = new Uint32Array(Math.max(count, this.codes.length * 2));
    this.distinct = 0;
  }

  /** With more distinct values than this, a dictionary does not pay. */
  protected static limit(count: number): number {
    return Math.min(largest, count >> 1);
  }
}

export class TextCodes extends Codes<readonly string[]> {
  readonly entries: string[] = [];

  /** Whether `texts` has few enough distinct values. */
  take(texts: readonly string[]): boolean {
    this.begin(texts.length);
    const { codes, entries } = this;
    const limit = Codes.limit(texts.length);
    const known = new Map<string, number>();
    entries.length = 0;
    let last: string | undefined;
    let code = -1;
    for (let index = 0; index < texts.length; index++) {
      const text = texts[index]!;
      if (text !== last) {
        const found = known.get(text);
        if (found === undefined) {
          code = entries.length;
          if (code === limit) return false;
          known.set(text, code);
          entries.push(text);
        } else code = found;
        last = text;
      }
      codes[index] = code;
    }
    this.distinct = entries.length;
    return true;
  }
}

export class NumberCodes extends Codes<Float64Array> {
  entries = new Float64Array(512);
  /** An open hash table of codes + 1. */
  private table = new Uint32Array(2048);

  /** Whether the first `count` of `numbers` have few enough distinct values. */
  take(numbers: Float64Array, count: number): boolean {
    this.begin(count);
    const { codes } = this;
    const limit = Codes.limit(count);
    if (limit > this.entries.length) this.entries = new Float64Array(Math.max(limit, this.entries.length * 2));
    const { entries } = this;
    const bits = 34 - Math.clz32(limit);
    const size = 1 << bits;
    if (size > this.table.length) this.table = new Uint32Array(size);
    const { table } = this;
    table.fill(0, 0, size);
    let distinct = 0;
    for (let index = 0; index < count; index++) {
      const value = numbers[index]!;
      const high = Math.floor(value / 4_294_967_296);
      let slot = Math.imul((value - high * 4_294_967_296) ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b) >>> (32 - bits);
      while (table[slot] !== 0 && entries[table[slot]! - 1] !== value) slot = (slot + 1) & (size - 1);
      if (table[slot] === 0) {
        if (distinct === limit) return false;
        entries[distinct++] = value;
        table[slot] = distinct;
      }
      codes[index] = table[slot]! - 1;
    }
    this.distinct = distinct;
    return true;
  }
}
