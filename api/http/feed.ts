// A body without an end of its own, which is written as news comes up. Ten thousand are open at a time, so one that waits holds no promise
// and no timer (`npm run bench -- u`).
import type { ServerResponse } from 'node:http';
import { forgetHead } from './prepared-heads.ts';

export type Feed = {
  /** The next text to send; '': there is none now; null: it has ended. */
  take(): string | null;
  /** From now on calls `wake` when there may be a text, never from within `take`. */
  whenNews(wake: () => void): void;
  /** It has ended, or the client is gone; extra calls do nothing. */
  release(): void;
};

export function isFeed(body: unknown): body is Feed {
  return typeof body === 'object' && body !== null && 'take' in body;
}

/**
 * Writes the feed after the head, which the caller has written, until it ends or the client is gone. A reader that takes nothing holds one
 * text in memory. `failed` gets what `take` throws.
 */
export function writeFeed(response: ServerResponse, feed: Feed, failed: (error: unknown) => void): void {
  // The client went while the answer was prepared, so 'close' will not come any more.
  if (response.destroyed) {
    feed.release();
    return;
  }
  const write = (): void => {
    try {
      while (!response.destroyed && !response.writableNeedDrain) {
        const text = feed.take();
        if (text === '') return;
        if (text === null) {
          response.end();
          feed.release();
          return;
        }
        response.write(text);
      }
    } catch (error) {
      failed(error);
    }
  };
  response.on('close', () => feed.release());
  response.on('drain', write);
  feed.whenNews(write);
  // Otherwise Node would send the head with the first text, which may be minutes away.
  response.flushHeaders();
  forgetHead(response);
  write();
}
