// Reading in turns: every piece is kept, in order and before the end; while one waits for its turn, little more is read.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { setImmediate as pass } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { atOnce, type InTurn, readInTurns } from '../../../ingest/gateway/read-in-turns.ts';

/** Turns that come when the test says so. */
function openTurns() {
  const waiting: (() => void)[] = [];
  const inTurn: InTurn = (work) =>
    new Promise((done) => {
      waiting.push(() => {
        work();
        done();
      });
    });
  return { waiting, inTurn };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await pass();
}

describe('reading in turns', () => {
  it('keeps all pieces in order, and then ends, whenever turns come', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 20 }), fc.infiniteStream(fc.nat(3)), async (count, delays) => {
        const inTurn: InTurn = async (work) => {
          for (let turns = delays.next().value ?? 0; turns > 0; turns -= 1) await pass();
          work();
        };
        const kept: number[] = [];
        const ended = Promise.withResolvers<void>();
        const stream = Readable.from(Array.from({ length: count }, (_, at) => Buffer.from([at])));
        readInTurns(stream, inTurn, { keep: ([at = -1]) => void kept.push(at), end: ended.resolve });
        await ended.promise;
        await settle();
        assert.deepEqual(
          kept,
          Array.from({ length: count }, (_, at) => at),
        );
      }),
    );
  });

  it('does not end before its last piece had its turn', async () => {
    const { waiting, inTurn } = openTurns();
    let ends = 0;
    const reading = readInTurns(Readable.from([Buffer.from('a'), Buffer.from('b')]), inTurn, {
      keep() {},
      end: () => {
        ends += 1;
      },
    });
    await settle();
    assert.deepEqual([reading.isWaiting, waiting.length, ends], [true, 1, 0]);
    waiting.pop()?.();
    await settle();
    assert.deepEqual([reading.isWaiting, reading.hasEnded, ends], [false, true, 1]);
  });

  it('reads no further while a piece waits, and nothing once it is stopped', async () => {
    const { waiting, inTurn } = openTurns();
    const piece = Buffer.alloc(64 * 1024);
    let read = 0;
    let kept = 0;
    const stream = new Readable({
      read() {
        read += 1;
        this.push(piece);
      },
    });
    const reading = readInTurns(stream, inTurn, {
      keep: () => {
        kept += 1;
      },
      end() {},
    });
    await settle();
    assert.equal(kept, 1);
    assert.ok(read <= 4, `${read} pieces read`);
    waiting.pop()?.();
    await settle();
    assert.equal(kept, 2);
    reading.stop();
    const before = read;
    waiting.pop()?.();
    await settle();
    assert.deepEqual([kept, read], [2, before]);
    stream.destroy();
  });

  it('waits for nothing where there are no turns', async () => {
    const ended = Promise.withResolvers<void>();
    let size = 0;
    const stream = Readable.from([Buffer.alloc(3), Buffer.alloc(4), Buffer.alloc(5)]);
    readInTurns(stream, atOnce, {
      keep: ({ length }) => {
        size += length;
      },
      end: ended.resolve,
    });
    await ended.promise;
    assert.equal(size, 12);
  });
});
