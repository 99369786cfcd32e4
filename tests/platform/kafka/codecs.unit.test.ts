// Compressed batches of any producer: what the codecs read, what they refuse, and what replaces a batch that cannot be read.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import kafkajs from 'kafkajs';
import { describe, it } from 'vitest';
import { inflateZstd, installCodecs } from '../../../platform/kafka/codecs.ts';
import { BadCompression, maxInflatedBytes } from '../../../platform/kafka/inflate.ts';
import { inflateLz4 } from '../../../platform/kafka/lz4.ts';
import { inflateSnappy } from '../../../platform/kafka/snappy.ts';
import { uninflatedHeader } from '../../../platform/kafka/uninflated-records.ts';

function le32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

// The literal "abcd", nine bytes copied from four back, then two copied from further back.
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

  // Claim: no bytes make one of our codecs throw anything but its refusal, or return more than the limit.
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

  it('of more frames than cost as much as a large batch is refused, however little is in them', () => {
    // One raw block of no bytes.
    const empty = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x00, 0x01, 0x00, 0x00]);
    const of = (frames: number) =>
      Buffer.concat([...Array.from({ length: frames - 1 }, () => empty), zstdCompressSync(text)]);
    assert.equal(inflateZstd(of(2_000)).toString(), 'records');
    for (const frames of [2_001, 10_000])
      assert.throws(
        () => inflateZstd(of(frames)),
        new BadCompression(`a batch of ${frames} zstd frames: at most 2000 are read`),
      );
  });

  it('of incomplete frames, of none, or with other bytes behind is refused', () => {
    const frame = zstdCompressSync(text);
    for (const bytes of [Buffer.alloc(0), Buffer.concat([frame, frame.subarray(0, 9)]), Buffer.concat([frame, text])])
      assert.throws(() => inflateZstd(bytes), /frame/);
  });
});

describe('a batch that cannot be read', () => {
  const { CompressionTypes } = kafkajs;
  const bomb = Buffer.alloc(maxInflatedBytes + 1);
  const nonsense = Buffer.from('nonsense');

  for (const [name, type, bytes] of [
    ['gzip', CompressionTypes.GZIP, gzipSync(bomb)],
    ['zstd', CompressionTypes.ZSTD, zstdCompressSync(bomb)],
    ['snappy', CompressionTypes.Snappy, nonsense],
    ['lz4', CompressionTypes.LZ4, nonsense],
  ] as const) {
    it(`is as many records as it holds, each saying why, and what follows is read (${name})`, async () => {
      const fetched = Buffer.concat([batchOf(3, type, bytes), batchOf(1, 0, Buffer.from([14, 0, 0, 0, 1, 1, 0, 0]))]);
      const [first, second] = await decodedBatches(fetched);
      assert.deepEqual(
        first?.records.map(({ offset }) => offset),
        ['1000', '1001', '1002'],
      );
      assert.ok(first?.records.every(({ headers }) => headers[uninflatedHeader] !== undefined));
      assert.deepEqual(
        second?.records.map(({ offset, headers }) => [offset, headers]),
        [['1000', {}]],
      );
    });
  }

  it('is its first and its last record when it claims more than anybody sends', async () => {
    const [only] = await decodedBatches(batchOf(2_000_000_000, CompressionTypes.GZIP, nonsense));
    assert.deepEqual(
      only?.records.map(({ offset }) => offset),
      ['1000', '2000000999'],
    );
    const reason = String(only?.records[0]?.headers[uninflatedHeader]);
    assert.match(reason, /^a batch of 2000000000 records, offsets 1000 to 2000000999: at most 50000 records/);
  });

  it('is left to the library where the fetch has cut it off', async () => {
    const whole = batchOf(3, CompressionTypes.GZIP, nonsense);
    for (const length of [10, 60, whole.length - 1])
      await assert.rejects(decodedBatches(whole.subarray(0, length)), /partial|out of range|outside/i);
  });
});

describe('the batches of one fetch', () => {
  const { ZSTD } = kafkajs.CompressionTypes;

  async function decodedSet(batches: readonly Buffer[]): Promise<{ offset: string }[]> {
    installCodecs();
    const library = createRequire(import.meta.url);
    const decode = library('kafkajs/src/protocol/requests/fetch/v4/decodeMessages') as DecodeSet;
    const Reader = library('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => object;
    const bytes = Buffer.concat(batches);
    const length = Buffer.alloc(4);
    length.writeInt32BE(bytes.length);
    return decode(new Reader(Buffer.concat([length, bytes])));
  }

  const offsets = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `${from + index}`);

  it('are read until they have inflated far enough; the next fetch begins after the last that was read', async () => {
    const large = zstdCompressSync(record(0, [], Buffer.alloc(7_000_000)));
    const set = Array.from({ length: 20 }, (_, index) => batchOf(1, ZSTD, large, 1_000 + index));
    const seen: string[] = [];
    const fetched: number[] = [];
    while (seen.length < set.length) {
      const messages = await decodedSet(set.slice(seen.length));
      fetched.push(messages.length);
      seen.push(...messages.map(({ offset }) => offset));
    }
    assert.deepEqual(seen, offsets(1_000, 1_020));
    assert.deepEqual(fetched, [3, 3, 3, 3, 3, 3, 2]);
  });

  it('are read one by one where each is as large as a batch may be', async () => {
    const largest = zstdCompressSync(record(0, [], Buffer.alloc(maxInflatedBytes - 100)));
    const set = [1_000, 1_001, 1_002].map((offset) => batchOf(1, ZSTD, largest, offset));
    assert.deepEqual(
      (await decodedSet(set)).map(({ offset }) => offset),
      ['1000'],
    );
  });

  it('are bounded by their records as well, each of which takes memory however short it is', async () => {
    const count = 50_000;
    const many = zstdCompressSync(
      Buffer.concat(Array.from({ length: count }, (_, offset) => record(offset, [], null))),
    );
    const set = Array.from({ length: 9 }, (_, index) => batchOf(count, ZSTD, many, index * count));
    const messages = await decodedSet(set);
    assert.ok(messages.length >= count && messages.length <= 3 * count, `${messages.length} records of one fetch`);
    assert.equal(messages.at(-1)?.offset, String(messages.length - 1));
  });

  it('let other work have a turn after each that is inflated', async () => {
    const small = zstdCompressSync(record(0, []));
    const set = [1_000, 1_001, 1_002].map((offset) => batchOf(1, ZSTD, small, offset));
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await decodedSet(set);
    isOver = true;
    assert.ok(turns >= set.length, `${turns} turns`);
  });

  it('are all read where they are not that large', async () => {
    const set = offsets(0, 200).map((offset) => batchOf(1, 0, record(0, [], Buffer.alloc(1_000)), Number(offset)));
    assert.deepEqual(
      (await decodedSet(set)).map(({ offset }) => offset),
      offsets(0, 200),
    );
  });
});

type DecodeSet = (from: object) => Promise<{ offset: string }[]>;

describe('the headers of a record', () => {
  const named = (count: number) => Array.from({ length: count }, (_, index): Header => [`name ${index}`, 'x']);

  it('have the last value of each name, whatever it is called', async () => {
    const headers: Header[] = [
      ['source', 'first'],
      ['__proto__', 'own'],
      ['constructor', 'own'],
      ['empty', null],
      ['source', 'last'],
    ];
    const [batch] = await decodedBatches(batchOf(2, 0, Buffer.concat([record(0, []), record(1, headers)])));
    const [first, second] = batch?.records ?? [];
    assert.deepEqual([first?.offset, first?.headers, second?.offset], ['1000', {}, '1001']);
    assert.equal(Object.getPrototypeOf(second?.headers), Object.prototype);
    assert.deepEqual(
      Object.entries(second?.headers ?? {}).map(([name, value]) => [name, value?.toString() ?? null]),
      [
        ['source', 'last'],
        ['__proto__', 'own'],
        ['constructor', 'own'],
        ['empty', null],
      ],
    );
  });

  it('are read up to a number; a record with more says so in place of its content', async () => {
    const many = [1_000, 1_001, 16_000, 0];
    const bytes = Buffer.concat(many.map((count, offset) => record(offset, named(count))));
    const [batch] = await decodedBatches(batchOf(many.length, 0, bytes));
    assert.deepEqual(
      batch?.records.map(({ offset, value, headers }) => [
        offset,
        value?.toString() ?? null,
        headers[uninflatedHeader]?.toString() ?? Object.keys(headers).length,
      ]),
      [
        ['1000', 'value', 1_000],
        ['1001', null, 'a record of 1001 headers: at most 1000 are read'],
        ['1002', null, 'a record of 16000 headers: at most 1000 are read'],
        ['1003', 'value', 0],
      ],
    );
  });

  it('are read up to a number of a batch as well', async () => {
    const bytes = Buffer.concat(
      Array.from({ length: 202 }, (_, offset) => record(offset, named(offset < 201 ? 1_000 : 0))),
    );
    const [batch] = await decodedBatches(batchOf(202, 0, bytes));
    assert.deepEqual(
      batch?.records.slice(199).map(({ value, headers }) => value?.toString() ?? headers[uninflatedHeader]?.toString()),
      ['value', 'its batch has more headers than the 200000 that are read', 'value'],
    );
  });
});

type Header = readonly [name: string, value: string | null];

/** A record of a batch of format 2, as the library writes it. */
function record(offsetDelta: number, headers: readonly Header[], value: Buffer | string | null = 'value'): Buffer {
  const library = createRequire(import.meta.url);
  const Encoder = library('kafkajs/src/protocol/encoder') as new () => LibraryEncoder;
  const body = new Encoder().writeInt8(0).writeVarLong(0).writeVarInt(offsetDelta);
  body.writeVarIntBytes('key').writeVarIntBytes(value).writeVarInt(headers.length);
  for (const [name, text] of headers) body.writeVarIntString(name).writeVarIntBytes(text);
  return new Encoder().writeVarInt(body.size()).writeEncoder(body).buffer;
}

type LibraryEncoder = {
  buffer: Buffer;
  size(): number;
  writeInt8(value: number): LibraryEncoder;
  writeVarInt(value: number): LibraryEncoder;
  writeVarLong(value: number): LibraryEncoder;
  writeVarIntBytes(value: Buffer | string | null): LibraryEncoder;
  writeVarIntString(value: string): LibraryEncoder;
  writeEncoder(value: LibraryEncoder): LibraryEncoder;
};

type DecodedBatch = {
  records: { offset: string; value: Buffer | null; headers: Record<string, Buffer | null | undefined> }[];
};

/** Decodes batches of format 2 with the library's decoder after `installCodecs`. */
async function decodedBatches(fetched: Buffer): Promise<DecodedBatch[]> {
  installCodecs();
  const library = createRequire(import.meta.url);
  const decode = library('kafkajs/src/protocol/recordBatch/v0/decoder') as (from: object) => Promise<DecodedBatch>;
  const Reader = library('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => { offset: number };
  const from = new Reader(fetched);
  const batches: DecodedBatch[] = [];
  while (from.offset < fetched.length) batches.push(await decode(from));
  return batches;
}

/** A batch that claims to have `records` records. */
function batchOf(records: number, compression: number, bytes: Buffer, firstOffset = 1_000): Buffer {
  const head = Buffer.alloc(61);
  head.writeBigInt64BE(BigInt(firstOffset), 0);
  head.writeInt32BE(49 + bytes.length, 8);
  head.writeInt8(2, 16);
  head.writeInt16BE(compression, 21);
  head.writeInt32BE(records - 1, 23);
  head.writeInt32BE(records, 57);
  return Buffer.concat([head, bytes]);
}
