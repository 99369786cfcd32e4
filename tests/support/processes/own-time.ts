// The time in which this process really ran, for the limits that tests assert. A timer checks the clock, and at most
// `mostMs` between two checks count: while a busy or frozen machine keeps the process from running, neither this time
// nor the product's deadlines in this process advance. A deadline that fires too late is still noticed where product
// and test share the process.
import { setTimeout as delay } from 'node:timers/promises';

const lookMs = 10;
/** The longest turn of the event loop that counts as work rather than interruption. */
const mostMs = 50;
let passed = 0;
let lookedAt = 0;
let timer: NodeJS.Timeout | null = null;

function look(): void {
  const now = performance.now();
  passed += Math.min(now - lookedAt, mostMs);
  lookedAt = now;
}

/** Milliseconds of this process's own time since the first call. */
export function ownMs(): number {
  if (timer === null) {
    lookedAt = performance.now();
    timer = setInterval(look, lookMs).unref();
  }
  return passed;
}

/** Resolves after this much own time: every timer of this process that was due by then has fired. */
export async function ownDelay(ms: number): Promise<void> {
  const end = ownMs() + ms;
  while (ownMs() < end) await delay(lookMs);
}

/**
 * Repeats `work` if the machine kept this process from running meanwhile, so that its steps came at other times than
 * intended.
 */
export async function undisturbed<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const [own, clock] = [ownMs(), performance.now()];
    const result = await work();
    if (performance.now() - clock - (ownMs() - own) < 2 * mostMs) return result;
  }
}
