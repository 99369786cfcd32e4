// Entity tags (RFC 9110, 8.8.3) and their preconditions. The service sends no Last-Modified, so dates never match.
import { createHash } from 'node:crypto';

/** The strong tag of a body: its SHA-256. I4. */
export function etagOfBytes(bytes: Uint8Array | string): string {
  return etagOfSha256(createHash('sha256').update(bytes).digest('hex'));
}

/** The strong tag of bytes whose SHA-256 (hex) is known. */
export function etagOfSha256(sha256: string): string {
  return `"${sha256}"`;
}

/** The weak tag of `facts`: answers with the same facts are equivalent, though their bytes may differ. docs/interface.md#entity-tags. */
export function weakEtagOf(facts: unknown): string {
  return `W/${etagOfBytes(JSON.stringify(facts))}`;
}

/** Whether If-Match lets the request through: `*`, or the tag by strong comparison, which no weak tag passes. */
export function ifMatchPasses(field: string, etag: string): boolean {
  return field.trim() === '*' || (!isWeak(etag) && tagsOf(field).includes(etag));
}

/** Whether If-None-Match names the tag: `*`, or by weak comparison. */
export function ifNoneMatchNames(field: string, etag: string): boolean {
  // A client that follows one resource sends exactly one tag, unchanged.
  if (field === etag || field.trim() === '*') return true;
  const opaque = withoutWeakness(etag);
  return tagsOf(field).some((tag) => withoutWeakness(tag) === opaque);
}

/** Whether If-Range still refers to the same bytes: the same strong tag. A date never does. */
export function ifRangeHolds(field: string, etag: string): boolean {
  return field.trim() === etag && !isWeak(etag);
}

function isWeak(tag: string): boolean {
  return tag.startsWith('W/');
}

function withoutWeakness(tag: string): string {
  return isWeak(tag) ? tag.slice(2) : tag;
}

const tagForm = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** The tags of a list. Other text is skipped, because it cannot match. */
function tagsOf(field: string): readonly string[] {
  return field.match(tagForm) ?? [];
}
