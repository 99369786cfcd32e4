// Compressed batches from anyone: what the codecs read, what they refuse, and what stands in for a batch that cannot be read.
import assert from 'node:assert/strict';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import kafkajs from 'kafkajs';
import { describe, it } from 'vitest';
import { inflateZstd, installCodecs } from '../../../platform/kafka/codecs.ts';
import { BadCompression, maxInflatedBytes } from '../../../platform/kafka/inflate.ts';
import { inflateLz4 } from '../../../platform/kafka/lz4.ts';
import { inflateSnappy } from '../../../platform/kafka/snappy.ts';
import { standInHeader } from '../../../platform/kafka/stand-in-records.ts';

type Codec = { decompress(bytes: Buffer): Promise<Buffer> };

function codec(type: number): Codec {
  installCodecs();
  return (kafkajs.CompressionCodecs as Record<number, () => Codec>)[type]?.() as Codec;
}

/** Compressed bytes as kafkajs hands them over: a view, the number of records right before it. */
function inBatch(records: number, compressed: Buffer): Buffer {
  const batch = Buffer.alloc(20 + compressed.length);
  batch.writeInt32BE(records, 16);
  compressed.copy(batch, 20);
  return batch.subarray(20);
}

function le32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

// Literal "abcd", then nine bytes from four back; then a far copy of two.
const snappyRaw = Buffer.from([15, 0x0c, ...Buffer.from('abcd'), 0x15, 0x04, 0x06, 0x0d, 0x00]);
const snappyText = 'abcdabcdabcdaab';
const lz4Block = Buffer.from([0x45, ...Buffer.from('abcd'), 0x04, 0x00, 0x20, ...Buffer.from('xy')]);
const lz4Text = 'abcdabcdabcdaxy';
const lz4Header = Buffer.concat([le32(0x184d2204), Buffer.from([0x60, 0x40, 0x82])]);
const lz4Frame = Buffer.concat([
  lz4Header,
  le32(lz4Block.length),
  lz4Block,
  le32(0x80000003),
  Buffer.from('raw'),
  le32(0),
]);

describe('the codecs', () => {
  it('read snappy, raw and in chunks of the Java client', () => {
    assert.equal(inflateSnappy(snappyRaw).toString(), snappyText);
    const header = Buffer.concat([Buffer.from([0x82]), Buffer.from('SNAPPY\0'), Buffer.alloc(8)]);
    const chunk = Buffer.concat([Buffer.from([0, 0, 0, snappyRaw.length]), snappyRaw]);
    assert.equal(inflateSnappy(Buffer.concat([header, chunk, chunk])).toString(), snappyText + snappyText);
  });

  it('read LZ4 frames of compressed and plain blocks', () => {
    assert.equal(inflateLz4(lz4Frame).toString(), `${lz4Text}raw`);
  });

  // Claim: no bytes make a codec of ours throw anything else than its refusal, or give more than the cap.
  it('refuse any other bytes', () => {
    const bent = (good: Buffer) =>
      fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }).map((changes) => {
        const bytes = Buffer.from(good);
        for (const [at, byte] of changes) bytes[at] = byte;
        return bytes;
      });
    const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.oneof(noise, bent(snappyRaw), bent(lz4Frame)), (bytes) => {
        for (const inflate of [inflateSnappy, inflateLz4]) {
          try {
            assert.ok(inflate(bytes).length <= maxInflatedBytes);
          } catch (error) {
            assert.ok(error instanceof BadCompression, String(error));
          }
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('inflate no further than the cap', () => {
    const huge = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0x00]);
    assert.throws(() => inflateSnappy(huge), BadCompression);
    // A match of length 15 + 255 × 100,000.
    const long = Buffer.concat([Buffer.from([0x1f, 0x61, 0x01, 0x00]), Buffer.alloc(100_000, 0xff), Buffer.from([0])]);
    const frame = Buffer.concat([lz4Header, le32(long.length), long, le32(0)]);
    assert.throws(() => inflateLz4(frame), BadCompression);
  });
});

describe('a zstd batch', () => {
  const text = Buffer.from('records');

  it('is read to its last frame, up to the cap of all together', () => {
    const skippable = Buffer.from([0x5f, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 9]);
    const two = Buffer.concat([zstdCompressSync(text), skippable, zstdCompressSync(text)]);
    assert.equal(inflateZstd(two).toString(), 'recordsrecords');
    const full = zstdCompressSync(Buffer.alloc(maxInflatedBytes));
    assert.equal(inflateZstd(Buffer.concat([full, zstdCompressSync('')])).length, maxInflatedBytes);
    assert.throws(() => inflateZstd(Buffer.concat([full, zstdCompressSync('x')])), BadCompression);
  });

  it('of incomplete frames, of none, or with other bytes behind is refused', () => {
    const frame = zstdCompressSync(text);
    for (const bytes of [Buffer.alloc(0), Buffer.concat([frame, frame.subarray(0, 9)]), Buffer.concat([frame, text])])
      assert.throws(() => inflateZstd(bytes), /frame/);
  });
});

describe('a batch that cannot be inflated', () => {
  const { CompressionTypes } = kafkajs;
  const bomb = Buffer.alloc(maxInflatedBytes + 1);

  for (const [name, type, bytes] of [
    ['gzip', CompressionTypes.GZIP, gzipSync(bomb)],
    ['zstd', CompressionTypes.ZSTD, zstdCompressSync(bomb)],
    ['snappy', CompressionTypes.Snappy, Buffer.from('nonsense')],
    ['lz4', CompressionTypes.LZ4, Buffer.from('nonsense')],
  ] as const) {
    it(`is as many records as it holds, each saying why (${name})`, async () => {
      const records = await codec(type).decompress(inBatch(3, bytes));
      assert.equal(records.toString('latin1').split(standInHeader).length, 4);
    });
  }

  it('stops the consumer when it claims more records than anybody sends', async () => {
    const { decompress } = codec(CompressionTypes.GZIP);
    await assert.rejects(decompress(inBatch(2_000_000_000, Buffer.from('nonsense'))), /claims 2000000000 records/);
  });
});
