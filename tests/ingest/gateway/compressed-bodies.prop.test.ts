// Compressed bodies of every kind. Claim: a body is either refused with a problem and nothing of it is in the log, or accepted, and then
// accepted and rejected elements together are those that were sent. A violation would need an inflater to stop early, a cut between frames
// to be misread, or bytes behind the last frame to pass in silence.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { framesOf } from '../../../core/zstd/frame-walk.ts';
import { pieceBytes } from '../../../ingest/gateway/inflate-within.ts';
import { openInflated } from '../../../ops/replay/open-inflated.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import {
  type Compressed,
  compressed,
  cutAt,
  type Damage,
  damage,
  damaged,
} from '../../support/arbitraries/compressed.ts';
import { answerIn, event, quote, startGateway, type TestGateway } from '../../support/http/gateway-http.ts';
import { caseOutOfTurn } from '../../support/vitest/sampled.ts';

let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  gateway = await startGateway();
  folder = await mkdtemp(join(tmpdir(), 'compressed-'));
});
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

/**
 * Inside a frame, a run cuts at every fourth byte, starting at one chosen by its seed; after a frame, every run cuts.
 */
const isLeftOut = (at: number): boolean => caseOutOfTurn(at, 4) !== false;

/** Elements, some of them refused. Each event has a game of its own, so that none is a duplicate. */
const elements = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }).map((goodness) =>
  goodness.map((isGood, index) => {
    const game = { ...(event().game as object), event_id: `e${index}` };
    return event({ game, quotes: [quote()], ...(isGood ? {} : { operator: 'no operator' }) });
  }),
);

const sent = fc.tuple(elements, fc.constantFrom('json', 'ndjson')).chain(([events, form]) => {
  const text =
    form === 'json' ? JSON.stringify({ events }) : events.map((each) => `${JSON.stringify(each)}\n`).join('');
  const body = Buffer.from(text);
  return fc.record({
    count: fc.constant(events.length),
    form: fc.constant(form),
    body: fc.constant(body),
    packed: compressed(body),
  });
});

/** Sends a body in chunks that end at the cuts, or in one piece with its length. */
function send(form: string, said: string, bytes: Uint8Array, cuts: readonly number[] | null): Promise<string> {
  const head =
    `POST /v1/sources/feed/quotes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${gateway.key}\r\n` +
    `Content-Type: application/${form === 'json' ? 'json' : 'x-ndjson'}\r\nContent-Encoding: ${said}\r\n`;
  const pieces =
    cuts === null
      ? [Buffer.from(`${head}Content-Length: ${bytes.length}\r\n\r\n`), bytes]
      : [
          Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`),
          ...cutAt(bytes, cuts)
            .filter(({ length }) => length > 0)
            .map((piece) =>
              Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
            ),
          Buffer.from('0\r\n\r\n'),
        ];
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => {
      for (const piece of pieces) socket.write(piece);
    });
    socket.setTimeout(240_000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

/**
 * Sends a body and asserts the claim for it. `count`: its number of elements; null if the damage may have changed it.
 */
async function push(
  form: string,
  said: string,
  bytes: Uint8Array,
  cuts: readonly number[] | null,
  count: number | null,
) {
  const logged = gateway.broker.records.length;
  const observed = gateway.broker.observations().length;
  const buried = gateway.catalogs.letters.length;
  const { status, body } = answerIn(await send(form, said, bytes, cuts));
  const rejected = (body.rejected ?? []) as { index: number }[];
  if (status === 202) {
    const { accepted, duplicates } = body as { accepted: number; duplicates: number };
    assert.equal(gateway.broker.observations().length - observed, accepted);
    const refused = new Set(rejected.map(({ index }) => index)).size;
    if (count !== null) assert.equal(accepted + duplicates + refused, count, JSON.stringify(body));
    assert.equal(gateway.catalogs.letters.length - buried, rejected.length);
  } else {
    assert.ok(status >= 400 && status < 500, `${status} ${JSON.stringify(body)}`);
    assert.equal(gateway.broker.records.length, logged, 'a refused push is in the log');
  }
  return { status, body, rejected };
}

describe('a compressed body', () => {
  it('is accounted for to its last element, or refused whole', async () => {
    const seen = { taken: 0, refused: 0 };
    const chunking = fc.option(fc.array(fc.nat(), { maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(sent, damage, chunking, async ({ count, form, body, packed }, harm, cuts) => {
        const { said, bytes } = damaged(packed, harm);
        // A cut between two frames leaves a valid body, and so may a flipped bit in a frame without a checksum.
        if (harm.kind === 'cut' && endsOf(packed.parts).includes(bytes.length)) return;
        const isAnother = harm.kind === 'flipped' && packed.encoding === 'zstd';
        const read = isTorn(harm) ? null : readAs(said, bytes);
        const isWhole = read !== null && Buffer.compare(read, body) === 0;
        const elements = isAnother ? null : isWhole || read === null ? count : form === 'json' ? 0 : linesOf(read);
        const { status, rejected } = await push(form, said, bytes, cuts, elements);
        if (isWhole)
          assert.ok(status === 202 || new Set(rejected.map(({ index }) => index)).size === count, `${status}`);
        // Lines that come through as they were written are valid lines.
        else if (harm.kind !== 'flipped' && (read === null || form === 'json')) assert.notEqual(status, 202, harm.kind);
        if (status === 202) seen.taken += 1;
        else seen.refused += 1;
      }),
      { numRuns: cases(400) },
    );
    assert.ok(seen.taken > 0 && seen.refused > 0, JSON.stringify(seen));
  });

  it('is refused when it is cut short anywhere but behind a frame, where it is the shorter body that it then is', async () => {
    const lines = [1, 2, 3].map((index) => {
      const game = { ...(event().game as object), event_id: `cut${index}` };
      return Buffer.from(`${JSON.stringify(event({ game }))}\n`);
    });
    for (const [encoding, compress] of [
      ['gzip', gzipSync],
      ['zstd', zstdCompressSync],
    ] as const) {
      const parts = lines.map((line) => compress(line));
      const whole = Buffer.concat(parts);
      const ends = endsOf(parts);
      for (let at = 0; at <= whole.length; at += 1) {
        const complete = ends.indexOf(at) + 1;
        if (complete === 0 && isLeftOut(at)) continue;
        const { status, body } = await push('ndjson', encoding, whole.subarray(0, at), null, complete);
        assert.equal(status, complete > 0 ? 202 : 400, `${encoding} cut after ${at} of ${whole.length}`);
        if (complete > 0) assert.equal(body.accepted, complete);
      }
    }
  });

  it('of whatever shape is refused, or is the shorter body that it then is, cut short after each of its bytes', async () => {
    await fc.assert(
      fc.asyncProperty(sent, async ({ count, form, packed }) => {
        const ends = endsOf(packed.parts);
        for (let at = 1; at < packed.bytes.length; at += 1) {
          const cut = packed.bytes.subarray(0, at);
          const isShorter = ends.includes(at);
          if (!isShorter && isLeftOut(at)) continue;
          const lines = isShorter && form === 'ndjson' ? linesOf(readAs(packed.encoding, cut)!) : count;
          const { status } = await push(form, packed.encoding, cut, null, lines);
          if (!isShorter) assert.equal(status, 400, `${packed.encoding} cut after ${at} of ${packed.bytes.length}`);
        }
      }),
      { numRuns: cases(3) },
    );
  });

  it('is taken to its last line while other keys push too', async () => {
    const lines = 500;
    const bodyOf = (name: string): Buffer =>
      Buffer.from(
        Array.from({ length: lines }, (_, index) => {
          const game = { ...(event().game as object), event_id: `${name}-${index}` };
          return `${JSON.stringify(event({ game }))}\n`;
        }).join(''),
      );
    const plain = (body: Buffer): Buffer => body;
    const forms = [
      ['identity', plain],
      ['gzip', gzipSync],
      ['zstd', zstdCompressSync],
    ] as const;
    assert.ok(bodyOf('a').length > pieceBytes, 'a body is inflated in several pieces');
    const keys = Array.from({ length: 12 }, () => gateway.mint(['*'], ['push']).plaintext);
    const pushes = keys.map(async (key, at) => {
      const [encoding, compress] = forms[at % forms.length]!;
      const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': encoding };
      const { status, body } = await gateway.push(compress(bodyOf(`beside-${at}`)), { key, headers });
      return [encoding, status, body.accepted];
    });
    for (const answer of await Promise.all(pushes)) assert.deepEqual(answer.slice(1), [202, lines], answer.join(' '));
  });

  it('that asks for a dictionary is refused', async () => {
    const frame = zstdCompressSync(`${JSON.stringify(event())}\n`);
    // Its header names dictionary 7 (RFC 8878, 3.1.1.1); the id follows the window, if the frame has one.
    const isSingleSegment = (frame[4]! & 0x20) !== 0;
    const at = isSingleSegment ? 5 : 6;
    const named = Buffer.concat([frame.subarray(0, at), Buffer.from([7]), frame.subarray(at)]);
    named[4] = named[4]! | 1;
    assert.equal((await push('ndjson', 'zstd', frame, null, 1)).status, 202);
    const { status } = await push('ndjson', 'zstd', named, null, null);
    assert.equal(status, 400);
  });
});

describe('a recording that is replayed', () => {
  it('fails where it is cut short anywhere but behind a frame, after the lines that are whole', async () => {
    const lines = ['one', 'two', 'three'].map((text) => `${JSON.stringify(text)}\n`);
    for (const [encoding, compress] of [
      ['gzip', gzipSync],
      ['zstd', zstdCompressSync],
    ] as const) {
      const parts = lines.map((line) => compress(line));
      const bytes = Buffer.concat(parts);
      const ends = endsOf(parts);
      for (let at = 1; at <= bytes.length; at += 1) {
        const read = await readFileOf({ encoding }, bytes.subarray(0, at));
        const whole = ends.indexOf(at) + 1;
        if (whole === 0) assert.ok(read instanceof Error, `${encoding} cut after ${at} of ${bytes.length}`);
        else assert.equal(String(read), lines.slice(0, whole).join(''));
      }
    }
  });

  const lines = fc.array(
    fc.string({ maxLength: 40 }).map((text) => `${JSON.stringify(text)}\n`),
    { maxLength: 30 },
  );
  const recording = lines
    .map((each) => Buffer.from(each.join('')))
    .chain((body) => fc.record({ body: fc.constant(body), packed: compressed(body) }));

  /** Everything read from a file, or the error that ends it. */
  async function readFileOf({ encoding }: Pick<Compressed, 'encoding'>, bytes: Uint8Array): Promise<Buffer | Error> {
    const name = createHash('sha256').update(bytes).digest('hex').slice(0, 20);
    const file = join(folder, `${name}.${encoding === 'gzip' ? 'gz' : 'zst'}`);
    await writeFile(file, bytes);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of openInflated(file)) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    } catch (error) {
      return error as Error;
    } finally {
      await rm(file);
    }
  }

  // Claim: a file is read to its last line or fails; it never ends early as if it were complete.
  it('loses no line: it is read to its end, or says that it is damaged', async () => {
    const seen = { whole: 0, failed: 0 };
    await fc.assert(
      fc.asyncProperty(recording, damage, async ({ body, packed }, harm) => {
        if (harm.kind === 'said') return;
        const { bytes } = damaged(packed, harm);
        if (harm.kind === 'cut' && endsOf(packed.parts).includes(bytes.length)) return;
        const read = await readFileOf(packed, bytes);
        const meant = isTorn(harm) ? null : readAs(packed.encoding, bytes);
        if (read instanceof Error) {
          assert.equal(meant, null, read.message);
          assert.ok(read.message.length > 0);
          seen.failed += 1;
        } else {
          // Without a checksum, a frame cannot show that one of its bits changed.
          if (harm.kind !== 'flipped') assert.deepEqual(read, meant);
          else if (packed.encoding === 'gzip') assert.deepEqual(read, body);
          seen.whole += 1;
        }
      }),
      { numRuns: cases(300) },
    );
    assert.ok(seen.whole > 0 && seen.failed > 0, JSON.stringify(seen));
  });
});

/** Whether its bytes are not one body in any format. */
function isTorn({ kind }: Damage): boolean {
  return kind === 'cut' || kind === 'behind' || kind === 'flipped' || kind === 'mixed';
}

/**
 * What a reader of this Content-Encoding finds, reading each member and frame separately; null: nothing, or no such
 * encoding.
 */
function readAs(said: string, bytes: Uint8Array): Buffer | null {
  try {
    if (said === 'identity') return Buffer.from(bytes);
    if (said === 'gzip') return gunzipSync(bytes);
    return said === 'zstd' ? Buffer.concat(framesOf(bytes).map((frame) => zstdDecompressSync(frame))) : null;
  } catch {
    return null;
  }
}

function linesOf(text: Buffer): number {
  return text
    .toString('latin1')
    .split('\n')
    .filter((line) => /[^ \t\r]/.test(line)).length;
}

function endsOf(parts: readonly Uint8Array[]): number[] {
  let end = 0;
  return parts.map(({ length }) => (end += length));
}
