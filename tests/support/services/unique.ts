// Names that no other test of this run or any other uses: how tests that share a service stay out of each other's way.
import { randomBytes } from 'node:crypto';

/** `prefix-` and twelve characters that were never used before; fit for topics, groups, buckets, keys and database names in quotes. */
export function unique(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`;
}
