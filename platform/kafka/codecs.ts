// The codecs of record batches, all four of Kafka's, inflating no further than a cap: kafkajs itself has gzip alone, without one. A batch
// that cannot be inflated must not stop its partition, so each of its records is replaced by one that says so.
import { gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib';
import kafkajs from 'kafkajs';
import { maxInflatedBytes } from './inflate.ts';
import { inflateLz4 } from './lz4.ts';
import { inflateSnappy } from './snappy.ts';
import { standInRecords } from './stand-in-records.ts';

type Codec = { compress(encoder: { buffer: Buffer }): Promise<Buffer>; decompress(bytes: Buffer): Promise<Buffer> };

const cap = { maxOutputLength: maxInflatedBytes };
let installed = false;

/** Puts our codecs in the place of the library's, for the whole process. */
export function installCodecs(): void {
  if (installed) return;
  installed = true;
  const { CompressionTypes, CompressionCodecs } = kafkajs;
  const codecs = CompressionCodecs as Record<number, () => Codec>;
  codecs[CompressionTypes.GZIP] = () => reading((bytes) => gunzipSync(bytes, cap));
  codecs[CompressionTypes.Snappy] = () => reading(inflateSnappy);
  codecs[CompressionTypes.LZ4] = () => reading(inflateLz4);
  codecs[CompressionTypes.ZSTD] = () => reading((bytes) => zstdDecompressSync(bytes, cap));
}

function reading(inflate: (bytes: Buffer) => Buffer): Codec {
  return {
    compress: async (encoder) => gzipSync(encoder.buffer),
    async decompress(bytes) {
      try {
        return inflate(bytes);
      } catch (error) {
        return standInRecords(bytes, error instanceof Error ? error.message : String(error));
      }
    },
  };
}
