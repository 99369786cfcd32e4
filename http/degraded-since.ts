// The degraded parts in a listener's /health: their names, and since when.
import { type Finding, StandingReasons } from '../core/health/reason.ts';
import type { Clock } from '../core/ports/clock.ts';
import { formatMicros } from '../core/time/rfc3339.ts';
import type { Micros } from '../core/units.ts';

export type DegradedSince = { name: string; since: Micros };

/**
 * Returns what is degraded now, from what the listener itself knows (`own`) and from the program that runs it. Call it often: a state that
 * begins and ends between two calls goes unnoticed.
 */
export function openDegraded(
  clock: Pick<Clock, 'now'>,
  own: () => readonly string[],
  others: () => readonly DegradedSince[] = () => [],
): () => readonly DegradedSince[] {
  const standing = new StandingReasons();
  return () => {
    const findings = own().map((name): Finding => ({ name, detail: '' }));
    const known = others().map(({ name, since }): Finding => ({ name, since, detail: '' }));
    return standing.note([...findings, ...known], clock.now());
  };
}

/** The member `since` of a health document; absent if nothing is degraded. */
export function sinceOf(reasons: readonly DegradedSince[]): { since?: Readonly<Record<string, string>> } {
  if (reasons.length === 0) return {};
  return { since: Object.fromEntries(reasons.map(({ name, since }) => [name, formatMicros(since)])) };
}
