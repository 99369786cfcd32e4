// A reader of event streams that knows only the format: fields, blank lines, comments.
import assert from 'node:assert/strict';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { ownMs } from '../processes/own-time.ts';

export type ReadEvent = { event: string; data: Record<string, unknown> };

export type EventClient = {
  status: number;
  headers: IncomingMessage['headers'];
  events: ReadEvent[];
  comments: number;
  /** The fields of a stream that are not events. */
  retry: string | null;
  id: string | null;
  isEnded: boolean;
  /** The next event that fits, after those taken before. */
  next(fits?: (event: ReadEvent) => boolean): Promise<ReadEvent>;
  until(isSo: () => boolean): Promise<void>;
  close(): void;
};

/** In own time, so that a busy machine does not use it up. */
const patienceMs = 60_000;

/** Opens a stream; resolves with the head of the answer. `more`: further header fields of the request. */
export function openEvents(url: string, path: string, key: string, more = {}): Promise<EventClient> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(path, url), {
      headers: { authorization: `Bearer ${key}`, ...more },
      agent: false,
    });
    request.on('error', reject);
    request.on('response', (response) => resolve(follow(response, () => request.destroy())));
    request.end();
  });
}

function follow(response: IncomingMessage, close: () => void): EventClient {
  let text = '';
  let taken = 0;
  let wake = () => {};
  const client: EventClient = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events: [],
    comments: 0,
    retry: null,
    id: null,
    isEnded: false,
    close,
    async next(fits = () => true) {
      let found: ReadEvent | undefined;
      await client.until(() => {
        while (found === undefined && taken < client.events.length) {
          const event = client.events[taken++] as ReadEvent;
          if (fits(event)) found = event;
        }
        return found !== undefined;
      });
      return found as ReadEvent;
    },
    async until(isSo) {
      const began = ownMs();
      while (!isSo()) {
        const left = patienceMs - (ownMs() - began);
        assert.ok(left > 0, `no such event came: ${JSON.stringify(client.events.slice(-5))}`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
  };
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) take(client, block);
    wake();
  });
  const ended = () => {
    client.isEnded = true;
    wake();
  };
  response.on('end', ended);
  response.on('close', ended);
  response.on('error', ended);
  return client;
}

function take(client: EventClient, block: string): void {
  const fields = block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);
  const fieldOf = (name: string) => fields.find(([field]) => field === name)?.[1];
  if (block.startsWith(':')) client.comments += 1;
  if (fieldOf('retry') !== undefined) client.retry = fieldOf('retry') ?? null;
  client.id = fieldOf('id') ?? client.id;
  const event = fieldOf('event');
  if (event === undefined) return;
  client.events.push({ event, data: JSON.parse(fieldOf('data') ?? '') as Record<string, unknown> });
}
