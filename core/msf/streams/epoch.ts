// Ids of epochs (docs/revisions.md#epochs): ULIDs made from the log position of the record that begins the epoch, so that a replay gives
// the same ids and later epochs sort after earlier ones.

import { createHash } from 'node:crypto';
import type { LogPosition } from '../../log-position.ts';
import type { MsfDataset } from '../types.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const timeDigits = 10;

/** The ULID of the epoch that a record begins: 48 bits of its log time in ms, 80 bits of a hash of its position. */
export function epochId(scopeUuid: string, dataset: MsfDataset, { partition, offset, timestamp }: LogPosition): string {
  let time = Math.max(0, Math.floor(timestamp / 1_000)) % 2 ** 48;
  let digits = '';
  for (let digit = 0; digit < timeDigits; digit += 1) {
    digits = alphabet[time % 32] + digits;
    time = Math.floor(time / 32);
  }
  const place = `${scopeUuid}/${dataset}/${partition}/${offset}`;
  const hash = createHash('sha256').update(place, 'utf8').digest().subarray(0, 10);
  return digits + base32(hash);
}

function base32(bytes: Uint8Array): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(held >>> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return text;
}
