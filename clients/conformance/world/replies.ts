// Replies of the scripted server.
import { createHash } from 'node:crypto';
import type { Reply } from './faults.ts';

export function json(document: object): Reply {
  const body = new TextEncoder().encode(JSON.stringify(document));
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

/** `rows`: as it says how many the file has. */
export function file(body: Uint8Array, rows: number): Reply {
  const etag = `"${createHash('sha256').update(body).digest('hex')}"`;
  const headers = { 'content-type': 'application/vnd.apache.parquet', etag, 'x-service-rowcount': String(rows) };
  return { status: 200, headers, body };
}
