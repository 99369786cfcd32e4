// How the processes of the service report their health to each other: an API cannot see the log, nor a gateway what projectors see.
import type { HealthReport } from '../../health/reason.ts';

export interface HealthCatalog {
  /** Replaces this process's report. Others see it for ten seconds. */
  report(report: HealthReport): Promise<void>;
  /** The newest reports of all other processes. */
  reports(): Promise<readonly HealthReport[]>;
  /** Removes this process's report. */
  withdraw(): Promise<void>;
}
