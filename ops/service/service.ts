// The service: the programs of the asked roles over one set of drivers, started in the order in which they depend on each other and
// stopped in the reverse one. Which drivers stand behind the ports the edition decides, elsewhere.

import { createApi } from '../../api/server.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { createGateway } from '../../ingest/gateway/server.ts';
import { startTicker } from '../../ingest/ticker.ts';
import type { Settings } from '../../platform/config/settings.ts';
import { parquetWriter } from '../../platform/parquet/writer.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { crashPointsFrom } from '../../platform/process/crash-points.ts';
import { newProcessTag, newUuid } from '../../platform/process/ids.ts';
import { startCollector } from '../../projectors/collector.ts';
import { startForwarder } from '../../projectors/forwarder.ts';
import { livePartitionCatalog } from '../../projectors/live/live-partition-catalog.ts';
import { liveProjector } from '../../projectors/live/live-projector.ts';
import { Fenced } from '../../projectors/partition-tools.ts';
import { untilBrokerAnswers } from '../../projectors/patience.ts';
import { startRunner } from '../../projectors/runner.ts';
import type { Drivers } from './drivers.ts';

export const roles = ['api', 'ingest', 'projectors', 'ticker'] as const;
export type Role = (typeof roles)[number];

export type Service = {
  apiUrl: string | null;
  ingestUrl: string | null;
  /** Resolves when the service cannot go on: its process has to exit. */
  ended: Promise<Error>;
  stop(): Promise<void>;
};

/** Sizes that tests make small. */
export type ServiceOptions = { clock?: Clock; flushEveryMs?: number; snapshotEvery?: { records: number; ms: number } };

/** Starts the roles; resolves when everything asked for serves. */
export async function startService(
  settings: Settings,
  drivers: Drivers,
  asked: readonly Role[],
  log: Log,
  options: ServiceOptions = {},
): Promise<Service> {
  const clock = options.clock ?? systemClock;
  const crash = crashPointsFrom(settings.crashAt);
  const { broker, objects, peppers } = drivers;
  const { games, keys, live, outbox, pushes } = drivers.catalogs;
  const stops: (() => Promise<void>)[] = [];
  const ending = Promise.withResolvers<Error>();
  let apiUrl: string | null = null;
  let ingestUrl: string | null = null;

  if (asked.includes('projectors')) {
    const tools = {
      catalog: livePartitionCatalog(live),
      objects,
      parquet: parquetWriter,
      clock,
      crash,
      log,
      ownerId: newProcessTag(),
      flushEveryMs: options.flushEveryMs ?? 100,
      snapshotEvery: options.snapshotEvery ?? { records: 50_000, ms: 60_000 },
    };
    stops.push(await keepRunning(() => startRunner(broker, liveProjector, tools), settings, log, ending.resolve));
    stops.push(startForwarder({ broker, outbox, clock, log }));
    stops.push(startCollector({ pushes, catalog: live, objects, clock, crash, log }));
  }
  if (asked.includes('ingest')) {
    const newReceipt = (): string => `rcpt_${newUuid().replaceAll('-', '')}`;
    const gateway = createGateway({
      broker,
      games,
      pushes,
      keys,
      live,
      peppers,
      clock,
      crash,
      log,
      newReceipt,
      baseUrl: settings.baseUrl,
    });
    ingestUrl = (await gateway.listen(settings.host, settings.ingestPort)).url;
    stops.push(() => gateway.close());
  }
  if (asked.includes('ticker')) stops.push(startTicker({ broker, live, clock, log }));
  if (asked.includes('api')) {
    const api = await createApi({ games, live, keys, objects, clock, peppers, baseUrl: settings.baseUrl, log });
    apiUrl = (await api.listen(settings.host, settings.apiPort)).url;
    stops.push(() => api.close());
  }
  return {
    apiUrl,
    ingestUrl,
    ended: ending.promise,
    async stop() {
      for (const stop of stops.reverse()) await stop();
    },
  };
}

type Runner = { ended: Promise<Error>; stop(): Promise<void> };

/**
 * A runner that was fenced has nothing in memory worth keeping. In a process of its own that is the end of the process; the embedded
 * edition, which also serves, starts the runner over: a fence there is an operator's command at work on the same data.
 */
async function keepRunning(
  start: () => Promise<Runner>,
  settings: Settings,
  log: Log,
  end: (error: Error) => void,
): Promise<() => Promise<void>> {
  const patiently = () => untilBrokerAnswers({ clock: systemClock, log }, start);
  let runner = await patiently();
  let stopping = false;
  void (async () => {
    while (!stopping) {
      const error = await runner.ended;
      if (stopping) return;
      if (!(error instanceof Fenced) || settings.edition === 'distributed') return end(error);
      log.warn('projector fenced; starting over', { error: error.message });
      await runner.stop();
      runner = await patiently();
    }
  })().catch((error: unknown) => end(error instanceof Error ? error : new Error(String(error))));
  return async () => {
    stopping = true;
    await runner.stop();
  };
}
