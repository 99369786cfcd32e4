// Time as this process has it, for the limits that a test asserts. A timer looks at the clock; of the time between two looks no more counts than
// `mostMs`: while a busy or frozen machine keeps the process from running, neither the deadlines of the product go on here nor this time. A
// deadline that fires too late shows all the same, where product and test share the process.
import { setTimeout as delay } from 'node:timers/promises';

const lookMs = 10;
/** As long as a turn of the event loop may last that is work and no interruption. */
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

/** Resolves after so much own time: every timer of this process that was due by then has fired. */
export async function ownDelay(ms: number): Promise<void> {
  const end = ownMs() + ms;
  while (ownMs() < end) await delay(lookMs);
}

/** Does `work` again where the machine kept this process from running meanwhile: its steps did not come at the times that it means. */
export async function undisturbed<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const [own, clock] = [ownMs(), performance.now()];
    const result = await work();
    if (performance.now() - clock - (ownMs() - own) < 2 * mostMs) return result;
  }
}
