// Form of the service's keys (docs/interface.md#api-keys): `svc_live_` or `svc_feed_`, 40 base62 characters, and the CRC-32 of all that
// precedes it, so that a mistyped key is refused without a query. Independent of accounts, storage and randomness.
import { createHmac } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 40;
const checksumLength = 6;
const form = /^svc_(live|feed)_[0-9A-Za-z]{46}$/;

/** Random bytes that one `mintKey` needs; enough that running out of usable bytes does not happen in practice. */
export const randomBytesPerKey = 96;

export type KeyKind = 'live' | 'feed';

/** A pepper from the configuration. New keys are stored under the newest pepper; a key is looked up under every pepper. */
export type Pepper = { version: number; secret: Uint8Array };

/**
 * A key made from `random` bytes. Bytes from 248 on are skipped, so that each character is equally likely.
 * @throws RangeError when too few usable bytes are given.
 */
export function mintKey(kind: KeyKind, random: Uint8Array): string {
  let key = `svc_${kind}_`;
  const length = key.length + secretLength;
  for (const byte of random) {
    if (key.length === length) break;
    if (byte < 248) key += alphabet[byte % 62];
  }
  if (key.length < length) throw new RangeError(`${random.length} random bytes are too few for a key`);
  return key + checksumOf(key);
}

/** The kind of a key whose form and checksum are right; null for anything else. */
export function checkKey(text: string): KeyKind | null {
  if (!form.test(text)) return null;
  const body = text.slice(0, -checksumLength);
  if (text.slice(-checksumLength) !== checksumOf(body)) return null;
  return body.startsWith('svc_live_') ? 'live' : 'feed';
}

/** The part of a key that may be shown and stored in clear: its first 13 and last 4 characters. */
export function displayOfKey(key: string): { prefix: string; last4: string } {
  return { prefix: key.slice(0, 13), last4: key.slice(-4) };
}

/** HMAC-SHA256 of a key under a pepper: the only form in which a key is stored. */
export function macOfKey(key: string, pepper: Pepper): Uint8Array {
  return new Uint8Array(createHmac('sha256', pepper.secret).update(key, 'utf8').digest());
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < checksumLength; place += 1) {
    digits = `${alphabet[rest % 62]}${digits}`;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 (IEEE) of ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at += 1) {
    crc = (crcTable[(crc ^ text.charCodeAt(at)) & 0xff] as number) ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
