// MySportsFeeds over HTTP: requests a path below its base address, with the key in the form it expects, and returns what arrives within
// limits of time and size. Its answers must not be cached, whatever their headers say, so caches on the way are bypassed. Independent of
// what is requested and why.
import type { Clock } from '../../core/ports/clock.ts';
import type { Millis } from '../../core/units.ts';
import { hasTooMuchIn } from '../gateway/read-body.ts';
import { largestBodyBytes } from '../gateway/receive-body.ts';

/** The address of the source, unless a setting overrides it. */
export const msfBaseUrl = 'https://api.mysportsfeeds.com/v2.1/pull';

export type SourceReply =
  | { kind: 'reply'; status: number; retryAfter: string | null; body: Uint8Array }
  /** No answer, or an incomplete one. */
  | { kind: 'none'; detail: string };

export interface MsfSource {
  /** Requests a path; with `force` false the source may answer that nothing has changed. */
  ask(path: string, force: boolean): Promise<SourceReply>;
  /** Gives up requests in progress. */
  close(): void;
}

/** The source documents one password for all keys. */
const password = 'MYSPORTSFEEDS';
const patienceMs: Millis = 20_000;

export function openMsfSource(target: { baseUrl: string; apiKey: string; clock: Clock }): MsfSource {
  const authorization = `Basic ${Buffer.from(`${target.apiKey}:${password}`).toString('base64')}`;
  const closed = new AbortController();
  const ask = async (path: string, force: boolean, signal: AbortSignal): Promise<SourceReply> => {
    const response = await fetch(`${target.baseUrl}/${path}${force ? '' : '?force=false'}`, {
      headers: { authorization, accept: 'application/json', 'cache-control': 'no-cache' },
      // The key is only for this address.
      redirect: 'error',
      signal,
    });
    const body = await bodyWithin(response, largestBodyBytes);
    if (body === null || hasTooMuchIn(body)) return { kind: 'none', detail: 'an answer of more than a push may have' };
    return { kind: 'reply', status: response.status, retryAfter: response.headers.get('retry-after'), body };
  };
  return {
    async ask(path, force) {
      const late = new AbortController();
      const answered = new AbortController();
      void target.clock.sleep(patienceMs, answered.signal).then(() => late.abort());
      try {
        return await ask(path, force, AbortSignal.any([closed.signal, late.signal]));
      } catch (error) {
        return { kind: 'none', detail: late.signal.aborted ? `no answer within ${patienceMs} ms` : reasonOf(error) };
      } finally {
        answered.abort();
      }
    },
    close: () => closed.abort(),
  };
}

/** The body after decompression, which may be much larger than its transfer; null if it is larger than `most`. */
async function bodyWithin(response: Response, most: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
