// The machine's clock as a Clock. Only this folder reads the time of day or sets timers.
import type { Clock } from '../../core/ports/clock.ts';
import type { Micros, Millis } from '../../core/units.ts';

/** The wall clock in micros, with millisecond resolution. */
export function wallClockNow(): Micros {
  return Date.now() * 1000;
}

/** Monotonic milliseconds from an arbitrary origin: for durations. */
export function monotonicMs(): Millis {
  return performance.now();
}

/** Resolves after `ms`, or at once when `signal` aborts; never rejects. With `idle` it does not keep the process alive. */
export async function sleep(ms: Millis, signal?: AbortSignal, options: { idle?: boolean } = {}): Promise<void> {
  if (signal?.aborted) return;
  // Not the promise of node:timers, which rejects at an abort: every push would cost some errors.
  await new Promise<void>((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, Math.max(0, ms));
    if (options.idle === true) timer.unref();
    signal?.addEventListener('abort', over);
  });
}

/** Resolves once other work that waits has had a turn. */
export function turnOfOthers(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

export const systemClock: Clock = {
  now: wallClockNow,
  elapsed: () => Math.round(monotonicMs() * 1000),
  sleep: (ms, signal) => sleep(ms, signal),
};
