// Decodes the records of a batch in place of kafkajs, whose cost grows with the square of a record's headers: a small record of many would
// hold the consumer for minutes. Headers are also bounded over the batch, because they inflate from almost nothing.
import { headersInPlace } from './uninflated-records.ts';

/** The library's byte reader, over one record. */
type RecordReader = {
  buffer: Buffer;
  readInt8(): number;
  readVarInt(): number;
  readVarLong(): { value: bigint };
  readVarIntBytes(): Buffer | null;
  readVarIntString(): string | null;
};

/** What the library knows of the batch. */
type BatchContext = {
  firstOffset: string;
  firstTimestamp: string;
  maxTimestamp: string;
  timestampType: number;
  magicByte: number;
  isControlBatch: boolean;
};

type Headers = Readonly<Record<string, Buffer | null>>;

/** More than any producer sends. */
const mostHeaders = 1_000;
const mostOfBatch = 200_000;
const logAppendTime = 1;
/** About what the objects of a record take beside its bytes, and those of a header. */
const objectBytes = 400;

/** How many headers of a batch have been read. */
const headersRead = new WeakMap<BatchContext, number>();

/**
 * The record as the library's own decoder has it, with the last value of each header, and about the memory that it takes. One with too many
 * headers has a stand-in's content.
 */
export function decodeRecord(reader: RecordReader, batchContext: BatchContext) {
  const { firstOffset, firstTimestamp, maxTimestamp, timestampType, magicByte, isControlBatch } = batchContext;
  const attributes = reader.readInt8();
  const sinceFirst = reader.readVarLong().value;
  const timestamp = timestampType === logAppendTime ? maxTimestamp : String(BigInt(firstTimestamp) + sinceFirst);
  const offset = String(BigInt(firstOffset) + BigInt(reader.readVarInt()));
  const key = reader.readVarIntBytes();
  const value = reader.readVarIntBytes();
  const count = reader.readVarInt();
  const reason = whyNotRead(count, batchContext);
  const content =
    reason === null
      ? { key, value, headers: readHeaders(reader, count) }
      : { key: null, value: null, headers: headersInPlace(reason) };
  const takes = reader.buffer.length + objectBytes * (1 + (reason === null ? count : 1));
  return { magicByte, attributes, timestamp, offset, ...content, isControlRecord: isControlBatch, batchContext, takes };
}

/** Why these headers are not read; null: they are, and count for the batch. */
function whyNotRead(count: number, batch: BatchContext): string | null {
  if (count > mostHeaders) return `a record of ${count} headers: at most ${mostHeaders} are read`;
  if (count === 0) return null;
  const read = (headersRead.get(batch) ?? 0) + count;
  if (read > mostOfBatch) return `its batch has more headers than the ${mostOfBatch} that are read`;
  headersRead.set(batch, read);
  return null;
}

function readHeaders(reader: RecordReader, count: number): Headers {
  const headers = new Map<string, Buffer | null>();
  for (let index = 0; index < count; index += 1)
    headers.set(String(reader.readVarIntString()), reader.readVarIntBytes());
  return Object.fromEntries(headers);
}
