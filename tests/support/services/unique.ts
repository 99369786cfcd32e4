// Unique names, so that tests that share a service do not affect each other.
import { randomBytes } from 'node:crypto';

/** `prefix-` and twelve characters that were never used before; fit for topics, groups, buckets, keys and database names in quotes. */
export function unique(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`;
}
