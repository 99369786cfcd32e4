// Snappy, reading only: the raw format, and the chunked format of the Java client around it.
import { BadCompression, InflatedBytes } from './inflate.ts';

const javaMagic = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const javaHeaderBytes = 16;

export function inflateSnappy(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, javaMagic.length).equals(javaMagic)) return inflateRaw(bytes);
  const all = new InflatedBytes(bytes.length);
  for (let at = javaHeaderBytes; at < bytes.length; ) {
    if (at + 4 > bytes.length) throw new BadCompression('a chunk ends early');
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) throw new BadCompression('a chunk is longer than the bytes');
    const chunk = inflateRaw(bytes.subarray(at + 4, end));
    all.append(chunk, 0, chunk.length);
    at = end;
  }
  return all.done();
}

function inflateRaw(bytes: Buffer): Buffer {
  let at = 0;
  const next = () => {
    if (at >= bytes.length) throw new BadCompression('compressed bytes end early');
    return bytes[at++] as number;
  };
  const little = (count: number) => {
    let value = 0;
    for (let index = 0; index < count; index++) value += next() * 2 ** (8 * index);
    return value;
  };
  let expected = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = next();
    expected += (byte & 0x7f) * scale;
    if (byte < 0x80) break;
    if (scale > 2 ** 28) throw new BadCompression('a length has more than five bytes');
  }
  const out = new InflatedBytes(expected);
  while (at < bytes.length) {
    const tag = next();
    const kind = tag & 3;
    if (kind === 0) {
      const short = tag >>> 2;
      const length = 1 + (short < 60 ? short : little(short - 59));
      out.append(bytes, at, length);
      at += length;
    } else if (kind === 1) {
      out.repeat((tag >>> 5) * 256 + next(), 4 + ((tag >>> 2) & 7));
    } else {
      out.repeat(little(kind === 2 ? 2 : 4), 1 + (tag >>> 2));
    }
  }
  const inflated = out.done();
  if (inflated.length !== expected)
    throw new BadCompression(`${inflated.length} bytes where ${expected} were announced`);
  return inflated;
}
