// LZ4's frame format, reading only. Checksums are skipped: the record batch around it has its own.
import { BadCompression, InflatedBytes } from './inflate.ts';

const frameMagic = 0x184d2204;

export function inflateLz4(bytes: Buffer): Buffer {
  if (bytes.length < 7 || bytes.readUInt32LE(0) !== frameMagic) throw new BadCompression('no LZ4 frame');
  const flags = bytes[4] as number;
  const has = (bit: number) => (flags & bit) !== 0;
  const blockChecksums = has(0x10) ? 4 : 0;
  // After magic, flags and block size: the content's size, a dictionary's id, the header's checksum.
  let at = 6 + (has(0x08) ? 8 : 0) + (has(0x01) ? 4 : 0) + 1;
  const out = new InflatedBytes(bytes.length);
  for (;;) {
    if (at + 4 > bytes.length) throw new BadCompression('compressed bytes end early');
    const size = bytes.readUInt32LE(at);
    at += 4;
    if (size === 0) return out.done();
    const length = size & 0x7fffffff;
    if (at + length > bytes.length) throw new BadCompression('a block is longer than the bytes');
    if (size >= 0x80000000) out.append(bytes, at, length);
    else inflateBlock(bytes.subarray(at, at + length), out);
    at += length + blockChecksums;
  }
}

function inflateBlock(block: Buffer, out: InflatedBytes): void {
  let at = 0;
  const next = () => {
    if (at >= block.length) throw new BadCompression('a block ends early');
    return block[at++] as number;
  };
  const lengthFrom = (short: number) => {
    let length = short;
    if (short === 15) {
      for (let byte = 255; byte === 255; ) {
        byte = next();
        length += byte;
      }
    }
    return length;
  };
  while (at < block.length) {
    const token = next();
    const literals = lengthFrom(token >>> 4);
    out.append(block, at, literals);
    at += literals;
    // The last sequence of a block has literals only.
    if (at >= block.length) return;
    const distance = next() + 256 * next();
    out.repeat(distance, 4 + lengthFrom(token & 15));
  }
}
