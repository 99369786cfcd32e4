// The digest vectors that the service publishes for its users.
import { readFileSync } from 'node:fs';
import type { DigestCase } from './msf-vectors.ts';

/** The page that explains them. */
export const digestPage = new URL('../../../schemas/msf-digest/README.md', import.meta.url);

export function publishedDigestCases(): DigestCase[] {
  const file = new URL('../../../schemas/msf-digest/vectors.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { cases: DigestCase[] }).cases;
}
