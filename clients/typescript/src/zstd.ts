// Decompresses zstd (RFC 8878), the compression of the service's Parquet files, which neither Node 20 nor browsers can. No dictionaries. The
// checksum of a frame is not computed: files are proven by their SHA-256.
import {
  BackwardBits,
  decodeHuffman,
  type Fse,
  fseTable,
  type Huffman,
  ones,
  readFse,
  readHuffman,
} from './zstd-entropy.ts';

const litLengths = codes(
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 28, 32, 40, 48],
  64,
);
const matchLengths = codes(
  [...Array.from({ length: 32 }, (_, at) => at + 3), 35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99],
  131,
);
const litLengthsDefault = fseTable([4, 3, ...ones(11, 2), 1, 1, 1, ...ones(9, 2), 3, 2, ...ones(5), ...ones(4, -1)], 6);
const matchLengthsDefault = fseTable([1, 4, 3, ...ones(6, 2), ...ones(37), ...ones(7, -1)], 6);
const offsetsDefault = fseTable([...ones(6), 2, 2, 2, ...ones(15), ...ones(5, -1)], 5);

type Codes = { base: number[]; bits: number[] };

/** Codes by their first values up to `next`; from there on each covers twice as much as the one before. */
function codes(base: number[], next: number): Codes {
  const isLiterals = next === 64;
  for (let value = isLiterals ? 64 : 128; value <= 65_536; value *= 2) base.push(isLiterals ? value : value + 3);
  return { base, bits: base.map((value, at) => Math.log2((base[at + 1] ?? value + 65_536) - value)) };
}

/** What one block leaves for the next. */
type Carried = { huffman: Huffman | null; tables: (Fse | null)[]; offsets: [number, number, number] };

function readLiterals(bytes: Uint8Array, carried: Carried): { literals: Uint8Array; end: number } {
  const byte = (at: number): number => bytes[at] ?? 0;
  const kind = byte(0) & 3;
  const format = (byte(0) >> 2) & 3;
  if (kind < 2) {
    const head = (format & 1) === 0 ? 1 : format === 1 ? 2 : 3;
    const size = head === 1 ? byte(0) >> 3 : (byte(0) | (byte(1) << 8) | (head === 3 ? byte(2) << 16 : 0)) >> 4;
    if (kind === 1) return { literals: new Uint8Array(size).fill(byte(head)), end: head + 1 };
    return { literals: bytes.subarray(head, head + size), end: head + size };
  }
  const width = format < 2 ? 10 : format === 2 ? 14 : 18;
  const head = format < 2 ? 3 : format + 2;
  let value = 0;
  for (let at = head - 1; at >= 0; at -= 1) value = value * 256 + byte(at);
  value = Math.floor(value / 16);
  const literals = new Uint8Array(value % 2 ** width);
  const end = head + Math.floor(value / 2 ** width);
  let at = head;
  if (kind === 2) {
    const { table, end: after } = readHuffman(bytes, at);
    carried.huffman = table;
    at = after;
  }
  const { huffman } = carried;
  if (huffman === null) throw new Error('zstd: no Huffman table');
  if (format === 0) {
    decodeHuffman(huffman, bytes.subarray(at, end), literals);
    return { literals, end };
  }
  const part = (literals.length + 3) >> 2;
  let from = at + 6;
  for (let n = 0; n < 4; n += 1) {
    const until = n === 3 ? end : from + (byte(at + 2 * n) | (byte(at + 2 * n + 1) << 8));
    decodeHuffman(
      huffman,
      bytes.subarray(from, until),
      literals.subarray(n * part, n === 3 ? undefined : (n + 1) * part),
    );
    from = until;
  }
  return { literals, end };
}

/** Writes a compressed block at `to`; returns where it ends. */
function readBlock(bytes: Uint8Array, carried: Carried, out: Uint8Array, begin: number): number {
  const { literals, end } = readLiterals(bytes, carried);
  const byte = (place: number): number => bytes[place] ?? 0;
  let at = end;
  let to = begin;
  let literal = 0;
  let count = byte(at);
  if (count === 255) count = byte(at + 1) + (byte(at + 2) << 8) + 0x7f00;
  else if (count >= 128) count = ((count - 128) << 8) + byte(at + 1);
  at += byte(end) === 255 ? 3 : byte(end) >= 128 ? 2 : 1;
  if (count > 0) {
    const modes = byte(at);
    at += 1;
    const defaults = [litLengthsDefault, offsetsDefault, matchLengthsDefault];
    for (let n = 0; n < 3; n += 1) {
      const mode = (modes >> (6 - 2 * n)) & 3;
      if (mode === 0) carried.tables[n] = defaults[n] ?? null;
      else if (mode === 1) {
        carried.tables[n] = {
          log: 0,
          symbol: Uint8Array.of(byte(at)),
          bits: new Uint8Array(1),
          base: new Uint16Array(1),
        };
        at += 1;
      } else if (mode === 2) {
        const { table, end: after } = readFse(bytes, at);
        carried.tables[n] = table;
        at = after;
      }
    }
    const [lit, off, match] = carried.tables;
    if (!lit || !off || !match) throw new Error('zstd: no table to repeat');
    const bits = new BackwardBits(bytes.subarray(at));
    let litState = bits.read(lit.log);
    let offState = bits.read(off.log);
    let matchState = bits.read(match.log);
    const { offsets } = carried;
    for (let n = 0; n < count; n += 1) {
      const offCode = off.symbol[offState] ?? 0;
      const offValue = 2 ** offCode + bits.read(offCode);
      const matchCode = match.symbol[matchState] ?? 0;
      const matchLength = (matchLengths.base[matchCode] ?? 0) + bits.read(matchLengths.bits[matchCode] ?? 0);
      const litCode = lit.symbol[litState] ?? 0;
      const litLength = (litLengths.base[litCode] ?? 0) + bits.read(litLengths.bits[litCode] ?? 0);
      if (n < count - 1) {
        litState = (lit.base[litState] ?? 0) + bits.read(lit.bits[litState] ?? 0);
        matchState = (match.base[matchState] ?? 0) + bits.read(match.bits[matchState] ?? 0);
        offState = (off.base[offState] ?? 0) + bits.read(off.bits[offState] ?? 0);
      }
      const offset = offsetOf(offValue, litLength, offsets);
      out.set(literals.subarray(literal, literal + litLength), to);
      literal += litLength;
      to += litLength;
      const from = to - offset;
      if (from < 0 || offset === 0 || to + matchLength > out.length)
        throw new Error('zstd: a match outside of its frame');
      if (offset >= matchLength) out.copyWithin(to, from, from + matchLength);
      else for (let m = 0; m < matchLength; m += 1) out[to + m] = out[from + m] ?? 0;
      to += matchLength;
    }
  }
  out.set(literals.subarray(literal), to);
  return to + literals.length - literal;
}

/** The three offsets used last count as 1 to 3; without literals before it, one is meant by the next number. */
function offsetOf(value: number, litLength: number, used: [number, number, number]): number {
  const place = value > 3 ? 3 : value - 1 + (litLength === 0 ? 1 : 0);
  const offset = value > 3 ? value - 3 : place === 3 ? used[0] - 1 : (used[place] ?? 0);
  if (place > 1) used[2] = used[1];
  if (place > 0) used[1] = used[0];
  used[0] = offset;
  return offset;
}

/** The `size` bytes of all frames of `input`. */
export function inflateZstd(input: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  let at = 0;
  let to = 0;
  while (at < input.length) {
    const magic = view.getUint32(at, true);
    if (magic >>> 4 === 0x184d2a5) {
      at += 8 + view.getUint32(at + 4, true);
      continue;
    }
    if (magic !== 0xfd2fb528) throw new Error('zstd: not a frame');
    const descriptor = view.getUint8(at + 4);
    const isSingle = (descriptor & 32) !== 0;
    if ((descriptor & 3) !== 0) throw new Error('zstd: a frame with a dictionary');
    const sizeBytes = descriptor >> 6 === 0 ? Number(isSingle) : 1 << (descriptor >> 6);
    at += 5 + (isSingle ? 0 : 1) + sizeBytes;
    const carried: Carried = { huffman: null, tables: [null, null, null], offsets: [1, 4, 8] };
    for (let isLast = false; !isLast; ) {
      const head = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
      const length = head >> 3;
      const kind = (head >> 1) & 3;
      isLast = (head & 1) === 1;
      at += 3;
      if (kind === 0) out.set(input.subarray(at, at + length), to);
      else if (kind === 1) out.fill(view.getUint8(at), to, to + length);
      else to = readBlock(input.subarray(at, at + length), carried, out, to);
      if (kind < 2) to += length;
      at += kind === 1 ? 1 : length;
    }
    if ((descriptor & 4) !== 0) at += 4;
  }
  if (to !== size) throw new Error(`zstd: ${to} bytes where there should be ${size}`);
  return out;
}
