// Where zstd frames end, against what node:zlib writes: each frame's own length is the oracle.
import assert from 'node:assert/strict';
import { constants, createZstdCompress, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { BadFrames, FrameWalk, framesOf } from '../../../core/zstd/frame-walk.ts';
import { cases } from '../../support/arbitraries/cases.ts';

const content = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  fc.constantFrom(0, 1, 255, 256, 65_791, 65_792, 140_000, 300_000).map((size) => new Uint8Array(size).fill(7)),
  fc.integer({ min: 0, max: 300_000 }).map((size) => Uint8Array.from({ length: size }, (_, at) => (at * at) >> 7)),
);

const ofZlib = fc
  .record({ content, checksum: fc.nat(1), size: fc.nat(1), level: fc.constantFrom(-5, 1, 3, 19) })
  .map(({ content: bytes, checksum, size, level }) =>
    zstdCompressSync(bytes, {
      params: {
        [constants.ZSTD_c_checksumFlag]: checksum,
        [constants.ZSTD_c_contentSizeFlag]: size,
        [constants.ZSTD_c_compressionLevel]: level,
      },
    }),
  );

const skippable = fc.tuple(fc.nat(15), fc.uint8Array({ maxLength: 300 })).map(([digit, bytes]) => {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x184d2a50 + digit);
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
});

const frames = fc.array(fc.oneof({ arbitrary: ofZlib, weight: 3 }, skippable), { minLength: 1, maxLength: 6 });

function endsOf(parts: readonly Uint8Array[]): number[] {
  let end = 0;
  return parts.map((part) => (end += part.length));
}

/** The frame ends that a walk finds in a stream that comes in pieces, counted from its beginning. */
function walked(bytes: Uint8Array, cuts: readonly number[]): number[] {
  const walk = new FrameWalk();
  const ends: number[] = [];
  let from = 0;
  for (const cut of [...cuts.map((each) => each % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    for (const end of walk.endsIn(bytes.subarray(from, cut))) ends.push(from + end);
    from = cut;
  }
  walk.end();
  return ends;
}

describe('the frames of a zstd stream', () => {
  // Claim: they are the ends of the joined frames, in whatever pieces the stream comes. A violation would need a length
  // in a header or block to be misread, or a field split between two pieces.
  it('end where each of them was written to its end', () => {
    fc.assert(
      fc.property(frames, fc.array(fc.nat(), { maxLength: 8 }), (parts, cuts) => {
        const joined = Buffer.concat(parts);
        assert.deepEqual(walked(joined, cuts), endsOf(parts));
        assert.deepEqual(framesOf(joined), parts);
      }),
      { numRuns: cases(300) },
    );
  });

  it('are cut short nowhere but between two of them', () => {
    fc.assert(
      fc.property(frames, fc.nat(), (parts, length) => {
        const joined = Buffer.concat(parts);
        const cut = length % (joined.length + 1);
        const isWhole = cut === 0 || endsOf(parts).includes(cut);
        if (isWhole)
          assert.equal(framesOf(joined.subarray(0, cut)).length, cut === 0 ? 0 : endsOf(parts).indexOf(cut) + 1);
        else assert.throws(() => framesOf(joined.subarray(0, cut)), BadFrames);
      }),
    );
  });

  it('have nothing behind them that is no frame', () => {
    fc.assert(
      fc.property(frames, fc.uint8Array({ minLength: 1, maxLength: 20 }), (parts, garbage) => {
        fc.pre(garbage[0] !== 0x28 && !(garbage[0]! >= 0x50 && garbage[0]! <= 0x5f));
        assert.throws(() => framesOf(Buffer.concat([...parts, garbage])), BadFrames);
      }),
    );
  });

  it('of a stream that is flushed after each piece have many blocks', async () => {
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    const chunks: Buffer[] = [];
    compress.on('data', (chunk: Buffer) => chunks.push(chunk));
    for (let piece = 0; piece < 50; piece += 1) {
      compress.write(`{"piece":${piece}}\n`);
      await new Promise<void>((done) => compress.flush(() => done()));
    }
    await new Promise<void>((done) => compress.on('end', done).end());
    const one = Buffer.concat(chunks);
    assert.deepEqual(walked(Buffer.concat([one, one]), [one.length - 1, one.length + 2]), [one.length, 2 * one.length]);
  });

  it('refuses a block of the reserved type, and says where no frame begins', () => {
    const frame = zstdCompressSync('a line');
    const reserved = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x01, 0x0f, 0, 0]);
    assert.throws(() => framesOf(reserved), /reserved type at byte 6/);
    assert.throws(() => framesOf(Buffer.concat([frame, Buffer.from('\n\n\n\n')])), {
      message: `no zstd frame begins at byte ${frame.length}`,
    });
  });
});
