// Requests that wait for changes (docs/interface.md#waiting). They watch the instance's caches, which the catalog's notices refresh, so
// waiting costs no queries. Each request gets its usual answer in the end: on a change, when its time is over, or when the instance stops.
import { type Clock, elapsedBy } from '../../core/ports/clock.ts';
import type { Millis } from '../../core/units.ts';
import { unavailable } from '../../http/refusal.ts';
import { ifNoneMatchNames } from '../http/etag.ts';
import { preferredWait } from '../http/prefer.ts';
import type { Exchange, StepAnswer } from './exchange.ts';
import { found } from './findings.ts';

export type Waiting = {
  /** Repeats `ask`, which finds the current answer, until the answer is new to the client. Synchronous for a request that does not wait. */
  untilNews(exchange: Exchange, ask: () => StepAnswer | Promise<StepAnswer>): StepAnswer | Promise<StepAnswer>;
  /** How many requests wait now. */
  count(): number;
  /** Ends all waits; later requests do not wait. */
  close(): void;
};

export function openWaiting({ clock, longestWait }: { clock: Clock; longestWait: number }): Waiting {
  const underWay = new Set<() => void>();
  let closed = false;
  const now = (): Millis => elapsedBy(clock) / 1_000;

  async function wait(
    exchange: Exchange,
    ask: () => StepAnswer | Promise<StepAnswer>,
    seconds: number,
  ): Promise<StepAnswer> {
    const bell = new Bell();
    const ended = new AbortController();
    let isOver = false;
    const end = () => {
      isOver = true;
      bell.ring();
    };
    underWay.add(end);
    exchange.whenGone(end);
    // Watch before the first look, so that no change after it is missed.
    const stop = found(exchange.question, 'the question').watch(exchange, () => bell.ring());
    void clock.sleep(seconds * 1_000, ended.signal).then(end);
    try {
      for (;;) {
        const isLast = isOver;
        if (exchange.isGone()) return unavailable('The client is gone.');
        bell.hang();
        const answered = await ask();
        if (answered !== null || isLast || !isKnown(exchange)) return answered;
        const began = now();
        await bell.rung;
        exchange.waited.ms = (exchange.waited.ms ?? 0) + now() - began;
      }
    } finally {
      stop();
      underWay.delete(end);
      ended.abort();
    }
  }

  return {
    untilNews(exchange, ask) {
      if (!exchange.route.waits || exchange.head.prefer === null || closed) return ask();
      const seconds = Math.min(preferredWait(exchange.head.prefer), longestWait);
      if (seconds === 0) return ask();
      exchange.waits = seconds;
      return wait(exchange, ask, seconds);
    },
    count: () => underWay.size,
    close() {
      closed = true;
      for (const end of underWay) end();
    },
  };
}

/** Whether the client has the whole answer: nothing follows its cursor, or it names the answer's tag. */
function isKnown({ nothingNew, head, answer }: Exchange): boolean {
  if (nothingNew) return true;
  const etag = answer?.etag ?? null;
  return etag !== null && head.ifNoneMatch !== null && ifNoneMatchNames(head.ifNoneMatch, etag);
}

/** Wakes a waiting request; each ring counts once. */
class Bell {
  rung: Promise<void> = Promise.resolve();
  #ring: () => void = () => {};

  hang(): void {
    this.rung = new Promise((resolve) => {
      this.#ring = resolve;
    });
  }

  ring(): void {
    this.#ring();
  }
}
