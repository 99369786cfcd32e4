import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { checkKey, displayOfKey, macOfKey, mintKey, randomBytesPerKey } from '../../../core/access/key-format.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const random = fc.uint8Array({ minLength: randomBytesPerKey, maxLength: randomBytesPerKey });
const kinds = fc.constantFrom('live' as const, 'feed' as const);

describe('keys', () => {
  it('are a prefix, 40 characters and the CRC-32 of both', () => {
    fc.assert(
      fc.property(kinds, random, (kind, bytes) => {
        const key = mintKey(kind, bytes);
        assert.match(key, new RegExp(`^svc_${kind}_[0-9A-Za-z]{46}$`));
        let checksum = 0;
        for (const digit of key.slice(-6)) checksum = checksum * 62 + alphabet.indexOf(digit);
        assert.equal(checksum, crc32(key.slice(0, -6)));
        assert.equal(checkKey(key), kind);
      }),
      { numRuns: 500 },
    );
  });

  it('have a fixed form', () => {
    const bytes = Uint8Array.from({ length: randomBytesPerKey }, (_, index) => index);
    const key = mintKey('live', bytes);
    assert.equal(key.slice(0, -6), 'svc_live_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd');
    assert.deepEqual(displayOfKey(key), { prefix: 'svc_live_0123', last4: key.slice(-4) });
  });

  it('are mistyped in one place or two, and refused', () => {
    const place = fc.tuple(fc.integer({ min: 0, max: 54 }), fc.constantFrom(...alphabet, '_', ' ', 'é'));
    fc.assert(
      fc.property(kinds, random, fc.array(place, { minLength: 1, maxLength: 2 }), (kind, bytes, places) => {
        const key = mintKey(kind, bytes);
        const typed = [...key];
        for (const [at, character] of places) typed[at] = character;
        if (typed.join('') !== key) assert.equal(checkKey(typed.join('')), null);
      }),
      { numRuns: 2_000 },
    );
  });

  it('of another form are refused', () => {
    const key = mintKey('feed', new Uint8Array(randomBytesPerKey));
    for (const text of [
      '',
      key.slice(0, -1),
      `${key}0`,
      ` ${key}`,
      `${key}\n`,
      key.toUpperCase(),
      key.replace('feed', 'live'),
      key.replace('svc', 'sv'),
    ]) {
      assert.equal(checkKey(text), null, text);
    }
  });

  it('use every character equally: bytes that would favour some are passed over', () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      if (byte >= 248) {
        assert.throws(() => mintKey('live', new Uint8Array(randomBytesPerKey).fill(byte)), RangeError);
        continue;
      }
      const character = mintKey('live', new Uint8Array(40).fill(byte))[9] as string;
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    assert.deepEqual([...counts.keys()].sort().join(''), alphabet);
    assert.deepEqual(new Set(counts.values()), new Set([4]));
    assert.throws(() => mintKey('live', new Uint8Array(39)), RangeError);
  });

  it('are stored as HMAC-SHA256 under a pepper', () => {
    const key = mintKey('live', new Uint8Array(randomBytesPerKey));
    const pepper = { version: 2, secret: Buffer.from('pepper') };
    assert.deepEqual(Buffer.from(macOfKey(key, pepper)), createHmac('sha256', 'pepper').update(key).digest());
  });
});
