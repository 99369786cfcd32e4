// Claim: a reader that takes enough never counts as too slow, whether the kernel takes more bytes before, during or after it is asked how
// many it holds, and whether or not it tells; a reader that takes nothing is found in time. A violation would need the count of Node and
// that of the kernel to be of different moments.
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { usualReaderPace } from '../../../core/connections/reader-progress.ts';
import { ReaderWatch } from '../../../platform/process/reader-watch.ts';

const { nothingMs, stretchMs, stretchBytes } = usualReaderPace;
const inode = '4711';
const mostRoom = 3 * 1024 * 1024;

/**
 * A connection whose reader could take everything. The kernel has room for `kernelRoom` bytes and takes more once a
 * third of it is free.
 */
function openConnection(kernelRoom: number) {
  let [handed, taken] = [0, 0];
  const given = 1e12;
  const handle = {
    fd: 7,
    bytesWritten: given,
    get writeQueueSize() {
      return given - handed;
    },
  };
  return {
    socket: { writableLength: given, _handle: handle } as unknown as Socket,
    /** The reader takes `bytes` more bytes. */
    take(bytes: number) {
      taken = Math.min(handed, taken + bytes);
    },
    /** The kernel takes more if the reader has left it room. */
    refill() {
      if (handed - taken <= (2 / 3) * kernelRoom) handed = taken + kernelRoom;
    },
    held: () => handed - taken,
  };
}

/** One check: when the kernel takes more, and whether its table shows the socket. */
type Look = { refills: 'before' | 'until it tells' | 'since it told'; isListed: boolean };

/** When a reader of `bytesASecond` is found too slow, checked once a second; null: not within these checks. */
async function foundAt(bytesASecond: number, looks: readonly Look[], kernelRoom = mostRoom): Promise<number | null> {
  const connection = openConnection(kernelRoom);
  let look: Look | undefined;
  const watch = new ReaderWatch(usualReaderPace, {
    inodeOf: () => inode,
    async unreadBytes() {
      if (look?.refills === 'until it tells') connection.refill();
      const held = connection.held();
      if (look?.refills === 'since it told') connection.refill();
      return look?.isListed ? new Map([[inode, held]]) : new Map();
    },
  });
  connection.refill();
  for (const [nth, each] of looks.entries()) {
    look = each;
    connection.take(bytesASecond);
    if (look.refills === 'before') connection.refill();
    const at = 1_000 * (nth + 1);
    if ((await watch.tooSlow([connection.socket], () => at)).length > 0) return at;
  }
  return null;
}

/** The table may miss a socket now and then; one that shows nothing for long belongs to another system. */
const looks = fc
  .array(
    fc.record({
      refills: fc.constantFrom('before', 'until it tells', 'since it told'),
      isListed: fc.oneof({ arbitrary: fc.constant(true), weight: 4 }, fc.constant(false)),
    }),
    { minLength: 40, maxLength: 400 },
  )
  .map((all): Look[] => all.map((each, nth) => ({ ...each, isListed: each.isListed || nth % 5 === 0 }) as Look));

describe('what is known of a reader', () => {
  it('lets one that takes enough have its time, whenever the kernel takes more and whatever it leaves out', async () => {
    const enough = Math.ceil(stretchBytes / (stretchMs / 1_000)) + 1;
    // The kernel has room for what a reader takes in a second.
    const lines = fc
      .tuple(
        fc.oneof(fc.integer({ min: 64 * 1024, max: 512 * 1024 }), fc.constant(mostRoom)),
        fc.double({ noNaN: true, min: 0, max: 1 }),
      )
      .map(([room, part]) => ({ room, bytesASecond: Math.round(enough + part ** 4 * (room / 2 - enough)) }));
    await fc.assert(
      fc.asyncProperty(lines, looks, async ({ room, bytesASecond }, all) => {
        assert.equal(await foundAt(bytesASecond, all, room), null);
      }),
      { numRuns: 500 },
    );
  });

  it('shows one that takes nothing or too little, in time', async () => {
    await fc.assert(
      fc.asyncProperty(looks, async (all) => {
        const listed = all.map((each): Look => ({ ...each, isListed: true }));
        assert.equal(await foundAt(0, listed), nothingMs + 1_000);
        const little = await foundAt(stretchBytes / (stretchMs / 1_000) - 100, listed);
        assert.equal(little, stretchMs + 2_000);
      }),
      { numRuns: 50 },
    );
  });

  it('is what was handed over, where no kernel tells', async () => {
    const none = Array.from({ length: 20 }, (): Look => ({ refills: 'before', isListed: false }));
    assert.equal(await foundAt(0, none), nothingMs + 1_000);
    assert.equal(await foundAt(mostRoom, none), null);
  });
});
