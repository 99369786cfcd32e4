// Requests to the service with the reader's key. The key goes into a header field alone, and no answer into the browser's cache. Every answer
// says what it cost; that is added up.

/** How long an answer may take to begin. A connection that is lost, as after sleep, may keep a request for ever. */
const patienceMs = 30_000;

/** A refusal: its problem document, and the seconds that it asks to wait. */
export class Problem extends Error {
  constructor(status, document, retryAfter) {
    super(document.detail ?? document.title ?? `status ${status}`);
    this.status = status;
    this.type = (document.type ?? '').split('/').at(-1);
    this.document = document;
    this.retryAfter = retryAfter;
  }

  /** Whether asking again may help. A refused HEAD has no type; of 429, the limit of requests alone has a time to wait. */
  get isPassing() {
    return this.status >= 500 || this.type === 'rate-limited' || (this.status === 429 && this.retryAfter > 0);
  }

  /** Whether the key is of no use. */
  get isOfKey() {
    return ['invalid-key', 'key-disabled', 'subscription-required'].includes(this.type);
  }
}

export function openService(key, spending) {
  async function send(path, { method = 'GET', etag = null, signal = null } = {}) {
    const headers = { Authorization: `Bearer ${key}` };
    if (etag !== null) headers['If-None-Match'] = etag;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error('The service does not answer.')), patienceMs);
    const either = AbortSignal.any([late.signal, ...(signal === null ? [] : [signal])]);
    const asked = { method, headers, signal: either, cache: 'no-store', credentials: 'omit' };
    const response = await fetch(path, asked).finally(() => clearTimeout(timer));
    if (response.ok || response.status === 304) {
      spending.add(Number(response.headers.get('X-Service-Debited') ?? 0));
      return response;
    }
    const document = await response.json().catch(() => ({}));
    throw new Problem(response.status, document, Number(response.headers.get('Retry-After') ?? 0));
  }

  return {
    async json(path, options) {
      const response = await send(path, options);
      return response.json();
    },
    /** A document that may be known: `document` null where it is the one of `etag`. */
    async newer(path, options) {
      const response = await send(path, options);
      const document = response.status === 304 ? null : await response.json();
      const debited = Number(response.headers.get('X-Service-Debited') ?? 0);
      const rows = Number(response.headers.get('X-Service-Rowcount') ?? 0);
      return { document, etag: response.headers.get('ETag'), debited, rows };
    },
    /** Of how many rows odds are made, free of charge, and whether they are settled, so that each row costs one. */
    async size(path, options) {
      try {
        const { headers } = await send(path, { ...options, method: 'HEAD' });
        const isSettled = !(headers.get('ETag') ?? 'W/').startsWith('W/');
        return { rows: Number(headers.get('X-Service-Rowcount') ?? 0), isSettled };
      } catch (error) {
        // The refusal of a GET says why. One that is no longer refused is a 304, which is free.
        if (error instanceof Problem && !error.isPassing) await send(path, { ...options, etag: '*' });
        throw error;
      }
    },
    /** The body of an answer that does not end. */
    async stream(path, options) {
      return (await send(path, options)).body;
    },
  };
}
