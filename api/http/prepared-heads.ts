// Heads that are made once and sent often. Node checks and assembles every field of every answer anew, which costs a hot read more than all
// checks of ours. So what is the same each time is checked once and kept as text, and the text of a whole head is put where Node keeps the
// one it has assembled (`_header`), to be sent in one piece with the body. Connections, pipelining, time-outs and failures stay Node's;
// and whatever is not simply a 200 on a connection that stays open is left to its `writeHead`.
import { type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';
import type { Clock } from '../../core/ports/clock.ts';
import { type Millis, microsPerSecond } from '../../core/units.ts';

/** Where Node keeps the head of a response; `headersSent` is whether something is there. */
type Keeping = { _header: string | null };

export type PreparedHeads = {
  /** Gives `response` the head of a 200 with the fields of the text `kept` and of the list `own`; false: the head is left to Node. */
  give(response: ServerResponse, kept: string, own: readonly string[]): boolean;
};

/** Fields — names and values in turn — as the text to be kept of them. @throws what Node says of a field that is none */
export function textOfFields(fields: readonly string[]): string {
  for (let at = 0; at < fields.length; at += 2) {
    validateHeaderName(fields[at] as string);
    validateHeaderValue(fields[at] as string, fields[at + 1] as string);
  }
  return written(fields);
}

/** `keepAliveMs`: how long the server keeps a connection open that asks nothing. */
export function openPreparedHeads({ clock, keepAliveMs }: { clock: Clock; keepAliveMs: Millis }): PreparedHeads {
  const staying = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n\r\n`;
  let second = Number.NaN;
  let end = '';

  /** What ends a head: the date, which is of the second, and that the connection stays. */
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
      // Who stops serving says so in a field of its own.
      if (!response.shouldKeepAlive || response.hasHeader('connection')) return false;
      (response as unknown as Keeping)._header = `HTTP/1.1 200 OK\r\n${kept}${written(own)}${endOfHead()}`;
      return response.headersSent;
    },
  };
}

function written(fields: readonly string[]): string {
  let text = '';
  for (let at = 0; at < fields.length; at += 2) text += `${fields[at]}: ${fields[at + 1]}\r\n`;
  return text;
}
