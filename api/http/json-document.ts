import { jsonText } from '../../http/json-text.ts';
import { bodyOfText, type Representation, represent } from './answer.ts';
import { type CachePolicy, cachePolicies } from './caching.ts';
import { etagOfBytes } from './etag.ts';

/** A JSON document as served. `rows`: its number of rows, if they are counted. */
export function jsonDocument(
  value: unknown,
  facts: { cache: CachePolicy; keyed: boolean; etag?: string; rows?: number },
): Representation {
  const text = jsonText(value);
  const body = bodyOfText(text);
  return represent({
    etag: facts.cache === 'never' ? null : (facts.etag ?? etagOfBytes(text)),
    size: Buffer.byteLength(text),
    mediaType: 'application/json',
    cacheControl: cachePolicies[facts.cache],
    keyed: facts.keyed,
    rows: facts.rows ?? null,
    ranges: false,
    body: () => body,
  });
}
