// Randomness of the process: identifiers and secrets. Rules never draw any; they are given what this file made.
import { randomBytes, randomUUID } from 'node:crypto';

/** A new UUID, version 4. */
export function newUuid(): string {
  return randomUUID();
}

/** `bytes` random bytes, from the operating system's generator. */
export function newSecret(bytes: number): Uint8Array {
  return randomBytes(bytes);
}

/** A short name that no other process of ours has: for owners, temporary files and applications. */
export function newProcessTag(): string {
  return `${process.pid}-${randomBytes(4).toString('hex')}`;
}

/** A number in [0, 1): for jitter only. */
export function randomFraction(): number {
  return Math.random();
}
