// Polls a condition of another process that gives no notice when it becomes true.
import { setTimeout as delay } from 'node:timers/promises';
import { ownMs } from '../processes/own-time.ts';

/** Longer than anything takes on a busy machine; only a failing test waits that long. */
const patienceMs = 240_000;

/**
 * Resolves once `condition` holds; a throw counts as no. Rejects, naming `what`, when it has not held for `withinMs` of
 * this process's own time. Only tests of such a limit, or that expect the condition never to hold, give `withinMs`.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  { withinMs = patienceMs, everyMs = 50 }: { withinMs?: number; everyMs?: number } = {},
): Promise<void> {
  const startedAt = ownMs();
  let last: unknown;
  for (;;) {
    try {
      if (await condition()) return;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (ownMs() - startedAt > withinMs) {
      throw new Error(`waited ${withinMs} ms in vain: ${what}`, { cause: last });
    }
    await delay(everyMs);
  }
}
