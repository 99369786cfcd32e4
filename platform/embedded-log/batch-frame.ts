// The bytes of one batch row: the keys, headers and values of its records in sequence, compressed if that pays. The first byte says which.
// Only this service reads and writes the table.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

export type StoredRecord = { key: string; headers: Readonly<Record<string, string>>; value: Buffer };

const plain = 0;
const zstd = 1;
const worthCompressing = 512;
const lengthBytes = 12;
/** Larger than any batch: inflating a damaged row must not exhaust the process's memory. */
const maxInflated = 64 * 1024 * 1024;

const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export function frameBatch(records: readonly StoredRecord[]): Buffer {
  const parts: Buffer[] = [];
  for (const record of records) {
    const key = Buffer.from(record.key, 'utf8');
    const names = Object.keys(record.headers);
    const headers = names.length === 0 ? Buffer.alloc(0) : Buffer.from(JSON.stringify(record.headers), 'utf8');
    const lengths = Buffer.allocUnsafe(lengthBytes);
    lengths.writeUInt32LE(key.length, 0);
    lengths.writeUInt32LE(headers.length, 4);
    lengths.writeUInt32LE(record.value.length, 8);
    parts.push(lengths, key, headers, record.value);
  }
  const body = Buffer.concat(parts);
  if (body.length < worthCompressing) return Buffer.concat([Buffer.from([plain]), body]);
  return Buffer.concat([Buffer.from([zstd]), zstdCompressSync(body, compression)]);
}

export function unframeBatch(framed: Buffer): StoredRecord[] {
  const body = inflate(framed);
  const records: StoredRecord[] = [];
  for (let at = 0; at < body.length; ) {
    const keyAt = at + lengthBytes;
    const headersAt = keyAt + body.readUInt32LE(at);
    const valueAt = headersAt + body.readUInt32LE(at + 4);
    const end = valueAt + body.readUInt32LE(at + 8);
    if (end > body.length) throw new Error('a batch of the log is truncated');
    records.push({
      key: body.toString('utf8', keyAt, headersAt),
      headers: headersAt === valueAt ? noHeaders : JSON.parse(body.toString('utf8', headersAt, valueAt)),
      value: body.subarray(valueAt, end),
    });
    at = end;
  }
  return records;
}

const noHeaders: Readonly<Record<string, string>> = Object.freeze({});

function inflate(framed: Buffer): Buffer {
  const body = framed.subarray(1);
  return framed[0] === zstd ? zstdDecompressSync(body, { maxOutputLength: maxInflated }) : body;
}
