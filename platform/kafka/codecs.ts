// All four of Kafka's codecs for record batches, with a cap on the inflated size: kafkajs itself has only gzip, without a cap. A batch that
// cannot be inflated must not stop its partition: bounded-batches.ts puts a replacement in its place.
import { gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib';
import kafkajs from 'kafkajs';
import { framesOf, mostFrames } from '../../core/zstd/frame-walk.ts';
import { turnOfOthers } from '../process/clock.ts';
import { boundBatches } from './bounded-batches.ts';
import { BadCompression, maxInflatedBytes } from './inflate.ts';
import { inflateLz4 } from './lz4.ts';
import { inflateSnappy } from './snappy.ts';

type Codec = { compress(encoder: { buffer: Buffer }): Promise<Buffer>; decompress(bytes: Buffer): Promise<Buffer> };

const cap = { maxOutputLength: maxInflatedBytes };
let installed = false;

/** Replaces the library's codecs and bounds its batches, for the whole process. Call it before the first fetch. */
export function installCodecs(): void {
  if (installed) return;
  installed = true;
  boundBatches();
  const { CompressionTypes, CompressionCodecs } = kafkajs;
  const codecs = CompressionCodecs as Record<number, () => Codec>;
  codecs[CompressionTypes.GZIP] = () => reading((bytes) => gunzipSync(bytes, cap));
  codecs[CompressionTypes.Snappy] = () => reading(inflateSnappy);
  codecs[CompressionTypes.LZ4] = () => reading(inflateLz4);
  codecs[CompressionTypes.ZSTD] = () => reading(inflateZstd);
}

/** A batch may consist of several frames, and node:zlib stops after the first. */
export function inflateZstd(bytes: Buffer): Buffer {
  const frames = framesOf(bytes);
  if (frames.length > mostFrames)
    throw new BadCompression(`a batch of ${frames.length} zstd frames: at most ${mostFrames} are read`);
  let left = maxInflatedBytes;
  const pieces = frames.map((frame) => {
    const piece = zstdDecompressSync(frame, { maxOutputLength: Math.max(1, left) });
    left -= piece.length;
    return piece;
  });
  if (pieces.length === 0) throw new BadCompression('a zstd batch without a frame');
  if (left < 0) throw new BadCompression(`a batch inflates to more than ${maxInflatedBytes} bytes`);
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
}

function reading(inflate: (bytes: Buffer) => Buffer): Codec {
  return {
    compress: async (encoder) => gzipSync(encoder.buffer),
    async decompress(bytes) {
      try {
        const inflated = inflate(bytes);
        // A fetch may hold many batches that each take long: heartbeats go out between them.
        await turnOfOthers();
        return inflated;
      } catch (error) {
        throw new BadCompression(error instanceof Error ? error.message : String(error));
      }
    },
  };
}
