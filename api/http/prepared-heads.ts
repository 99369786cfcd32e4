// Heads of answers that are prepared once and sent often. Node validates and assembles every field of every answer anew, which costs a read
// from memory more than all checks of the service. So constant fields are validated once and kept as text, and the text of a whole head is
// stored where Node keeps an assembled one (`_header`), to be sent in one piece with the body. Node still handles connections, pipelining,
// time-outs and failures, and every head except that of a 200 on a connection that stays open.
import { type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';
import type { Clock } from '../../core/ports/clock.ts';
import { type Millis, microsPerSecond } from '../../core/units.ts';

/** Where Node keeps the head of a response; `headersSent` tells whether one is there. */
type Keeping = { _header: string | null };

export type PreparedHeads = {
  /** Gives `response` the head of a 200 with the fields of the text `kept` and of the list `own`; false: Node has to write the head. */
  give(response: ServerResponse, kept: string, own: readonly string[]): boolean;
};

/** Fields, names and values alternating, as text to keep. @throws Node's error for an invalid field */
export function textOfFields(fields: readonly string[]): string {
  for (let at = 0; at < fields.length; at += 2) {
    validateHeaderName(fields[at] as string);
    validateHeaderValue(fields[at] as string, fields[at + 1] as string);
  }
  return written(fields);
}

/** `keepAliveMs`: how long the server keeps an idle connection open. */
export function openPreparedHeads({ clock, keepAliveMs }: { clock: Clock; keepAliveMs: Millis }): PreparedHeads {
  const staying = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n\r\n`;
  let second = Number.NaN;
  let end = '';

  /** The end of a head: the date, to the second, and that the connection stays open. */
  function endOfHead(): string {
    const now = Math.floor(clock.now() / microsPerSecond);
    if (now !== second) {
      second = now;
      end = `Date: ${new Date(now * 1000).toUTCString()}\r\n${staying}`;
    }
    return end;
  }

  return {
    give(response, kept, own) {
      // A server that is closing sets this field to end the connection.
      if (!response.shouldKeepAlive || response.hasHeader('connection')) return false;
      (response as unknown as Keeping)._header = `HTTP/1.1 200 OK\r\n${kept}${written(own)}${endOfHead()}`;
      return response.headersSent;
    },
  };
}

/** Releases the head of `response` after it was sent: otherwise Node keeps it, in a hundred strings, until the response ends. */
export function forgetHead(response: ServerResponse): void {
  if (response.headersSent) (response as unknown as Keeping)._header = sentHead;
}

/** Any non-empty value tells Node that a head was sent. */
const sentHead = '\r\n';

function written(fields: readonly string[]): string {
  let text = '';
  for (let at = 0; at < fields.length; at += 2) text += `${fields[at]}: ${fields[at + 1]}\r\n`;
  return text;
}
