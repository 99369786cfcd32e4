// Which partitions need a person to continue, in any process, and whether anything ticks. Polls the catalog, so that /health can answer from memory. The causes are in
// `sds status` and the log.
import { areTicksOverdue } from '../../core/health/ticks-overdue.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { OperationsCatalog } from '../../core/ports/catalog/operations.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';

type HaltedStreams = {
  /** `partition <projector>/<number>` for each of them, and `ticks` while there are none. */
  degraded(): readonly string[];
  stop(): Promise<void>;
};

const everyMs: Millis = 5_000;

/** The name of a partition in `degraded` and in the lag of `sds status`. */
export function streamName({ projector, partition }: { projector: string; partition: number }): string {
  return `${projector}/${partition}`;
}

export function watchHaltedStreams(
  { operations, clock, log }: { operations: Pick<OperationsCatalog, 'streams' | 'newestTick'>; clock: Clock; log: Log },
  pauseMs: Millis = everyMs,
): HaltedStreams {
  const stopped = new AbortController();
  let degraded: readonly string[] = [];
  const done = (async () => {
    for (; !stopped.signal.aborted; await clock.sleep(pauseMs, stopped.signal)) {
      try {
        const halted = (await operations.streams()).filter((stream) => stream.halted !== null);
        const ticked = await operations.newestTick();
        degraded = [
          ...halted.map((stream) => `partition ${streamName(stream)}`),
          ...(areTicksOverdue(ticked?.age ?? null) ? ['ticks'] : []),
        ];
      } catch (error) {
        // Keeps the last known list while the catalog is unreachable; callers report the outage.
        if (!(error instanceof CatalogUnavailable))
          log.error('halted streams cannot be read', { error: String(error) });
      }
    }
  })();
  return {
    degraded: () => degraded,
    async stop() {
      stopped.abort();
      await done;
    },
  };
}
