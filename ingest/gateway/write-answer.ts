// Writes an answer. If the body has not arrived completely, the rest is read and dropped for a while before the connection is closed: a
// sender that is still writing would otherwise lose the answer. How much is dropped depends on the sender; after a refused key it is only
// the first packets. Then reading stops, and the sender still has time to read the answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../core/ports/clock.ts';
import type { Millis } from '../../core/units.ts';
import { giveBack } from './gathered-bytes.ts';
import { atOnce, type InTurn, readInTurns } from './read-in-turns.ts';
import { largestBodyBytes } from './receive-body.ts';

const lingerMs: Millis = 2_000;
const mostBytesDropped = 2 * largestBodyBytes;
const mostBytesOfStrangers = 256 * 1024;

const closing: readonly string[] = ['Connection', 'close'];

/** Header fields are names and values, alternating. */
export type WrittenAnswer = { status: number; headers: readonly string[]; body: string };

/** Header fields of an answer with a document. None of them is for browsers or caches. */
export function fieldsOfDocument(mediaType: string, body: string, requestId: string): readonly string[] {
  return [
    ...['Content-Type', mediaType, 'Content-Length', String(Buffer.byteLength(body)), 'Cache-Control', 'no-store'],
    ...[...fieldsOfEvery, 'X-Request-Id', requestId],
  ];
}

/** Header fields of every answer, documents and problems. */
export const fieldsOfEvery: readonly string[] = ['X-Content-Type-Options', 'nosniff'];

/** `inTurn`: the turns of the request's key, which may send it; null: no key may. `last`: the connection ends with the answer. */
type How = { inTurn: InTurn | null; last: boolean };

export function writeAnswer(
  clock: Clock,
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: WrittenAnswer,
  { inTurn, last }: How,
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
  let left = inTurn === null ? mostBytesOfStrangers : mostBytesDropped;
  const drop = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left < 0) reading.stop();
    if (chunk.buffer.byteLength === chunk.length) giveBack(chunk);
  };
  const reading = readInTurns(request, inTurn ?? atOnce, { keep: drop, end: () => over.abort() });
  request.on('error', () => over.abort());
  request.on('close', () => over.abort());
  request.resume();
  void clock.sleep(lingerMs, over.signal).then(() => response.end());
}
