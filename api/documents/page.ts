// Pages and texts about the service as representations that any cache may store.
import { type PageContent, pageMediaType, renderPage } from '../../http/pages/page.ts';
import { type Representation, represent } from '../http/answer.ts';
import { cachePolicies } from '../http/caching.ts';
import { etagOfBytes } from '../http/etag.ts';

export function pageRepresentation(page: PageContent, headers: readonly string[] = []): Representation {
  const { text, headers: ofPage } = renderPage(page);
  return textRepresentation(text, pageMediaType, [...ofPage, ...headers]);
}

/** Text that any cache may store, as it is served. */
export function textRepresentation(text: string, mediaType: string, headers: readonly string[] = []): Representation {
  const body = Buffer.from(text, 'utf8');
  return represent({
    etag: etagOfBytes(body),
    size: body.length,
    mediaType,
    cacheControl: cachePolicies.public,
    keyed: false,
    rows: null,
    headers,
    body: () => body,
  });
}
