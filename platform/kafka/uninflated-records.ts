// Records that carry, in place of a key and a value, the reason why they or their batch could not be read.

/** The header that marks such a record. */
export const uninflatedHeader = 'sds-not-inflated';

/** The records section of a batch of format 2, uncompressed: a record at each offset, counted from the batch's first. */
export function uninflatedRecords(offsets: readonly number[], reason: string): Buffer {
  const why = Buffer.from(reason.slice(0, 200), 'utf8');
  const name = Buffer.from(uninflatedHeader, 'utf8');
  const header = Buffer.concat([varint(name.length), name, varint(why.length), why]);
  const records: Buffer[] = [];
  for (const offset of offsets) {
    // attributes, timestamp delta, offset delta, no key, no value, one header
    const body = Buffer.concat([Buffer.from([0, 0]), varint(offset), varint(-1), varint(-1), varint(1), header]);
    records.push(varint(body.length), body);
  }
  return Buffer.concat(records);
}

/** The headers of such a record. */
export function headersInPlace(reason: string): Readonly<Record<string, Buffer>> {
  return { [uninflatedHeader]: Buffer.from(reason, 'utf8') };
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
