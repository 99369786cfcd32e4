// Files too large to be held: docs/durability.md#faults; SECURITY.md, S11 and S33. The tests are about bytes that must not be sent
// unverified, and about the memory and requests that verifying them takes.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, describe, it } from 'vitest';
import { openDeadlines, Unavailable } from '../../../api/dependencies/deadlines.ts';
import { DamagedFile } from '../../../api/files/damaged-file.ts';
import { type LargeFiles, openLargeFiles } from '../../../api/files/large-files.ts';
import { isPieces } from '../../../api/http/pieces.ts';
import type { FileRef, ObjectKey } from '../../../core/ports/object-store.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { systemClock } from '../../../platform/process/clock.ts';

const pieceBytes = 1_000;
const lead = 7;
const bytes = Buffer.from(Array.from({ length: 10_500 }, (_, at) => (at * 31 + (at >> 8)) % 251));
const object = Buffer.concat([Buffer.alloc(lead, 1), bytes, Buffer.alloc(5, 2)]);
const file: FileRef = {
  key: 'finals/x' as ObjectKey,
  offset: lead,
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
};
const whole = { start: 0, end: bytes.length };

type Read = { offset: number; length: number };
let reads: Read[];
/** How the store answers a part; each test sets its own. */
let give: (part: Read) => Promise<Uint8Array | null>;
let files: LargeFiles;

const honest = async ({ offset, length }: Read) => Uint8Array.from(object.subarray(offset, offset + length));

function open(deadline = 1_000, atOnce = 100): LargeFiles {
  const store = {
    get: (_key: string, part?: Read) => {
      assert.ok(part !== undefined && part.length <= pieceBytes, 'never more than a piece');
      reads.push(part);
      return give(part);
    },
  };
  const deadlines = openDeadlines(systemClock, silentLog, { catalog: deadline, objects: deadline });
  return openLargeFiles({ objects: store, deadlines, log: silentLog, pieceBytes, atOnce });
}

beforeEach(() => {
  reads = [];
  give = honest;
  files = open();
});

async function collect(part = whole, of = file): Promise<Buffer> {
  const body = await files.pieces(of, part);
  assert.ok(isPieces(body));
  const chunks: Uint8Array[] = [];
  for await (const piece of body.pieces()) chunks.push(piece);
  return Buffer.concat(chunks);
}

describe('a large file', () => {
  it('comes whole, and in any part, as the same bytes', async () => {
    assert.deepEqual(await collect(), bytes);
    for (const [start, end] of [
      [0, 1],
      [0, 1_000],
      [999, 1_001],
      [1_000, 2_000],
      [10_499, 10_500],
      [3_456, 9_876],
    ] as const) {
      assert.deepEqual(await collect({ start, end }), bytes.subarray(start, end), `${start}-${end}`);
    }
  });

  it('is read through once, however many ask first; after that a part costs its own pieces', async () => {
    await Promise.all(Array.from({ length: 20 }, () => files.pieces(file, { start: 0, end: 10 })));
    assert.equal(reads.length, 11 + 20);
    await collect({ start: 5_500, end: 6_500 });
    assert.equal(reads.length, 11 + 20 + 2);
  });

  it("is read at its reader's pace: a piece only after the one before it was sent", async () => {
    await files.pieces(file, whole);
    reads.length = 0;
    const body = await files.pieces(file, whole);
    const pieces = (body.pieces() as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    assert.equal(reads.length, 1);
    await pieces.next();
    await pieces.next();
    assert.equal(reads.length, 2);
    await pieces.return?.();
    assert.equal(reads.length, 2);
  });

  it('can be read once: a second reading fails instead of sending nothing for the first piece', async () => {
    const body = await files.pieces(file, whole);
    const read = async () => {
      const chunks: Uint8Array[] = [];
      for await (const piece of body.pieces()) chunks.push(piece);
      return Buffer.concat(chunks);
    };
    assert.ok((await read()).equals(bytes));
    await assert.rejects(read, /can be read once/);
  });

  it('of any size that the pieces divide or not', async () => {
    for (const size of [1, 999, 1_000, 1_001, 2_000]) {
      const part = bytes.subarray(0, size);
      const other = { ...file, size, sha256: createHash('sha256').update(part).digest('hex') };
      assert.deepEqual(await collect({ start: 0, end: size }, other), part);
    }
  });
});

describe('no byte is sent that was not verified', () => {
  const damage: [string, (part: Read) => Promise<Uint8Array | null>][] = [
    ['is missing', async () => null],
    ['ends early', async (part) => (await honest(part)).subarray(0, Math.max(0, 9_000 - part.offset))],
    ['has another byte near its end', async (part) => flipped(part, lead + 10_400)],
    ['has another byte in a piece that was not asked for', async (part) => flipped(part, lead + 5_000)],
  ];
  for (const [name, spoiled] of damage) {
    it(`a file that ${name} is refused before its first byte, and served once it is whole`, async () => {
      give = spoiled;
      await assert.rejects(files.pieces(file, { start: 0, end: 10 }), DamagedFile);
      give = honest;
      assert.deepEqual(await collect(), bytes);
    });
  }

  it('a piece that changed after the file was verified ends the answer before it is sent', async () => {
    await collect();
    give = (part) => flipped(part, lead + 3_500);
    const body = await files.pieces(file, whole);
    const sent: Uint8Array[] = [];
    await assert.rejects(async () => {
      for await (const piece of body.pieces()) sent.push(piece);
    }, DamagedFile);
    assert.deepEqual(Buffer.concat(sent), bytes.subarray(0, 3_000));
    await assert.rejects(files.pieces(file, { start: 3_100, end: 3_200 }), DamagedFile);
    assert.deepEqual(await collect({ start: 0, end: 3_000 }), bytes.subarray(0, 3_000));
  });

  it('the pieces of a file that failed verification are not kept as verified', async () => {
    const swapped = async (part: Read) => {
      const at = Math.floor((part.offset - lead) / pieceBytes);
      const other = at === 1 ? 2 : at === 2 ? 1 : at;
      return honest({ ...part, offset: lead + other * pieceBytes });
    };
    give = swapped;
    await assert.rejects(files.pieces(file, whole), DamagedFile);
    await assert.rejects(files.pieces(file, { start: 0, end: 10 }), DamagedFile);
    give = honest;
    assert.deepEqual(await collect(), bytes);
  });

  async function flipped(part: Read, at: number): Promise<Uint8Array> {
    const given = await honest(part);
    if (part.offset <= at && at < part.offset + part.length) given[at - part.offset]! ^= 1;
    return given;
  }
});

describe('a store that', () => {
  it('fails or is slow makes the file unavailable, before its first byte and after', async () => {
    files = open(50);
    for (const failing of [() => Promise.reject(new Error('503 SlowDown')), () => new Promise<null>(() => {})]) {
      give = failing;
      await assert.rejects(files.pieces(file, whole), Unavailable);
    }
    give = honest;
    await collect();
    const body = await files.pieces(file, whole);
    let sent = 0;
    await assert.rejects(async () => {
      for await (const piece of body.pieces()) {
        sent += piece.length;
        give = () => Promise.reject(new Error('reset'));
      }
    }, Unavailable);
    assert.equal(sent, pieceBytes);
  });
});

it('readers beyond the limit get Retry-After; one that leaves makes room', async () => {
  files = open(1_000, 2);
  const begin = async () => {
    const pieces = ((await files.pieces(file, whole)).pieces() as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    await pieces.next();
    return pieces;
  };
  const first = await begin();
  const second = await begin();
  await assert.rejects(begin(), Unavailable);
  await first.return?.();
  const third = await begin();
  await assert.rejects(begin(), Unavailable);
  await second.return?.();
  await third.return?.();

  const burst = await Promise.allSettled(Array.from({ length: 50 }, () => files.pieces(file, whole)));
  const ready = burst.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  assert.equal(ready.length, 2, 'a reader that has yet to pay has a place as well');
  for (const each of [...ready, ...ready]) each.release?.();
  give = () => Promise.reject(new Error('reset'));
  for (let time = 0; time < 3; time += 1) await assert.rejects(files.pieces(file, whole));
  give = honest;
  assert.deepEqual(await collect(), bytes);
});
