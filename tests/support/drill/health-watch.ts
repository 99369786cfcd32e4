// Reads /health of every member twice a second, like a monitor, and records each change.
import { setTimeout as delay } from 'node:timers/promises';
import type { Fleet, Member } from './fleet.ts';

/** What a listener said at one moment; null: it did not answer. */
type Sample = { at: number; member: Member; degraded: readonly string[] | null };

export type HealthWatch = {
  /**
   * When a listener first said `what` after `since`; null: not within `withinMs`. `silent`: when that member did not
   * answer.
   */
  reported(what: RegExp | { silent: Member }, since: number, withinMs: number): Promise<number | null>;
  /** When every member became healthy for good after `since`; null: not within `withinMs`. */
  allWell(since: number, withinMs: number): Promise<number | null>;
  /** Everything said from `since` on, each message once. */
  saidSince(since: number): string[];
  stop(): Promise<void>;
};

const everyMs = 500;
/**
 * How long all members have to say ok before the fleet counts as healthy: a report of another process counts for ten
 * seconds, a look takes two.
 */
const quietMs = 4_000;

export function watchFleet(fleet: Fleet): HealthWatch {
  const stopped = new AbortController();
  const samples: Sample[] = [];
  const done = Promise.all(fleet.members.map(watch));

  async function watch(member: Member): Promise<void> {
    while (!stopped.signal.aborted) {
      samples.push({ at: performance.now(), member, degraded: await ask(member) });
      await delay(everyMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  }

  const isBad = ({ degraded }: Sample): boolean => degraded === null || degraded.length > 0;
  return {
    async reported(what, since, withinMs) {
      const isIt = ({ member, degraded }: Sample): boolean =>
        what instanceof RegExp
          ? (degraded?.some((reason) => what.test(reason)) ?? false)
          : member === what.silent && degraded === null;
      for (;;) {
        const found = samples.find((sample) => sample.at >= since && isIt(sample));
        if (found !== undefined) return found.at - since;
        if (performance.now() - since > withinMs) return null;
        await delay(100);
      }
    },
    async allWell(since, withinMs) {
      for (;;) {
        const lastBad = samples.findLast((sample) => sample.at >= since && isBad(sample))?.at ?? since;
        const wellSince = new Set(samples.filter(({ at }) => at > lastBad).map(({ member }) => member));
        const isQuiet = performance.now() - lastBad > quietMs && wellSince.size === fleet.members.length;
        if (isQuiet) return lastBad - since;
        if (lastBad - since > withinMs) return null;
        await delay(100);
      }
    },
    saidSince(since) {
      const said = samples
        .filter((sample) => sample.at >= since)
        .flatMap(({ member, degraded }) => (degraded ?? ['silent']).map((reason) => `${member.kind}: ${reason}`));
      return [...new Set(said)];
    },
    async stop() {
      stopped.abort();
      await done;
    },
  };
}

/** What a user sees: the public listener of an API or gateway; for a projector, the internal one. */
async function ask({ url, internalUrl }: Member): Promise<readonly string[] | null> {
  try {
    const response = await fetch(`${url ?? internalUrl}/health`, { signal: AbortSignal.timeout(2_000) });
    const { degraded } = (await response.json()) as { degraded: readonly (string | { reason: string })[] };
    return degraded.map((each) => (typeof each === 'string' ? each : each.reason));
  } catch {
    return null;
  }
}
