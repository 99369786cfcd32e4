// What the processes of the service report of their health to each other: an API does not see the log, nor a gateway what projectors see.
import type { HealthReport } from '../../health/reason.ts';

export interface HealthCatalog {
  /** Reports what this process sees, in place of its last report. Others read it for ten seconds. */
  report(report: HealthReport): Promise<void>;
  /** The newest reports of all other processes. */
  reports(): Promise<readonly HealthReport[]>;
  /** Removes this process's report. */
  withdraw(): Promise<void>;
}
