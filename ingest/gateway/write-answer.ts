// An answer on its way out. Where the body has not come to its end, what is left of it is dropped for a while before the connection is closed: a
// sender that is still writing would otherwise lose the answer with the connection. How much is dropped depends on who sends: what comes
// behind a refused key costs no more than its first packets. Then nothing is read any more, and the sender still has time to read.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../core/ports/clock.ts';
import type { Millis } from '../../core/units.ts';
import { largestBodyBytes } from './receive-body.ts';

const lingerMs: Millis = 2_000;
const mostBytesDropped = 2 * largestBodyBytes;
const mostBytesOfStrangers = 256 * 1024;

const closing: readonly string[] = ['Connection', 'close'];

/** Header fields are names and values in turn. */
export type WrittenAnswer = { status: number; headers: readonly string[]; body: string };

/** Header fields of an answer with a document. Nothing here is for browsers or caches. */
export function fieldsOfDocument(mediaType: string, body: string, requestId: string): readonly string[] {
  return [
    ...['Content-Type', mediaType, 'Content-Length', String(Buffer.byteLength(body)), 'Cache-Control', 'no-store'],
    ...[...fieldsOfEvery, 'X-Request-Id', requestId],
  ];
}

/** Header fields of every answer, documents and problems. */
export const fieldsOfEvery: readonly string[] = ['X-Content-Type-Options', 'nosniff'];

/** `admitted`: the request is of a key that may send it. `last`: the connection ends with the answer. */
type How = { admitted: boolean; last: boolean };

export function writeAnswer(
  clock: Clock,
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: WrittenAnswer,
  { admitted, last }: How,
): void {
  if (response.destroyed || response.headersSent) return;
  const shown = request.method === 'HEAD' ? '' : body;
  if (request.complete) {
    response.writeHead(status, last ? [...headers, ...closing] : [...headers]).end(shown);
    return;
  }
  response.writeHead(status, [...headers, ...closing]);
  response.write(shown);
  const over = new AbortController();
  let left = admitted ? mostBytesDropped : mostBytesOfStrangers;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.pause();
  });
  request.on('end', () => over.abort());
  request.on('error', () => over.abort());
  request.on('close', () => over.abort());
  request.resume();
  void clock.sleep(lingerMs, over.signal).then(() => response.end());
}
