// The state of a process on its internal listener, from its start: while it waits for a database or a broker that does not answer, it is
// degraded and reports since when.
import type { SeenReason } from '../../core/health/reason.ts';
import type { Micros } from '../../core/units.ts';
import { type MetricsSnapshot, metricsText } from '../../platform/telemetry/metrics.ts';
import type { InternalSource } from './internal-listener.ts';

export class ProcessState implements InternalSource {
  readonly roles: readonly string[];
  readonly #startedAt: Micros;
  #reasons: () => readonly SeenReason[] = () => [];
  readonly #snapshots: (() => Promise<MetricsSnapshot>)[] = [];
  #phase: 'starting' | 'running' | 'stopping' = 'starting';

  constructor(roles: readonly string[], startedAt: Micros) {
    this.roles = roles;
    this.#startedAt = startedAt;
  }

  /** From now on the process knows why the service is degraded. */
  knows(reasons: () => readonly SeenReason[]): void {
    this.#reasons = reasons;
  }

  /** Asks this, too, at each scrape. */
  measures(snapshot: () => Promise<MetricsSnapshot>): void {
    this.#snapshots.push(snapshot);
  }

  async metrics(): Promise<string> {
    return metricsText(await Promise.all(this.#snapshots.map((snapshot) => snapshot())));
  }

  runs(): void {
    this.#phase = 'running';
  }

  stops(): void {
    this.#phase = 'stopping';
  }

  reasons(): readonly SeenReason[] {
    if (this.#phase !== 'starting') return this.#reasons();
    const detail = 'this process waits for what it depends on; its log says for what';
    const starting = { name: 'starting', since: this.#startedAt, detail, seenBy: [this.roles.join('+')] };
    return [starting, ...this.#reasons()];
  }

  isReady(): boolean {
    return this.#phase === 'running';
  }
}
