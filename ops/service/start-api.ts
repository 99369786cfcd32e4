// The API as a program: over the drivers that it reads from, until it is stopped. Independent of the thread or process it runs in.
import { join } from 'node:path';
import type { Owed } from '../../api/metering/grace.ts';
import { type Api, createApi } from '../../api/server.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { type Meter, noMeter } from '../../core/ports/meter.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { noTracer, type Tracer } from '../../core/ports/tracer.ts';
import type { Settings } from '../../platform/config/settings.ts';
import { openFileJournal } from '../../platform/journal/file-journal.ts';
import { parquetWriter } from '../../platform/parquet/writer.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { cutSlowReaders } from '../../platform/process/slow-readers.ts';
import { type WatchedHealth, watchHealth } from '../health/watch-health.ts';
import { measuredLedger } from '../metrics/measured-ledger.ts';
import { listenOn } from './listen-on.ts';
import { openLimiter } from './open-limiter.ts';
import type { ServingDrivers } from './serving-drivers.ts';

export type RunningApi = { url: string; stop(): Promise<void> };

/** An API in this thread, and its view of the health. */
export type ApiHere = RunningApi & { health: WatchedHealth } & Pick<Api, 'held'>;

/** Starts the API; resolves once it serves. */
export async function startApi(
  settings: Settings,
  drivers: ServingDrivers,
  log: Log,
  {
    clock = systemClock,
    meter = noMeter,
    tracer = noTracer,
    demoKey = null,
  }: { clock?: Clock | undefined; meter?: Meter; tracer?: Tracer | undefined; demoKey?: string | null } = {},
): Promise<ApiHere> {
  const { games, reference, live, artifacts, heads, keys, calendar, ledger, leases, msf, operations } =
    drivers.catalogs;
  const { health } = drivers.catalogs;
  const { objects, peppers } = drivers;
  const { baseUrl, boardWeightMillionths, msfServing, rateLimits, demoMonth, proxyHops } = settings;
  // If a later step fails, stop what is already running.
  await using started = new AsyncDisposableStack();
  const watching = { operations, live, objects, broker: null, health, roles: ['api'], reports: false };
  const watched = watchHealth({ ...watching, clock, log });
  started.defer(() => watched.stop());
  const limiter = await openLimiter(settings, leases, log);
  started.defer(() => limiter.close());
  const owed = openFileJournal<Owed>(join(drivers.dataDir, 'owed'), log);
  const access = { peppers, limiter, rateLimits, demoMonth, proxyHops };
  const api = await createApi({
    ...{ games, reference, live, artifacts, heads, keys, calendar },
    ...access,
    ...{ ledger: measuredLedger(ledger, meter), owed, boardWeightMillionths },
    objects,
    parquet: parquetWriter,
    clock,
    baseUrl,
    ...{ log, meter, tracer },
    degraded: watched.reasons,
    cutSlowReaders,
    demoKey,
    msf: msfServing ? msf : null,
  });
  started.defer(() => api.close());
  const url = await listenOn(api, settings.host, 'SDS_API_PORT', settings.apiPort);
  const running = started.move();
  return { url, health: watched, held: api.held, stop: () => running.disposeAsync() };
}
