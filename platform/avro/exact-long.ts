// Writes longs exactly. avsc doubles a number before writing it, which below -2^52 silently loses the last bit. This type writes every safe
// integer exactly and refuses others.
import avsc from 'avsc';

/** Most bytes of a safe integer: 54 bits in groups of seven. */
const maxBytes = 8;
const scratch = Buffer.alloc(maxBytes);
/** By length. avsc copies the bytes before it asks for the next number, so the buffers can be shared. */
const written = Array.from({ length: maxBytes + 1 }, (_, length) => scratch.subarray(0, length));

/** avsc's `long` type, for writing. (The decoder reads longs itself.) */
export const exactLong = avsc.types.LongType.__with(
  {
    isValid: Number.isSafeInteger,
    toBuffer: longBytes,
    fromBuffer: unread,
    fromJSON: (value: number) => value,
    toJSON: (value: number) => value,
    compare: (one: number, other: number) => Math.sign(one - other),
  },
  true,
);

/** Avro's zigzag: the lowest bit is the sign, above it the number, or for a negative one `-value - 1`. */
function longBytes(value: number): Buffer {
  const negative = value < 0;
  let rest = negative ? -(value + 1) : value;
  let group = ((rest & 0x3f) << 1) | (negative ? 1 : 0);
  rest = Math.floor(rest / 64);
  let length = 0;
  while (rest > 0) {
    scratch[length++] = group | 0x80;
    group = rest & 0x7f;
    rest = Math.floor(rest / 128);
  }
  scratch[length++] = group;
  return written[length] as Buffer;
}

function unread(): never {
  throw new Error('values are read by compileDecoder');
}
