// Limits how many pushes of a key run at once (docs/operations.md#pushes-of-a-key). Each push takes time of the process, the catalog and
// the log, and a key that sends many at once would slow down a key that sends one. So the later the event loop wakes, the fewer pushes of a
// key run at a time, and the longer a key that does not pause waits for its next one, while those of other keys pass. A key that is alone
// never waits, and no rest is due behind a push that met no other of its key, so that two feeds of a source can share a key.
import { type Clock, elapsedBy } from '../../core/ports/clock.ts';
import { LoopLateness } from '../../core/scheduling/loop-lateness.ts';
import { SavedRest } from '../../core/scheduling/saved-rest.ts';
import type { Millis } from '../../core/units.ts';

export type PushConcurrency = {
  /** Runs the work of a push as soon as its key may run another. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  /** From now on no push waits. */
  close(): void;
};

/** How often the process measures its lateness, while several keys push. */
const lookMs: Millis = 20;
/** How long a key counts as active after its last push: longer than a source pauses that polls a sportsbook every few seconds. */
const activeForMs: Millis = 10_000;

type OfKey = { underway: number; waiting: (() => void)[]; seenAt: Millis; saved: SavedRest };

export function openPushConcurrency(clock: Pick<Clock, 'now' | 'elapsed' | 'sleep'>): PushConcurrency {
  const now = (): Millis => elapsedBy(clock) / 1_000;
  const lateness = new LoopLateness();
  const keys = new Map<string, OfKey>();
  const closed = new AbortController();
  let watching = false;

  const isAlone = (): boolean => keys.size < 2;

  function forgetIdle(): void {
    for (const [key, { underway, seenAt }] of keys)
      if (underway === 0 && now() - seenAt > activeForMs) keys.delete(key);
  }

  async function watch(): Promise<void> {
    watching = true;
    while (!isAlone() && !closed.signal.aborted) {
      const asked = now() + lookMs;
      await clock.sleep(lookMs, closed.signal);
      lateness.woke(now() - asked);
      forgetIdle();
    }
    watching = false;
    // A key that is now alone, or at shutdown, waits no longer.
    for (const ofKey of keys.values()) while (passOn(ofKey));
  }

  function mayBegin({ underway }: OfKey): boolean {
    return isAlone() || closed.signal.aborted || underway < lateness.atOnce;
  }

  /** Starts the key's next push, if one may start. */
  function passOn(ofKey: OfKey): boolean {
    const next = mayBegin(ofKey) ? ofKey.waiting.shift() : undefined;
    if (next === undefined) return false;
    ofKey.underway += 1;
    next();
    return true;
  }

  function leave(ofKey: OfKey): void {
    ofKey.underway -= 1;
    ofKey.seenAt = now();
    while (passOn(ofKey));
  }

  async function enter(key: string): Promise<OfKey> {
    const ofKey = keys.get(key) ?? { underway: 0, waiting: [], seenAt: 0, saved: new SavedRest(now()) };
    keys.set(key, ofKey);
    ofKey.seenAt = now();
    if (!watching && !isAlone()) void watch();
    if (ofKey.waiting.length === 0 && mayBegin(ofKey)) ofKey.underway += 1;
    else await new Promise<void>((begin) => ofKey.waiting.push(begin));
    return ofKey;
  }

  return {
    async run(key, work) {
      const metOthers = (keys.get(key)?.underway ?? 0) > 0;
      const ofKey = await enter(key);
      const began = now();
      try {
        return await work();
      } finally {
        const took = now() - began;
        const rest = isAlone() || !metOthers ? 0 : lateness.restAfter(took);
        const wait = ofKey.saved.waitAfter(took, rest, now());
        if (wait > 0 && ofKey.waiting.length > 0) void clock.sleep(wait, closed.signal).then(() => leave(ofKey));
        else leave(ofKey);
      }
    },
    close: () => closed.abort(),
  };
}
