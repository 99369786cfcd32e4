// Claim: what any zstd encoder at any level makes of any bytes, the client's own decoder turns back into them. A violation would need a block
// kind, a table form or a repeated offset that it reads otherwise than RFC 8878 has it.
import assert from 'node:assert/strict';
import { constants, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { inflateZstd } from '../../../../clients/typescript/src/zstd.ts';

const { ZSTD_c_checksumFlag: checksum, ZSTD_c_compressionLevel: level } = constants;

/** Compressible bytes: a few kinds of pieces, repeated at many distances. */
const bytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc
        .tuple(fc.string({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 400 }))
        .map(([text, times]) => Buffer.from(text.repeat(times))),
      fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 3_000 })).map(([byte, times]) => Buffer.alloc(times, byte)),
      fc
        .array(fc.constantFrom(...'-110.5 home away over under 1.9091'), { maxLength: 2_000 })
        .map((all) => Buffer.from(all.join(''))),
    ),
    { maxLength: 12 },
  )
  .chain((pieces) =>
    fc
      .array(fc.nat(Math.max(0, pieces.length - 1)), { maxLength: 24 })
      .map((order) => order.map((at) => pieces[at] ?? Buffer.alloc(0))),
  )
  .map((pieces) => Buffer.concat(pieces));

describe('the decoder of the client', () => {
  it('gives back what was compressed, at any level, in one frame or several', () => {
    fc.assert(
      fc.property(bytes, bytes, fc.integer({ min: 1, max: 12 }), fc.boolean(), (one, other, at, hasChecksum) => {
        const params = { [level]: at, [checksum]: Number(hasChecksum) };
        const frames = [one, other].map((each) => zstdCompressSync(each, { params }));
        const whole = Buffer.concat([one, other]);
        assert.ok(whole.equals(inflateZstd(Buffer.concat(frames), whole.length)));
      }),
      { numRuns: 200 },
    );
  });

  it('refuses what is no frame, or not of the size that it should have', () => {
    const frame = zstdCompressSync(Buffer.from('home away '.repeat(100)));
    assert.throws(() => inflateZstd(frame, 999), /size|bytes|range|outside/);
    assert.throws(() => inflateZstd(Buffer.from('not a frame'), 11), /not a frame/);
  });
});
