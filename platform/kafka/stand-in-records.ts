// Records in the place of a batch that cannot be inflated: as many as it holds, at the offsets it holds, each with a header that says
// why. kafkajs asks its codec for bytes alone, but hands it a view of the fetch: the number of records stands right before it.

/** The header by which a record says that it only stands in for another. */
export const standInHeader = 'sds-not-inflated';

/** More than any producer sends; a batch that claims more has to stop the consumer. */
const maxRecords = 100_000;

/** The records section of a batch of format 2, in the place of `compressed`. */
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

/** Zigzag, as records have it. */
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
