// Why the service is degraded: what a user of it would notice, or soon will, by a name that scripts may rely on (docs/operations.md#health).
import type { Micros } from '../units.ts';

/** What a look finds wrong; `since`: where it is known by more than by looking. */
export type Finding = { name: string; detail: string; since?: Micros };

export type Reason = { name: string; since: Micros; detail: string };

/** A reason with the roles of the processes that see it. */
export type SeenReason = Reason & { seenBy: readonly string[] };

/** What a process reports of itself to the others. */
export type HealthReport = { roles: string; reasons: readonly Reason[] };

/** Remembers since when each reason stands, from look to look. */
export class StandingReasons {
  #since: ReadonlyMap<string, Micros> = new Map();

  /** The findings as reasons, one for each name, in their order. What is not found any more is forgotten. */
  note(findings: readonly Finding[], now: Micros): readonly Reason[] {
    const reasons = new Map<string, Reason>();
    for (const { name, detail, since } of findings) {
      if (!reasons.has(name)) reasons.set(name, { name, detail, since: since ?? this.#since.get(name) ?? now });
    }
    this.#since = new Map([...reasons.values()].map((reason) => [reason.name, reason.since]));
    return [...reasons.values()];
  }
}

/** The reasons of all reports, one for each name: since the earliest time, with the detail of the first report that has it. */
export function mergeReports(reports: readonly HealthReport[]): readonly SeenReason[] {
  const merged = new Map<string, SeenReason>();
  for (const { roles, reasons } of reports) {
    for (const reason of reasons) {
      const seen = merged.get(reason.name);
      if (seen === undefined) merged.set(reason.name, { ...reason, seenBy: [roles] });
      else {
        const seenBy = seen.seenBy.includes(roles) ? seen.seenBy : [...seen.seenBy, roles];
        merged.set(reason.name, { ...seen, since: Math.min(seen.since, reason.since), seenBy });
      }
    }
  }
  return [...merged.values()];
}
