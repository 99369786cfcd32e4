// Unique names, so that tests that share a service do not affect each other.
import { randomBytes } from 'node:crypto';

/**
 * `prefix-` and twelve characters never used before; valid for topics, groups, buckets, keys and quoted database names.
 */
export function unique(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`;
}
