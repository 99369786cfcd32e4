// Waiting on a condition of another process, which tells nobody when it comes true.
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Resolves once `condition` holds (a throw counts as no); rejects naming `what` after `timeoutMs`: by default longer than anything takes on a
 * busy machine, for a test waits that long only where it fails.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  { timeoutMs = 120_000, everyMs = 50 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<void> {
  const startedAt = performance.now();
  let last: unknown;
  for (;;) {
    try {
      if (await condition()) return;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (performance.now() - startedAt > timeoutMs) {
      throw new Error(`waited ${timeoutMs} ms in vain: ${what}`, { cause: last });
    }
    await delay(everyMs);
  }
}
