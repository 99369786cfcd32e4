// Why the service is degraded: something that its users notice or soon will, under a name that scripts may rely on
// (docs/operations.md#health).
import type { Micros } from '../units.ts';

/** A problem found by one check; `since`: when it began, if that is known. */
export type Finding = { name: string; detail: string; since?: Micros };

export type Reason = { name: string; since: Micros; detail: string };

/** A reason with the roles of the processes that see it. */
export type SeenReason = Reason & { seenBy: readonly string[] };

/** What a process reports of itself to the others. `roles`: of the process, with `+` between them. */
export type HealthReport = { roles: string; reasons: readonly Reason[] };

/** The roles of the processes that look, by their reports. */
export function rolesOf(reports: readonly HealthReport[]): ReadonlySet<string> {
  return new Set(reports.flatMap(({ roles }) => roles.split('+')));
}

/** Remembers from check to check since when each reason has held. */
export class StandingReasons {
  #since: ReadonlyMap<string, Micros> = new Map();

  /** The findings as reasons, one per name, in their order. Reasons that are no longer found are forgotten. */
  note(findings: readonly Finding[], now: Micros): readonly Reason[] {
    const reasons = new Map<string, Reason>();
    for (const { name, detail, since } of findings) {
      if (!reasons.has(name)) reasons.set(name, { name, detail, since: since ?? this.#since.get(name) ?? now });
    }
    this.#since = new Map([...reasons.values()].map((reason) => [reason.name, reason.since]));
    return [...reasons.values()];
  }
}

/** The reasons of all reports, one per name: the earliest `since`, and the detail of the first report that has it. */
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
