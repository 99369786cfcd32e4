// Nothing keeps the bytes of a refused body: whichever check refuses it, its memory is released at once.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, it, type MockInstance, vi } from 'vitest';
import { isRefusal } from '../../../http/refusal.ts';
import { comeBack } from '../../../ingest/gateway/gateway-refusal.ts';
import { noShare } from '../../../ingest/gateway/key-share.ts';
import { encodingOf, readBody } from '../../../ingest/gateway/read-body.ts';
import { openManualClock } from '../../support/fakes/manual-clock.ts';

const text = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => `element ${n}`));
const refusal = comeBack('rate-limited', 'planned');

const forms = [
  { name: 'none', header: undefined, packed: Buffer.from(text) },
  { name: 'gzip', header: 'gzip', packed: gzipSync(text) },
  { name: 'zstd', header: 'zstd', packed: zstdCompressSync(text) },
] as const;

/** A body's buffer grows, and is given back, by transfer: its memory is where the last transfer put it. */
let transfers: MockInstance<ArrayBuffer['transfer']>;
beforeEach(() => {
  transfers = vi.spyOn(ArrayBuffer.prototype, 'transfer');
});
afterEach(() => transfers.mockRestore());

function bytesHeld(): number {
  return transfers.mock.results.reduce((sum, { value }) => sum + (value as ArrayBuffer).byteLength, 0);
}

type Judges = { inflated?: () => Promise<typeof refusal | null>; hold?: (bytes: number) => typeof refusal | null };

function read({ header, packed }: (typeof forms)[number], { inflated = async () => null, hold = () => null }: Judges) {
  const third = Math.ceil(packed.length / 3);
  const pieces = [0, 1, 2].map((nth) => Buffer.from(packed.subarray(nth * third, (nth + 1) * third)));
  const request = Object.assign(Readable.from(pieces), { headers: { 'content-length': String(packed.length) } });
  const encoding = encodingOf(header);
  assert.ok(!isRefusal(encoding));
  return readBody(
    {
      request: request as unknown as IncomingMessage,
      share: { ...noShare, inflated },
      pace: { clock: openManualClock(0), stretchMs: 5_000 },
      key: null,
      source: 'feed',
    },
    { form: 'json', encoding },
    { hold, mayGiveWay() {}, leave() {} },
    { piece: async (_, work) => work() },
  );
}

for (const form of forms) {
  describe(`a body with the encoding ${form.name}`, () => {
    it('is there as long as it is taken', async () => {
      const body = await read(form, {});
      assert.ok(!isRefusal(body));
      assert.equal(Buffer.from(body.bytes).toString(), text);
      assert.ok(bytesHeld() >= text.length, `${bytesHeld()} bytes`);
    });

    it('is given back where the share of its key refuses it', async () => {
      assert.equal(await read(form, { inflated: async () => refusal }), refusal);
      assert.equal(bytesHeld(), 0);
    });

    it('is given back where the share cannot be asked', async () => {
      const failing = async () => {
        throw new Error('planned');
      };
      await assert.rejects(read(form, { inflated: failing }), /planned/);
      assert.equal(bytesHeld(), 0);
    });

    it('is given back where there is no room for it', async () => {
      const hold = (bytes: number) => (bytes < text.length ? null : refusal);
      assert.equal(await read(form, { hold }), refusal);
      assert.equal(bytesHeld(), 0);
    });
  });
}
