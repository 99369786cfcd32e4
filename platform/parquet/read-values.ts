// Reads values and levels from the bytes of a page: the reverse of values.ts and runs.ts. Whatever the bytes are, it never reads beyond
// them, and it returns exactly as many values as requested or throws a ParquetFormatError.
import { ParquetFormatError } from '../../core/parquet/thrift-reader.ts';
import { physical } from './layout.ts';

const twoTo32 = 4_294_967_296;
/** A code plus the leftover bits of the previous byte must fit into 32 bits. */
const mostBits = 24;

/** Reads a page's body from the front. */
export class BodyReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** `count` one-bit levels, preceded by their length. */
  levels(count: number): Uint8Array {
    const end = this.#lengthAhead();
    const levels = new Uint8Array(count);
    this.#runs(levels, 1, end);
    this.#at = end;
    return levels;
  }

  /** Fills `codes`; the bit width comes first. */
  fillCodes(codes: Uint32Array): Uint32Array {
    if (this.#at >= this.#bytes.length) throw cutOff();
    const bits = this.#bytes[this.#at++]!;
    if (bits > mostBits) throw new ParquetFormatError(`a page has codes of ${bits} bits`);
    this.#runs(codes, bits, this.#bytes.length);
    return codes;
  }

  numbers(count: number, type: number): Float64Array {
    const width = type === physical.int32 ? 4 : 8;
    this.#expect(count * width);
    const numbers = new Float64Array(count);
    const view = this.#view;
    let at = this.#at;
    if (type === physical.int32) {
      for (let index = 0; index < count; index++, at += 4) numbers[index] = view.getInt32(at, true);
    } else {
      for (let index = 0; index < count; index++, at += 8)
        numbers[index] = view.getInt32(at + 4, true) * twoTo32 + view.getUint32(at, true);
    }
    this.#at = at;
    return numbers;
  }

  flags(count: number): Float64Array {
    this.#expect((count + 7) >> 3);
    const flags = new Float64Array(count);
    for (let index = 0; index < count; index++)
      flags[index] = (this.#bytes[this.#at + (index >> 3)]! >> (index & 7)) & 1;
    this.#at += (count + 7) >> 3;
    return flags;
  }

  texts(count: number): string[] {
    const buffer = Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    // Each takes at least four bytes: refuse an impossible count before allocating.
    this.#expect(count * 4);
    const texts = new Array<string>(count);
    for (let index = 0; index < count; index++) {
      const end = this.#lengthAhead();
      texts[index] = buffer.toString('utf8', this.#at, end);
      this.#at = end;
    }
    return texts;
  }

  /** Evenly spaced numbers: DELTA_BINARY_PACKED with deltas of zero bits. */
  steps(count: number): Float64Array {
    const [blockValues, blockParts, values, first] = [this.#varint(), this.#varint(), this.#varint(), this.#zigzag()];
    if (values !== count || blockValues !== 128 || blockParts !== 4) throw foreign();
    const numbers = new Float64Array(count);
    let value = first;
    if (count > 0) numbers[0] = value;
    for (let from = 1; from < count; from += blockValues) {
      const step = this.#zigzag();
      this.#expect(blockParts);
      for (let part = 0; part < blockParts; part++) if (this.#bytes[this.#at++] !== 0) throw foreign();
      const to = Math.min(count, from + blockValues);
      for (let index = from; index < to; index++) {
        value += step;
        numbers[index] = value;
      }
    }
    return numbers;
  }

  /** Checks that nothing is left. */
  end(): void {
    if (this.#at !== this.#bytes.length) throw new ParquetFormatError('bytes follow the values of a page');
  }

  /** Decodes runs and packed stretches up to byte `end` until `values` is full. */
  #runs(values: Uint8Array | Uint32Array, bits: number, end: number): void {
    const bytes = this.#bytes;
    const count = values.length;
    let filled = 0;
    while (filled < count) {
      const header = this.#varint();
      if (header % 2 === 1) {
        const length = ((header - 1) / 2) * bits;
        if (length > end - this.#at) throw cutOff();
        const packed = Math.min(count - filled, ((header - 1) / 2) * 8);
        unpack(bytes, this.#at, values, filled, filled + packed, bits);
        this.#at += length;
        filled += packed;
      } else {
        const length = header / 2;
        const width = (bits + 7) >> 3;
        if (length === 0 || length > count - filled || width > end - this.#at) throw cutOff();
        let value = 0;
        for (let byte = 0; byte < width; byte++) value |= bytes[this.#at++]! << (8 * byte);
        if (value >= 2 ** bits) throw foreign();
        values.fill(value, filled, filled + length);
        filled += length;
      }
    }
  }

  /** Reads a length prefix; returns where its content ends. */
  #lengthAhead(): number {
    this.#expect(4);
    const length = this.#view.getUint32(this.#at, true);
    this.#at += 4;
    this.#expect(length);
    return this.#at + length;
  }

  #expect(length: number): void {
    if (length > this.#bytes.length - this.#at) throw cutOff();
  }

  #varint(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 56; scale *= 128) {
      if (this.#at >= this.#bytes.length) throw cutOff();
      const byte = this.#bytes[this.#at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw foreign();
  }

  #zigzag(): number {
    const value = this.#varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

/** Unpacks `values[from, to)` of `bits` bits each, starting at byte `at`. */
function unpack(
  bytes: Uint8Array,
  at: number,
  values: Uint8Array | Uint32Array,
  from: number,
  to: number,
  bits: number,
): void {
  const mask = 2 ** bits - 1;
  let next = at;
  let buffer = 0;
  let held = 0;
  for (let index = from; index < to; index++) {
    while (held < bits) {
      buffer |= bytes[next++]! << held;
      held += 8;
    }
    values[index] = buffer & mask;
    buffer >>>= bits;
    held -= bits;
  }
}

function cutOff(): ParquetFormatError {
  return new ParquetFormatError('the values of a page end too early');
}

function foreign(): ParquetFormatError {
  return new ParquetFormatError('the values of a page use an encoding that this service does not write');
}
