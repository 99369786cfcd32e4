// Polls a condition of another process, which sends no notice when it becomes true.
import { setTimeout as delay } from 'node:timers/promises';
import { ownMs } from '../processes/own-time.ts';

/** Longer than anything takes on a busy machine; only a failing test waits that long. */
const patienceMs = 240_000;

/**
 * Resolves once `condition` holds (a throw counts as no); rejects naming `what` when it has not for `withinMs` of this process's own time. Only a
 * test that claims so, or expects the wait to be in vain, gives `withinMs`.
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
