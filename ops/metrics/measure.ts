// The gauges of a process, read at each scrape from what the process already knows. No scrape calls a dependency.
import type { Api } from '../../api/server.ts';
import type { SeenReason } from '../../core/health/reason.ts';
import { microsPerSecond } from '../../core/units.ts';
import type { PoolUse } from '../../platform/postgres/sql.ts';
import { measureEventLoopDelay } from '../../platform/process/event-loop-delay.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import type { WatchedHealth } from '../health/watch-health.ts';

export type Thread = 'main' | 'api';

/** The gauges of each thread. */
export function measureThread(metrics: Metrics, thread: Thread): void {
  const delays = measureEventLoopDelay();
  metrics.gauge('nodejs_eventloop_delay_seconds', () =>
    delays().map(({ quantile, seconds }) => ({ labels: { thread, quantile }, value: seconds })),
  );
}

export function measureBuild(metrics: Metrics, version: string, roles: readonly string[]): void {
  metrics.gauge('sds_build_info', () => [{ labels: { version, roles: roles.join('+') }, value: 1 }]);
}

export function measurePool(metrics: Metrics, thread: Thread, use: () => PoolUse): void {
  metrics.gauge('db_client_connection_count', () => {
    const { used, idle } = use();
    return [
      { labels: { thread, state: 'used' }, value: used },
      { labels: { thread, state: 'idle' }, value: idle },
    ];
  });
  metrics.gauge('db_client_connection_pending_requests', () => [{ labels: { thread }, value: use().waiting }]);
}

/** The requests and streams that an API holds open for its readers. */
export function measureHeld(metrics: Metrics, held: Api['held']): void {
  metrics.gauge('sds_held_requests', () => {
    const { streams, waits } = held();
    return [
      { labels: { kind: 'stream' }, value: streams },
      { labels: { kind: 'wait' }, value: waits },
    ];
  });
}

/** Why the service is degraded, from the start of the process: one that waits for its dependencies says so here, too. */
export function measureDegraded(metrics: Metrics, reasons: () => readonly SeenReason[]): void {
  metrics.gauge('sds_degraded', () => {
    const kinds = new Set(reasons().map(({ name }) => name.split(' ')[0] ?? name));
    return [...kinds].map((reason) => ({ labels: { reason }, value: 1 }));
  });
}

/** What this process has seen of the service; one of its threads reports it. */
export function measureHealth(metrics: Metrics, facts: WatchedHealth['facts']): void {
  const { gauge } = metrics;
  gauge('sds_tick_age_seconds', () => one(facts()?.tickAge ?? null));
  gauge('sds_clock_skew_seconds', () => one(facts()?.skew ?? null));
  gauge('sds_outbox_records', () => {
    const outbox = facts()?.outbox ?? null;
    return outbox === null ? [] : [{ labels: {}, value: outbox.records }];
  });
  gauge('sds_outbox_age_seconds', () => one(facts()?.outbox?.age ?? null));
  gauge('sds_lag_records', () =>
    streams().flatMap(({ behind, ...stream }) =>
      behind === null ? [] : [{ labels: ofStream(stream), value: behind }],
    ),
  );
  gauge('sds_lag_seconds', () =>
    streams().flatMap(({ behind, still, ...stream }) =>
      behind === null ? [] : [{ labels: ofStream(stream), value: still / microsPerSecond }],
    ),
  );
  gauge('sds_owner_epoch', () =>
    streams().map(({ ownerEpoch, ...stream }) => ({ labels: ofStream(stream), value: ownerEpoch })),
  );
  gauge('sds_halted_partitions', () => {
    const halted = new Map<string, number>();
    for (const { projector, isHalted } of streams())
      halted.set(projector, (halted.get(projector) ?? 0) + (isHalted ? 1 : 0));
    return [...halted].map(([projector, value]) => ({ labels: { projector }, value }));
  });

  function streams() {
    return facts()?.streams ?? [];
  }
}

function ofStream({ projector, partition }: { projector: string; partition: number }) {
  return { projector, partition: String(partition) };
}

/** A time as the only sample; none if it is unknown. */
function one(micros: number | null) {
  return micros === null ? [] : [{ labels: {}, value: micros / microsPerSecond }];
}
