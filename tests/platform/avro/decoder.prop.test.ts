// The decoder against avsc's own (another implementation of the same specification), and against random bytes.
import assert from 'node:assert/strict';
import avsc from 'avsc';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { openCodec } from '../../../platform/avro/codec.ts';
import { eventSchema } from '../../../platform/avro/event-schemas.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { everything, gameUuids, image } from '../../support/builders/broker-records.ts';

type Shape = { schema: unknown; values: fc.Arbitrary<unknown> };

const nameds = { count: 0 };

const leaf: fc.Arbitrary<Shape> = fc.constantFrom<Shape>(
  { schema: 'null', values: fc.constant(null) },
  { schema: 'boolean', values: fc.boolean() },
  { schema: 'int', values: fc.integer() },
  { schema: 'long', values: fc.integer({ min: -(2 ** 52), max: 2 ** 53 - 2 }) },
  { schema: 'double', values: fc.double() },
  { schema: 'string', values: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { schema: 'bytes', values: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
);

const shape: fc.Arbitrary<Shape> = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    // Arrays may not have items of zero bytes here (avro-bytes.ts).
    tie('shape')
      .filter(({ schema }) => !takesNoBytes(schema))
      .map((items) => ({ schema: { type: 'array', items: items.schema }, values: fc.array(items.values) })),
    tie('shape')
      .filter(({ schema }) => schema !== 'null' && !Array.isArray(schema))
      .map((item) => ({ schema: ['null', item.schema], values: fc.option(item.values) })),
    fc.array(tie('shape'), { maxLength: 5 }).map(recordOf),
  ),
})).shape;

function takesNoBytes(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null || !('fields' in schema)) return schema === 'null';
  return (schema.fields as { type: unknown }[]).every((field) => takesNoBytes(field.type));
}

function recordOf(fields: readonly Shape[]): Shape {
  nameds.count += 1;
  const named = fields.map((field, index) => ({ name: `f${index}`, type: field.schema }));
  return {
    schema: { type: 'record', name: `R${nameds.count}`, fields: named },
    values: fc.record(Object.fromEntries(fields.map((field, index) => [`f${index}`, field.values]))),
  };
}

const topRecord = fc.array(shape, { minLength: 1, maxLength: 6 }).map(recordOf);

/** A record schema with some fields left out and the others in another order. */
function thin(schema: unknown, keep: readonly boolean[]): string {
  const { fields, ...rest } = schema as { fields: { name: string; type: unknown }[] };
  const kept = fields.filter((_, index) => keep[index] ?? true).reverse();
  return JSON.stringify({ ...rest, fields: kept });
}

/** A deep copy without avsc's classes. */
function plain(value: unknown): unknown {
  if (Buffer.isBuffer(value) || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}

describe('the decoder', () => {
  // Claim: for any schema and value, decoding gives back the value, and with any narrower reader schema the reader's
  // part of it, as avsc resolves it. A violation would need a field skipped wrongly, a name mixed up, or a number or
  // text read inexactly.
  it('agrees with avsc on any value, whole and through any narrower schema', () => {
    fc.assert(
      fc.property(
        topRecord.chain((top) => fc.tuple(fc.constant(top), top.values, fc.array(fc.boolean(), { maxLength: 6 }))),
        ([top, value, keep]) => {
          const writer = openCodec(JSON.stringify(top.schema));
          const framed = writer.encode(1, value);
          assert.deepStrictEqual(writer.decoderFrom(writer.schema)(framed).value, plain(value));
          const reader = openCodec(thin(top.schema, keep));
          const [theirs, ours] = [writer, reader].map((codec) => avsc.Type.forSchema(JSON.parse(codec.schema)));
          const resolved = plain(ours?.fromBuffer(framed.subarray(5), ours.createResolver(theirs as avsc.Type)));
          const { value: read } = reader.decoderFrom(writer.schema)(framed);
          assert.deepStrictEqual(sorted(read), sorted(resolved));
        },
      ),
      { numRuns: cases(300) },
    );
  });

  // Claim: a long is the same number on both sides, compared with the zigzag of Avro's specification in BigInt, which
  // does not round. A violation would need arithmetic in doubles that loses a bit of large numbers when writing,
  // reading or checking the range.
  it('reads every 64-bit long exactly or as an infinity of its sign, and writes every safe integer as the specification says', () => {
    const codec = openCodec(
      JSON.stringify({ type: 'record', name: 'L', fields: [{ name: 'v', type: ['null', 'long'] }] }),
    );
    const decode = codec.decoderFrom(codec.schema);
    const border = fc
      .tuple(
        fc.constantFrom(0n, 2n ** 31n, 2n ** 52n, 2n ** 53n, 2n ** 62n),
        fc.bigInt({ min: -70n, max: 70n }),
        fc.boolean(),
      )
      .map(([at, off, negative]) => (negative ? -at : at) + off);
    fc.assert(
      fc.property(fc.oneof(border, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), (long) => {
        const framed = Buffer.from([0, 0, 0, 0, 1, 2, ...zigzag(long)]);
        const { value } = decode(framed);
        const safe = Number.isSafeInteger(Number(long)) && BigInt(Number(long)) === long;
        if (!safe)
          return assert.deepEqual(value, { v: long > 0n ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY });
        assert.deepEqual(value, { v: Number(long) });
        assert.deepEqual(codec.encode(1, { v: Number(long) }), framed);
      }),
      { numRuns: cases(3_000) },
    );
  });

  // Claim: no bytes make it throw, hang or allocate more than a small multiple of their size.
  it('answers any bytes with a value or a reason, in memory bounded by their size', () => {
    const codec = openCodec(eventSchema(topics.quotes));
    const decode = codec.decoderFrom(codec.schema);
    const game = gameUuids[0] as string;
    const good = [codec.encode(1, everything(game)), codec.encode(1, image(game, 20))];
    const damaged = fc
      .tuple(fc.constantFrom(...good), fc.array(fc.tuple(fc.nat(5_000), fc.nat(255)), { maxLength: 8 }), fc.nat(5_000))
      .map(([bytes, changes, cut]) => damage(bytes, changes, cut));
    const noise = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.concat([Buffer.alloc(5), bytes]));
    fc.assert(
      fc.property(fc.oneof(damaged, noise), (bytes) => {
        const { value, undecodable } = decode(bytes);
        assert.equal(value === null, undecodable !== null);
        assert.ok(cells(value) <= 40 * bytes.length + 100);
      }),
      { numRuns: cases(2_000) },
    );
  });
});

/** A long as Avro 1.11 writes it. */
function zigzag(long: bigint): number[] {
  let rest = BigInt.asUintN(64, (long << 1n) ^ (long >> 63n));
  const bytes: number[] = [];
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

function sorted(value: unknown): unknown {
  return Object.fromEntries(Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function damage(bytes: Buffer, changes: readonly (readonly [number, number])[], cut: number): Buffer {
  const copy = Buffer.from(bytes);
  for (const [at, byte] of changes) copy[5 + (at % (copy.length - 5))] = byte;
  return cut % 3 === 0 ? copy.subarray(0, 5 + (cut % (copy.length - 5))) : copy;
}

/** Objects, items and characters of a value. */
function cells(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + cells(each), 1);
}
