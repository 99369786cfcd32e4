// The programs that write, by the given roles and over one set of drivers, started in order of dependency and stopped in reverse.
// Independent of the edition's choice of drivers.
import type { Clock } from '../../core/ports/clock.ts';
import type { FeedShares } from '../../core/ports/feed-shares.ts';
import { type Meter, noMeter } from '../../core/ports/meter.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { noTracer, type Tracer } from '../../core/ports/tracer.ts';
import { openBodyScheduler } from '../../ingest/gateway/body-scheduler.ts';
import { throttledDeadLetters } from '../../ingest/gateway/dead-letter-throttle.ts';
import { openFairLog } from '../../ingest/gateway/fair-log.ts';
import { createGateway } from '../../ingest/gateway/server.ts';
import { openSourceRanks } from '../../ingest/gateway/source-ranks.ts';
import { startTicker } from '../../ingest/ticker/ticker.ts';
import type { Settings } from '../../platform/config/settings.ts';
import { parquetWriter } from '../../platform/parquet/writer.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { crashPointsFrom } from '../../platform/process/crash-points.ts';
import { ownMemory, returningFreed } from '../../platform/process/freed-memory.ts';
import { newProcessTag, newUuid } from '../../platform/process/ids.ts';
import { cutSlowReaders } from '../../platform/process/slow-readers.ts';
import { openRawArchive } from '../../platform/raw-archive/raw-archive.ts';
import { startCollector } from '../../projectors/jobs/collector.ts';
import { startForwarder } from '../../projectors/jobs/forwarder.ts';
import { startRawArchiver } from '../../projectors/jobs/raw-archiver.ts';
import { startRetention } from '../../projectors/jobs/retention.ts';
import { liveProjector } from '../../projectors/live/live-projector.ts';
import { referenceProjector } from '../../projectors/reference/reference-projector.ts';
import { revisionsProjector } from '../../projectors/revisions/revisions-projector.ts';
import { startSettlement } from '../../projectors/settlement/settlement-worker.ts';
import { archivedLog } from '../../projectors/worker/archived-log.ts';
import { startRunner } from '../../projectors/worker/runner.ts';
import { openTimeSlices } from '../../projectors/worker/time-slices.ts';
import { type WatchedHealth, watchHealth } from '../health/watch-health.ts';
import { measuredCatalogs } from '../metrics/measured-catalogs.ts';
import type { Drivers } from './drivers.ts';
import { keepRunning } from './keep-running.ts';
import { listenOn } from './listen-on.ts';
import { openFeedShares } from './open-feed-shares.ts';
import { startPolling } from './polling.ts';
import { mayTick, type WritingRole } from './roles.ts';

export type Service = {
  ingestUrl: string | null;
  health: WatchedHealth;
  /** Resolves when the service cannot continue: the process must exit. */
  ended: Promise<Error>;
  stop(): Promise<void>;
};

/** Values that tests change. `ticks`: whether it may tick; left out: as its roles say. `meter`, `tracer`: left out: nothing is measured, or traced. */
export type ServiceOptions = {
  clock?: Clock;
  flushEveryMs?: number;
  snapshotEvery?: { records: number; ms: number };
  ticks?: boolean | undefined;
  meter?: Meter;
  tracer?: Tracer;
};

/** The name of this process. */
type Named = { instance?: string };

/** Starts the roles; resolves once all of them serve. */
export async function startService(
  settings: Settings,
  drivers: Drivers,
  asked: readonly WritingRole[],
  log: Log,
  options: ServiceOptions & Named = {},
): Promise<Service> {
  const clock = options.clock ?? systemClock;
  const crash = crashPointsFrom(settings.crashAt);
  const { broker, objects, peppers } = drivers;
  const { meter = noMeter, tracer = noTracer } = options;
  const {
    artifacts,
    checkpoints,
    deadLetters,
    feedUse,
    games,
    keys,
    leases,
    live,
    msf,
    msfAuthorities,
    msfHistory,
    operations,
    outbox,
    pushes,
    reference,
    settlement,
  } = measuredCatalogs(drivers.catalogs, meter);
  // If a later step fails, stop what is already running.
  await using started = new AsyncDisposableStack();
  const ending = Promise.withResolvers<Error>();
  let ingestUrl: string | null = null;
  let shares: FeedShares | null = null;
  const health = watchHealth({
    ...{ operations, live, broker, clock, log, health: drivers.catalogs.health },
    // A ticker alone needs no rights on objects.
    objects: asked.some((role) => role !== 'ticker') ? objects : null,
    sample: asked.includes('projectors') ? objects : null,
    roles: asked,
    reports: true,
    degraded: () => (shares?.degraded() ? ['ratelimit'] : []),
  });
  started.defer(() => health.stop());

  if (asked.includes('projectors')) {
    const archive = openRawArchive(objects);
    const tools = {
      checkpoints,
      objects,
      parquet: parquetWriter,
      clock,
      crash,
      ...{ log, meter, tracer },
      ownerId: newProcessTag(),
      runTask: openTimeSlices(clock),
      flushEveryMs: options.flushEveryMs ?? 100,
      snapshotEvery: options.snapshotEvery ?? { records: 50_000, ms: 60_000 },
      records: archivedLog(broker, archive),
      rebuilds: drivers.catalogs.rebuilds,
    };
    // Its snapshots hold all games of a season, but it has few records, so folding some again is cheaper than frequent snapshots. Records
    // of whole games are large: this many bytes are folded again in a second or two.
    const snapshotsOfMsf = options.snapshotEvery ?? { records: 5_000, ms: 300_000, bytes: 16 * 1024 * 1024 };
    const runners = await Promise.all(
      [
        () => startRunner(broker, liveProjector(live), tools),
        () => startRunner(broker, referenceProjector(reference), tools),
        () => startRunner(broker, revisionsProjector(msf), { ...tools, snapshotEvery: snapshotsOfMsf }),
      ].map((start) => keepRunning(start, { edition: settings.edition, log, end: ending.resolve })),
    );
    // They stop together: each has the whole time of a stop for its last flush.
    const stops: (() => Promise<void>)[] = [...runners];
    started.defer(() => Promise.all(stops.map((stop) => stop())).then(() => {}));
    stops.push(startForwarder({ broker, outbox, leases, clock, log }));
    stops.push(
      startCollector({
        ...{ pushes, feedUse, msf, letters: deadLetters, catalog: drivers.catalogs.objects, live, objects },
        ...{ lettersKept: settings.deadLetters, clock, crash, log, meter },
      }),
    );
    const settling = { settlements: settlement, artifacts, live, msf, history: msfHistory, leases };
    const building = { objects, parquet: parquetWriter, clock, crash, log, newAttempt: newProcessTag };
    stops.push(startSettlement({ ...settling, ...building }));
    if (settings.rawArchive) stops.push(startRawArchiver({ broker, archive, leases, live, clock, log, meter }));
    const { forget } = broker;
    const { retention } = drivers.catalogs;
    if (forget !== undefined)
      stops.push(startRetention({ forget, broker, catalog: retention, leases, live, clock, log }));
  }
  if (asked.includes('ingest')) {
    const newReceipt = (): string => `rcpt_${newUuid().replaceAll('-', '')}`;
    started.defer(await games.watchUnbound());
    const rankOf = openSourceRanks(pushes, clock);
    const throttled = throttledDeadLetters({ deadLetters, pushes }, clock);
    const kept = { broker, games, ...throttled, reference, msfAuthorities, objects, rankOf };
    const fairLog = openFairLog({ broker, progress: checkpoints, clock, log });
    const scheduler = openBodyScheduler(clock, returningFreed(ownMemory()));
    const accepting = { ...kept, clock, crash, scheduler, fairLog, log, newReceipt };
    const opened = await openFeedShares(settings, leases, log);
    started.defer(() => opened.close());
    shares = opened;
    const { baseUrl, rateLimits, feedQuotas: quotas } = settings;
    const set = { baseUrl, strangerLimit: rateLimits.address, quotas, cutSlowReaders, instance: options.instance };
    const gateway = createGateway({
      ...{ ...accepting, keys, feedUse, live, peppers, meter, tracer, ...set },
      shares: opened,
      degraded: health.reasons,
    });
    started.defer(() => gateway.close());
    ingestUrl = await listenOn(gateway, settings.host, 'SDS_INGEST_PORT', settings.ingestPort);
    started.defer(startPolling(settings.msf, { ...accepting, leases, live }));
  }
  if (options.ticks ?? asked.some(mayTick)) started.defer(startTicker({ broker, live, msf, leases, clock, log }));
  const running = started.move();
  return {
    ingestUrl,
    health,
    ended: ending.promise,
    stop: () => running.disposeAsync(),
  };
}
