// Compressed bodies as any client may write them: a body cut at any place into gzip members or zstd frames, in every
// shape that the formats allow. Each damaged body comes with a description of the damage, so that a test knows the
// expected result.
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';

export type Encoding = 'gzip' | 'zstd';

/** `bytes` is the body uncompressed; `body` is it in `encoding`. */
export type Compressed = { encoding: Encoding; body: Uint8Array; bytes: Uint8Array; parts: readonly Uint8Array[] };

/** Compression formats; the gateway accepts two of them. */
const compressors = {
  gzip: (bytes: Uint8Array) => gzipSync(bytes),
  zstd: (bytes: Uint8Array) => zstdCompressSync(bytes),
  br: (bytes: Uint8Array) => brotliCompressSync(bytes),
  deflate: (bytes: Uint8Array) => deflateSync(bytes),
  'raw deflate': (bytes: Uint8Array) => deflateRawSync(bytes),
  'stored deflate': (bytes: Uint8Array) => deflateSync(bytes, { level: 0 }),
} as const satisfies Record<string, (bytes: Uint8Array) => Uint8Array>;

export type Format = keyof typeof compressors;
const formats = Object.keys(compressors) as Format[];

/** A frame without content: decoders have to skip it. */
const skippableFrame = fc.tuple(fc.nat(15), fc.uint8Array({ maxLength: 40 })).map(([digit, inside]) => {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x184d2a50 + digit);
  head.writeUInt32LE(inside.length, 4);
  return Buffer.concat([head, inside]);
});

const zstdTerms = fc.record({ checksum: fc.nat(1), size: fc.nat(1), level: fc.constantFrom(-5, 1, 3, 19) });
const gzipTerms = fc.record({ level: fc.integer({ min: 0, max: 9 }), name: fc.option(fc.constant('body.json')) });

function zstdFrame(bytes: Uint8Array, { checksum, size, level }: { checksum: number; size: number; level: number }) {
  return zstdCompressSync(bytes, {
    params: {
      [constants.ZSTD_c_checksumFlag]: checksum,
      [constants.ZSTD_c_contentSizeFlag]: size,
      [constants.ZSTD_c_compressionLevel]: level,
    },
  });
}

/** A gzip member; with a name, its header has the optional field (RFC 1952, 2.3). */
function gzipMember(bytes: Uint8Array, { level, name }: { level: number; name: string | null }): Uint8Array {
  const plain = gzipSync(bytes, { level });
  if (name === null) return plain;
  const head = Buffer.from(plain.subarray(0, 10));
  head[3] = 0x08;
  return Buffer.concat([head, Buffer.from(`${name}\0`, 'latin1'), plain.subarray(10)]);
}

/** The pieces of `body` between cuts; a cut given twice makes an empty piece. */
export function cutAt(body: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const ends = [...cuts.map((cut) => cut % (body.length + 1)).sort((a, b) => a - b), body.length];
  return ends.map((end, index) => body.subarray(index === 0 ? 0 : ends[index - 1], end));
}

/** `body` as gzip members, or as zstd frames with skippable and empty frames between them. */
export function compressed(body: Uint8Array): fc.Arbitrary<Compressed> {
  const cuts = fc.array(fc.nat(), { maxLength: 5 });
  const gzip = fc.tuple(cuts, fc.array(gzipTerms, { minLength: 6, maxLength: 6 })).map(([at, terms]): Compressed => {
    const parts = cutAt(body, at).map((piece, index) => gzipMember(piece, terms[index]!));
    return { encoding: 'gzip', body, bytes: Buffer.concat(parts), parts };
  });
  const between = fc.array(fc.option(skippableFrame, { freq: 2 }), { minLength: 7, maxLength: 7 });
  const zstd = fc
    .tuple(cuts, fc.array(zstdTerms, { minLength: 6, maxLength: 6 }), between)
    .map(([at, terms, skipped]): Compressed => {
      const frames = cutAt(body, at).flatMap((piece, index) => [skipped[index]!, zstdFrame(piece, terms[index]!)]);
      const parts = [...frames, skipped[6]!].filter((part) => part !== null && part !== undefined);
      return { encoding: 'zstd', body, bytes: Buffer.concat(parts), parts };
    });
  return fc.oneof(gzip, zstd);
}

export type Damage =
  | { kind: 'none' }
  /** All bytes from `at` on are missing. */
  | { kind: 'cut'; at: number }
  | { kind: 'behind'; bytes: Uint8Array }
  | { kind: 'flipped'; at: number; bits: number }
  /** Parts of the other format follow those of this one. */
  | { kind: 'mixed' }
  /** The header names another encoding. */
  | { kind: 'said'; encoding: string }
  /** The body is compressed twice, and the header names one of the encodings, or both in either order. */
  | { kind: 'nested'; outer: Format; said: 'outer' | 'inner' | 'both' | 'reversed' }
  /** The body has another format than the header names. */
  | { kind: 'foreign'; format: Format; said: string };

const encodings = ['gzip', 'zstd', 'identity', 'br', 'deflate', 'gzip, zstd', 'zstd, gzip', 'x-gzip', '*'];

export const damage: fc.Arbitrary<Damage> = fc.oneof(
  { arbitrary: fc.constant<Damage>({ kind: 'none' }), weight: 3 },
  fc.nat().map((at): Damage => ({ kind: 'cut', at })),
  // Zeros, which a gzip reader may take for padding at the end of a tape and skip silently.
  fc
    .oneof(
      fc.uint8Array({ minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 30 }).map((size) => new Uint8Array(size)),
    )
    .map((bytes): Damage => ({ kind: 'behind', bytes })),
  fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })).map(([at, bits]): Damage => ({ kind: 'flipped', at, bits })),
  fc.constant<Damage>({ kind: 'mixed' }),
  fc.constantFrom(...encodings).map((encoding): Damage => ({ kind: 'said', encoding })),
  fc.record({
    kind: fc.constant('nested' as const),
    outer: fc.constantFrom(...formats),
    said: fc.constantFrom('outer', 'inner', 'both', 'reversed'),
  }),
  fc.record({
    kind: fc.constant('foreign' as const),
    format: fc.constantFrom(...formats),
    said: fc.constantFrom(...encodings),
  }),
);

/** What is sent for a body: its Content-Encoding and its bytes. */
export function damaged({ encoding, body, bytes }: Compressed, harm: Damage): { said: string; bytes: Uint8Array } {
  switch (harm.kind) {
    case 'none':
      return { said: encoding, bytes };
    case 'cut':
      return { said: encoding, bytes: bytes.subarray(0, harm.at % bytes.length) };
    case 'behind':
      return { said: encoding, bytes: Buffer.concat([bytes, harm.bytes]) };
    case 'flipped': {
      const flipped = Buffer.from(bytes);
      const at = harm.at % flipped.length;
      flipped[at] = flipped[at]! ^ harm.bits;
      return { said: encoding, bytes: flipped };
    }
    case 'mixed': {
      const other = encoding === 'gzip' ? zstdCompressSync('\n') : gzipSync('\n');
      return { said: encoding, bytes: Buffer.concat([bytes, other]) };
    }
    case 'said':
      return { said: harm.encoding, bytes };
    case 'nested': {
      const outer = harm.outer.split(' ').at(-1) as string;
      const said = { outer, inner: encoding, both: `${encoding}, ${outer}`, reversed: `${outer}, ${encoding}` };
      return { said: said[harm.said], bytes: compressors[harm.outer](bytes) };
    }
    case 'foreign':
      return { said: harm.said, bytes: compressors[harm.format](body) };
  }
}
