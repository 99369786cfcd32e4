// The health of the service as one process knows it (docs/operations.md#health): it checks every two seconds, reports its findings to the
// other processes, and reads theirs. Probes are answered from memory.
import {
  type Finding,
  type HealthReport,
  mergeReports,
  type Reason,
  rolesOf,
  type SeenReason,
  StandingReasons,
} from '../../core/health/reason.ts';
import type { HealthCatalog } from '../../core/ports/catalog/health.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { openDependencyQuestion } from './ask-dependency.ts';
import { type Facts, type HealthCheckTools, openHealthCheck } from './check-health.ts';

export type WatchedHealth = {
  /** Why the service is degraded, according to this process and the others. */
  reasons(): readonly SeenReason[];
  /** The roles of this process and of all others that report: what no such role can see is not looked at. */
  lookers(): ReadonlySet<string>;
  /** The last findings of this process; null: none yet. */
  facts(): Facts | null;
  stop(): Promise<void>;
};

export type WatchTools = HealthCheckTools & {
  health: HealthCatalog;
  /** The roles of this process. */
  roles: readonly string[];
  /** Whether this process may report; an API only reads. */
  reports: boolean;
  /** The degraded parts of this process. */
  degraded?: () => readonly string[];
  log: Log;
};

const everyMs: Millis = 2_000;
const exchangePatienceMs: Millis = 2_000;
const withdrawPatienceMs: Millis = 1_000;

export function watchHealth(tools: WatchTools, pauseMs: Millis = everyMs): WatchedHealth {
  const { health, clock, log } = tools;
  const roles = tools.roles.join('+');
  const { look, facts } = openHealthCheck(tools, tools.clock.now());
  const standing = new StandingReasons();
  const stopped = new AbortController();
  let own: readonly Reason[] = [];
  let others: readonly HealthReport[] = [];
  let seen: readonly SeenReason[] = [];
  let lookers: ReadonlySet<string> = new Set();
  const askOthers = openDependencyQuestion(
    async () => {
      if (tools.reports) await health.report({ roles, reasons: own });
      return await health.reports();
    },
    clock,
    exchangePatienceMs,
  );

  async function lookOnce(): Promise<void> {
    const parts = (tools.degraded?.() ?? []).map(
      (name): Finding => ({ name, detail: 'a part of this process says so' }),
    );
    const findings = [...(await look()), ...parts];
    const before = own;
    own = standing.note(findings, clock.now());
    sayWhatChanged(log, before, own);
    // What this process sees must not wait for an exchange that hangs.
    conclude();
    if (stopped.signal.aborted) return;
    others = await exchange();
    conclude();
  }

  function conclude(): void {
    const reports = [{ roles, reasons: own }, ...others];
    seen = mergeReports(reports);
    lookers = rolesOf(reports);
  }

  /** Without the catalog a process only knows its own findings. */
  async function exchange(): Promise<readonly HealthReport[]> {
    const asked = await askOthers();
    if ('answer' in asked) return asked.answer;
    if (!own.some(({ name }) => name === 'catalog')) log.warn('health is not reported', { error: asked.away });
    return [];
  }

  const done = (async () => {
    for (; !stopped.signal.aborted; await clock.sleep(pauseMs, stopped.signal)) {
      try {
        await lookOnce();
      } catch (error) {
        log.error('health cannot be looked at', { error: String(error) });
      }
    }
  })();
  return {
    reasons: () => seen,
    lookers: () => lookers,
    facts,
    async stop() {
      stopped.abort();
      const withdrawn = done.then(() => (tools.reports ? health.withdraw() : undefined)).catch(() => {});
      await Promise.race([withdrawn, clock.sleep(withdrawPatienceMs)]);
    },
  };
}

/** The alarm of a process without monitoring: each reason that begins or ends is logged. */
function sayWhatChanged(log: Log, before: readonly Reason[], after: readonly Reason[]): void {
  const names = (reasons: readonly Reason[]) => new Set(reasons.map(({ name }) => name));
  const [stood, stands] = [names(before), names(after)];
  for (const { name, detail } of after) if (!stood.has(name)) log.warn('health is degraded', { reason: name, detail });
  for (const { name } of before) if (!stands.has(name)) log.info('health is no longer degraded', { reason: name });
}
