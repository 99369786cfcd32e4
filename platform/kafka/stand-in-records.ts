// Replaces a batch that cannot be inflated: the same number of records at the same offsets, each with a header that carries the reason.
// kafkajs passes only the bytes to its codec, but as a view of the fetch: the number of records precedes it.

/** The header that marks a stand-in record. */
export const standInHeader = 'sds-not-inflated';

/** More than any producer sends; a batch that claims more stops the consumer. */
const maxRecords = 100_000;

/** The records section of a batch of format 2, to replace `compressed`. */
export function standInRecords(compressed: Buffer, reason: string): Buffer {
  const count = recordsBefore(compressed);
  if (count > maxRecords) throw new RangeError(`a batch claims ${count} records and cannot be inflated: ${reason}`);
  const records: Buffer[] = [];
  const why = Buffer.from(reason.slice(0, 200), 'utf8');
  const name = Buffer.from(standInHeader, 'utf8');
  for (let index = 0; index < count; index++) {
    // attributes, timestamp delta, offset delta, no key, no value, one header
    const body = Buffer.concat([
      Buffer.from([0, 0]),
      varint(index),
      varint(-1),
      varint(-1),
      varint(1),
      varint(name.length),
      name,
      varint(why.length),
      why,
    ]);
    records.push(varint(body.length), body);
  }
  return Buffer.concat(records);
}

function recordsBefore(compressed: Buffer): number {
  if (compressed.byteOffset < 4) throw new RangeError('a batch that cannot be inflated, and no count of its records');
  return Buffer.from(compressed.buffer, compressed.byteOffset - 4, 4).readUInt32BE(0);
}

/** Zigzag, as in Kafka's record format. */
function varint(value: number): Buffer {
  let rest = ((value << 1) ^ (value >> 31)) >>> 0;
  const bytes: number[] = [];
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}
