// Bodies inflated one after another into the same buffer: none gets another's bytes, and a failure affects only its own body.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { createGunzip, createZstdDecompress, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, it } from 'vitest';
import { BytesBehind, inflatingWithin, pieceBytes, TooMuchInside } from '../../../ingest/gateway/inflate-within.ts';
import type { InTurn } from '../../../ingest/gateway/read-in-turns.ts';

const most = 1024 * 1024;
const gunzip = () => createGunzip({ chunkSize: pieceBytes });
const unzstd = () => createZstdDecompress({ chunkSize: pieceBytes });

describe('inflating within a bound', () => {
  it('gives each of many bodies its own bytes, whatever becomes of the others', async () => {
    const inflate = inflatingWithin(most);
    const sizes = [0, 1, pieceBytes - 1, pieceBytes, pieceBytes + 1, 5 * pieceBytes + 7, most];
    const bodies = [...sizes, ...sizes].map((size) => randomBytes(size));
    const work = bodies.flatMap((body, index) => [
      index % 2 === 0
        ? inflate('key', { openInflater: gunzip, pieces: [gzipSync(body)] })
        : inflate('key', { openInflater: unzstd, pieces: [zstdCompressSync(body)] }),
      assert.rejects(
        inflate('key', { openInflater: gunzip, pieces: [gzipSync(Buffer.alloc(most + 1))] }),
        TooMuchInside,
      ),
      assert.rejects(
        inflate('key', { openInflater: gunzip, pieces: [gzipSync(randomBytes(200_000)).subarray(0, 150_000)] }),
      ),
      assert.rejects(inflate('key', { openInflater: unzstd, pieces: [Buffer.from('no zstd')] })),
    ]);
    const answers = (await Promise.all(work)).filter((answer) => answer instanceof Uint8Array);
    assert.equal(answers.length, bodies.length);
    for (const [index, body] of bodies.entries())
      assert.equal(Buffer.compare(answers[index] as Uint8Array, body), 0, `body ${index}`);
  });

  it('keeps every piece, however long it waits for its turn', async () => {
    const inflate = inflatingWithin(most);
    const inTurn: InTurn = async (work) => {
      await setTimeout(1);
      work();
    };
    for (const size of [1, pieceBytes, pieceBytes + 1, 5 * pieceBytes + 7, most]) {
      const body = randomBytes(size);
      const both = await Promise.all([
        inflate('key', { openInflater: gunzip, pieces: [gzipSync(body)], inTurn }),
        inflate('key', { openInflater: unzstd, pieces: [zstdCompressSync(body)], inTurn }),
      ]);
      for (const inflated of both) assert.equal(Buffer.compare(inflated, body), 0, `${size} bytes`);
    }
    const over = gzipSync(Buffer.alloc(most + 1));
    await assert.rejects(inflate('key', { openInflater: gunzip, pieces: [over], inTurn }), TooMuchInside);
  });

  it('takes members that follow one another as one body, and exactly the bound', async () => {
    const inflate = inflatingWithin(most);
    const half = randomBytes(most / 2);
    const twice = Buffer.concat([gzipSync(half), gzipSync(half)]);
    assert.deepEqual(
      Buffer.from(await inflate('key', { openInflater: gunzip, pieces: [twice] })),
      Buffer.concat([half, half]),
    );
    await assert.rejects(
      inflate('key', { openInflater: gunzip, pieces: [Buffer.concat([twice, gzipSync(Buffer.from('x'))])] }),
      TooMuchInside,
    );
  });

  it('goes on with the frame that a piece begins with, and holds the bound over all of them', async () => {
    const inflate = inflatingWithin(most);
    for (const size of [0, 1, pieceBytes, most / 4]) {
      const quarters = [1, 2, 3, 4].map(() => randomBytes(size));
      const frames = quarters.map((quarter) => zstdCompressSync(quarter));
      assert.deepEqual(
        Buffer.from(await inflate('key', { openInflater: unzstd, pieces: frames })),
        Buffer.concat(quarters),
        `frames of ${size} bytes`,
      );
    }
    const halves = [randomBytes(most / 2), randomBytes(most / 2)].map((half) => zstdCompressSync(half));
    await assert.rejects(
      inflate('key', { openInflater: unzstd, pieces: [...halves, zstdCompressSync(Buffer.from('x'))] }),
      TooMuchInside,
    );
  });

  it('says of bytes that nothing reads that they are there, zeros too', async () => {
    const inflate = inflatingWithin(most);
    const body = randomBytes(1_000);
    for (const behind of [Buffer.alloc(1), Buffer.alloc(9)])
      await assert.rejects(
        inflate('key', { openInflater: gunzip, pieces: [Buffer.concat([gzipSync(body), behind])] }),
        BytesBehind,
      );
    const two = Buffer.concat([zstdCompressSync(body), zstdCompressSync(body)]);
    await assert.rejects(inflate('key', { openInflater: unzstd, pieces: [two] }), BytesBehind);
  });
});
