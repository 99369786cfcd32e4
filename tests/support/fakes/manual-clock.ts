// A clock that stands still until it is moved, for simulations in which the seed also decides about time.
import type { Clock } from '../../../core/ports/clock.ts';
import type { Micros, Millis } from '../../../core/units.ts';

export type ManualClock = Clock & {
  /** Advances the clock and wakes, in order, all sleepers whose time has come. */
  advance(ms: Millis): void;
  /** Sets the wall clock back. Sleepers and `elapsed` do not notice. */
  setBack(ms: Millis): void;
  elapsed(): Micros;
  /** When the next sleeper wakes; null without sleepers. */
  nextWake(): Micros | null;
};

type Sleeper = { until: Micros; wake(): void };

/** Opens a clock that shows `start`. */
export function openManualClock(start: Micros): ManualClock {
  let now = start;
  let setBack = 0;
  const sleepers = new Set<Sleeper>();
  const byTime = () => [...sleepers].sort((a, b) => a.until - b.until);
  return {
    now: () => now - setBack,
    elapsed: () => now,
    setBack(ms) {
      setBack += ms * 1_000;
    },
    sleep(ms, signal) {
      if (ms <= 0 || signal?.aborted === true) return Promise.resolve();
      return new Promise((resolve) => {
        const sleeper: Sleeper = {
          until: now + Math.round(ms * 1_000),
          wake() {
            sleepers.delete(sleeper);
            signal?.removeEventListener('abort', sleeper.wake);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', sleeper.wake);
      });
    },
    advance(ms) {
      now += Math.round(ms * 1_000);
      for (const sleeper of byTime()) if (sleeper.until <= now) sleeper.wake();
    },
    nextWake: () => byTime()[0]?.until ?? null,
  };
}
