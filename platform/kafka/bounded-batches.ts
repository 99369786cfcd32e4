// Bounds what the batches of producers can cost the consumer. kafkajs makes an object of each record and passes all of a batch as arguments
// of one call: a batch with too many records, or one that cannot be inflated, would stop the consumer at that batch for good. Such a batch is
// replaced by records with the same offsets. A fetch is bounded by its bytes alone, which may inflate ten thousandfold: of a partition's
// batches in it only so many are read, and the next fetch continues after them. To do so, the library's decoders of batches and records are
// replaced in their modules before the first fetch loads them.
import { createRequire } from 'node:module';
import { decodeRecord } from './bounded-records.ts';
import { BadCompression, maxInflatedBytes } from './inflate.ts';
import { uninflatedRecords } from './uninflated-records.ts';

/** The library's byte reader. */
type Decoder = { readonly buffer: Buffer; offset: number };
type DecodedBatch = { records: readonly ReturnType<typeof decodeRecord>[] };
type DecodeBatch = (decoder: Decoder) => Promise<DecodedBatch>;

/** More than any producer sends, and fewer than the arguments that a call can have. */
const mostRecords = 50_000;

/** Byte positions in a batch of format 2. */
const lengthAt = 8;
const lengthEnd = 12;
const attributesAt = 21;
const lastOffsetDeltaAt = 23;
const countAt = 57;
const headBytes = 61;
const compressionBits = 0x07;

const library = createRequire(import.meta.url);
const batchDecoder = 'kafkajs/src/protocol/recordBatch/v0/decoder';
const recordDecoder = 'kafkajs/src/protocol/recordBatch/record/v0/decoder';

/** Replaces the library's decoders, for the whole process. Call it once. */
export function boundBatches(): void {
  // First, for the library's decoder of batches keeps the one of records that it finds.
  loadedModule(recordDecoder).exports = decodeRecord;
  const module = loadedModule(batchDecoder);
  const original = module.exports as DecodeBatch;
  const Reader = library('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => Decoder;
  const { KafkaJSPartialMessageError: Unfinished } = library('kafkajs/src/errors') as {
    KafkaJSPartialMessageError: new (message: string) => Error;
  };

  async function decodeBatch(decoder: Decoder): Promise<DecodedBatch> {
    const rest = decoder.buffer.subarray(decoder.offset);
    const end = rest.length < headBytes ? Number.POSITIVE_INFINITY : lengthEnd + rest.readInt32BE(lengthAt);
    // The last batch of a fetch may be truncated; the library skips it.
    if (rest.length < end) return original(decoder);
    const after = decoder.offset + end;
    try {
      if (rest.readInt32BE(countAt) <= mostRecords) return await original(decoder);
    } catch (error) {
      if (!(error instanceof BadCompression)) throw error;
      decoder.offset = after;
      return original(new Reader(standIn(rest, error.message)));
    }
    decoder.offset = after;
    return original(new Reader(standIn(rest, `at most ${mostRecords} records of a batch are read`)));
  }

  /** The memory that the batches of a partition's part of a fetch have taken so far. Each part has its own decoder. */
  const taken = new WeakMap<Decoder, number>();
  module.exports = async (decoder: Decoder) => {
    const before = taken.get(decoder) ?? 0;
    // As if the fetch ended here. At least one record is read: without any, the library would go to the end of the partition.
    if (before >= maxInflatedBytes) throw new Unfinished('the next fetch continues');
    const batch = await decodeBatch(decoder);
    taken.set(
      decoder,
      batch.records.reduce((sum, { takes }) => sum + takes, before),
    );
    return batch;
  };
}

function loadedModule(name: string): NodeJS.Module {
  library(name);
  const module = library.cache[library.resolve(name)];
  if (module === undefined) throw new Error(`the Kafka client keeps ${name} elsewhere than expected`);
  return module;
}

/** The batch with replacement records: one per record, or only the first and the last if there are too many. */
function standIn(batch: Buffer, reason: string): Buffer {
  const count = batch.readInt32BE(countAt);
  const last = batch.readInt32BE(lastOffsetDeltaAt);
  const first = batch.readBigInt64BE(0);
  const offsets = count <= mostRecords ? Array.from({ length: count - 1 }, (_, index) => index) : [0];
  if (last > (offsets.at(-1) ?? -1)) offsets.push(last);
  const range = `a batch of ${count} records, offsets ${first} to ${first + BigInt(last)}`;
  const records = uninflatedRecords(offsets, count <= mostRecords ? reason : `${range}: ${reason}`);
  const head = Buffer.from(batch.subarray(0, headBytes));
  head.writeInt32BE(headBytes - lengthEnd + records.length, lengthAt);
  head.writeInt16BE(head.readInt16BE(attributesAt) & ~compressionBits, attributesAt);
  head.writeInt32BE(offsets.length, countAt);
  return Buffer.concat([head, records]);
}
