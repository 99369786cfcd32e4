// The entropy coders of zstd (RFC 8878, 4): FSE and Huffman tables, as they are described and as they decode.

export type Fse = { log: number; symbol: Uint8Array; bits: Uint8Array; base: Uint16Array };
export type Huffman = { log: number; symbol: Uint8Array; bits: Uint8Array };

/** `count` times the same number. */
export const ones = (count: number, value = 1): number[] => new Array<number>(count).fill(value);

/** Bits from the end of a stream to its beginning, as the entropy coders write them. Before the beginning there are zeros. */
export class BackwardBits {
  at: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    const last = bytes.at(-1) ?? 0;
    if (last === 0) throw new Error('zstd: a stream without its end mark');
    this.#bytes = bytes;
    this.at = (bytes.length - 1) * 8 + 31 - Math.clz32(last);
  }

  /** At most 24 bits before the position. */
  peek(count: number): number {
    let from = this.at - count;
    let shift = 0;
    if (from < 0) {
      shift = -from;
      if (shift >= count) return 0;
      from = 0;
    }
    const byte = from >> 3;
    const bytes = this.#bytes;
    const word =
      (bytes[byte] ?? 0) |
      ((bytes[byte + 1] ?? 0) << 8) |
      ((bytes[byte + 2] ?? 0) << 16) |
      ((bytes[byte + 3] ?? 0) << 24);
    return ((word >>> (from & 7)) & ((1 << (count - shift)) - 1)) << shift;
  }

  read(count: number): number {
    if (count > 24) return this.read(count - 16) * 65_536 + this.read(16);
    const value = count === 0 ? 0 : this.peek(count);
    this.at -= count;
    return value;
  }
}

export function fseTable(counts: readonly number[], log: number): Fse {
  const size = 1 << log;
  const table: Fse = { log, symbol: new Uint8Array(size), bits: new Uint8Array(size), base: new Uint16Array(size) };
  const next = counts.map((count) => Math.abs(count));
  let high = size;
  for (const [symbol, count] of counts.entries()) if (count === -1) table.symbol[--high] = symbol;
  const step = (size >> 1) + (size >> 3) + 3;
  let place = 0;
  for (const [symbol, count] of counts.entries()) {
    for (let n = 0; n < count; n += 1) {
      table.symbol[place] = symbol;
      do place = (place + step) & (size - 1);
      while (place >= high);
    }
  }
  for (let state = 0; state < size; state += 1) {
    const symbol = table.symbol[state] ?? 0;
    const value = next[symbol] ?? 1;
    next[symbol] = value + 1;
    const bits = log - (31 - Math.clz32(value));
    table.bits[state] = bits;
    table.base[state] = (value << bits) - size;
  }
  return table;
}

/** A table as it is described from `at` on, and where its description ends. */
export function readFse(bytes: Uint8Array, at: number): { table: Fse; end: number } {
  let bit = at * 8;
  const read = (count: number): number => {
    let value = 0;
    for (let n = 0; n < count; n += 1, bit += 1) value |= (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1) << n;
    return value;
  };
  const log = read(4) + 5;
  const counts: number[] = [];
  for (let left = 1 << log; left > 0; ) {
    const width = 32 - Math.clz32(left + 1);
    let value = read(width);
    const low = (1 << (width - 1)) - 1;
    const threshold = (1 << width) - 1 - (left + 1);
    if ((value & low) < threshold) {
      bit -= 1;
      value &= low;
    } else if (value > low) value -= threshold;
    const count = value - 1;
    left -= Math.abs(count);
    counts.push(count);
    if (count !== 0) continue;
    for (let repeated = 3; repeated === 3; ) {
      repeated = read(2);
      counts.push(...ones(repeated, 0));
    }
  }
  return { table: fseTable(counts, log), end: (bit + 7) >> 3 };
}

export function readHuffman(bytes: Uint8Array, at: number): { table: Huffman; end: number } {
  const head = bytes[at] ?? 0;
  const from = at + 1;
  const weights: number[] = [];
  let end = from + head;
  if (head >= 128) {
    const count = head - 127;
    for (let n = 0; n < count; n += 1) weights.push(((bytes[from + (n >> 1)] ?? 0) >> (n % 2 === 0 ? 4 : 0)) & 15);
    end = from + ((count + 1) >> 1);
  } else {
    const { table, end: begin } = readFse(bytes.subarray(0, end), from);
    const bits = new BackwardBits(bytes.subarray(begin, end));
    const states = [bits.read(table.log), bits.read(table.log)] as [number, number];
    for (let turn = 0; ; turn ^= 1) {
      const state = states[turn] ?? 0;
      weights.push(table.symbol[state] ?? 0);
      states[turn] = (table.base[state] ?? 0) + bits.read(table.bits[state] ?? 0);
      if (bits.at >= 0) continue;
      weights.push(table.symbol[states[turn ^ 1] ?? 0] ?? 0);
      break;
    }
  }
  const sum = weights.reduce((total, weight) => total + (weight > 0 ? 1 << (weight - 1) : 0), 0);
  const log = 32 - Math.clz32(sum);
  weights.push(32 - Math.clz32((1 << log) - sum));
  const table: Huffman = { log, symbol: new Uint8Array(1 << log), bits: new Uint8Array(1 << log) };
  let place = 0;
  for (let weight = 1; weight <= log; weight += 1) {
    for (const [symbol, own] of weights.entries()) {
      if (own !== weight) continue;
      const until = place + (1 << (weight - 1));
      table.symbol.fill(symbol, place, until);
      table.bits.fill(log + 1 - weight, place, until);
      place = until;
    }
  }
  return { table, end };
}

export function decodeHuffman({ log, symbol, bits }: Huffman, bytes: Uint8Array, out: Uint8Array): void {
  const stream = new BackwardBits(bytes);
  for (let at = 0; at < out.length; at += 1) {
    const code = stream.peek(log);
    out[at] = symbol[code] ?? 0;
    stream.at -= bits[code] ?? 0;
  }
}
