// Keys that resemble a given one, as someone who guesses would send them.
import { mintKey } from '../../../core/access/key-format.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretOf = (key: string) => key.slice('svc_live_'.length, -6);
const other = (character: string, steps: number) =>
  alphabet[(alphabet.indexOf(character) + 1 + (steps % 61)) % 62] as string;

/** `key` with another last character in its secret, and the checksum of that text. */
export function nearKey(key: string, turn = 0): string {
  const secret = secretOf(key);
  const near = secret.slice(0, -1) + other(secret.at(-1) as string, turn);
  return mintKey(
    'live',
    Uint8Array.from(near, (character) => alphabet.indexOf(character)),
  );
}

/** `key` with another last character: its checksum is wrong. */
export function mistypedKey(key: string, turn = 0): string {
  return key.slice(0, -1) + other(key.at(-1) as string, turn);
}

/** The `turn`-th of a series of keys that no account has. */
export function strangeKey(turn: number): string {
  // Mixes the number, so that no two keys agree in any place.
  let state = (turn + 1) * 0x9e3779b1;
  const bytes = Uint8Array.from({ length: 40 }, () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    state = (Math.imul(state ^ (state >>> 12), 0x297a2d39) + 0x9e3779b1) | 0;
    return (state >>> 16) % 62;
  });
  return mintKey('live', bytes);
}
