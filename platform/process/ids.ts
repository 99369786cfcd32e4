// Randomness of the process: identifiers and secrets. Pure rules never generate any; they receive them.
import { randomBytes, randomUUID } from 'node:crypto';

/** A new UUID, version 4. */
export function newUuid(): string {
  return randomUUID();
}

/** `bytes` random bytes, from the operating system's generator. */
export function newSecret(bytes: number): Uint8Array {
  return randomBytes(bytes);
}

/** A short name that is unique among our processes: for owners, temporary files and applications. */
export function newProcessTag(): string {
  return `${process.pid}-${randomBytes(4).toString('hex')}`;
}

/** A number in [0, 1): for jitter only. */
export function randomFraction(): number {
  return Math.random();
}
