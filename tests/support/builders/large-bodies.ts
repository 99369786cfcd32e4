// Bodies of the greatest allowed size, made of a repeated text or of entries.
import { largestBodyBytes } from '../../../ingest/gateway/receive-body.ts';
import { event } from '../http/gateway-http.ts';

export type LargeBody = {
  name: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  make: () => Uint8Array<ArrayBuffer>;
  /** The statuses with which the gateway may answer. */
  statuses: readonly number[];
};

export const quotes = '/v1/sources/feed/quotes';
export const oddsApi = '/v1/sources/feed/the-odds-api-v4';
export const reference = '/v1/sources/feed/reference';
export const msf = (feed: string) => `/v1/sources/feed/msf/NFL/2025-2026-regular/${feed}`;
export const ndjson = { 'content-type': 'application/x-ndjson' };

/** A body of the greatest size: `before`, as many of `middle` as fit, and `behind`. */
export function filled(
  before: string,
  middle: string,
  behind: string,
  mostBytes = largestBodyBytes,
): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.alloc(mostBytes, middle);
  const times = Math.floor((mostBytes - before.length - behind.length) / middle.length);
  const end = before.length + times * middle.length;
  bytes.copy(bytes, before.length, 0, end - before.length);
  bytes.write(before, 0, 'latin1');
  bytes.write(behind, end, 'latin1');
  return bytes.subarray(0, end + behind.length);
}

/** A body with as many entries as fit into so many bytes. The index gives the text of an entry. */
export function listed(
  before: string,
  entry: (index: number) => string,
  behind: string,
  mostBytes = largestBodyBytes,
  most = 1e9,
) {
  const parts = [before];
  let size = before.length + behind.length;
  for (let index = 0; index < most; index += 1) {
    const text = (index === 0 ? '' : ',') + entry(index);
    size += text.length;
    if (size > mostBytes) break;
    parts.push(text);
  }
  return Buffer.from(parts.join('') + behind, 'latin1') as Uint8Array<ArrayBuffer>;
}

const game = (index: number) => ({ ...(event().game as object), event_id: `e${index}` });
export const eventText = (index: number, more: Record<string, unknown>) =>
  JSON.stringify(event({ operator: `b${index}`, game: game(index % 16), ...more }));
