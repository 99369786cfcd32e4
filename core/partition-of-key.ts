// The partition of a key: murmur2 of its UTF-8 bytes, as in Kafka's Java producer. Records that other producers write then land in the same
// partition as ours, and a game keeps one order.

const seed = 0x9747b28c;
const multiplier = 0x5bd1e995;

/** Kafka's 32-bit murmur2, signed. */
export function murmur2(bytes: Uint8Array): number {
  const { length } = bytes;
  const whole = length - (length % 4);
  let hash = seed ^ length;
  for (let at = 0; at < whole; at += 4) {
    let word = at4(bytes, at);
    word = Math.imul(word, multiplier);
    word ^= word >>> 24;
    hash = Math.imul(hash, multiplier) ^ Math.imul(word, multiplier);
  }
  if (whole < length) {
    for (let at = length - 1; at >= whole; at--) hash ^= (bytes[at] as number) << (8 * (at - whole));
    hash = Math.imul(hash, multiplier);
  }
  hash ^= hash >>> 13;
  hash = Math.imul(hash, multiplier);
  return (hash ^ (hash >>> 15)) | 0;
}

/** The partition of `key` among `partitions`. */
export function partitionOfKey(key: string, partitions: number): number {
  return (murmur2(Buffer.from(key, 'utf8')) & 0x7fffffff) % partitions;
}

function at4(bytes: Uint8Array, at: number): number {
  const [a, b, c, d] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]] as [number, number, number, number];
  return a | (b << 8) | (c << 16) | (d << 24);
}
