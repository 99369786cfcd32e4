// The service: the programs of the given roles over one set of drivers, started in order of dependency and stopped in reverse. Independent
// of the edition's choice of drivers.

import { join } from 'node:path';
import type { Owed } from '../../api/metering/grace.ts';
import { createApi } from '../../api/server.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { deadLettersInTurns } from '../../ingest/gateway/dead-letters-in-turns.ts';
import { openFairLog } from '../../ingest/gateway/fair-log.ts';
import { createGateway } from '../../ingest/gateway/server.ts';
import { openSourceRanks } from '../../ingest/gateway/source-ranks.ts';
import { openTurns } from '../../ingest/gateway/turns.ts';
import { startTicker } from '../../ingest/ticker/ticker.ts';
import { SettingError } from '../../platform/config/setting-error.ts';
import type { Settings } from '../../platform/config/settings.ts';
import { openFileJournal } from '../../platform/journal/file-journal.ts';
import { parquetWriter } from '../../platform/parquet/writer.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { crashPointsFrom } from '../../platform/process/crash-points.ts';
import { newProcessTag, newUuid } from '../../platform/process/ids.ts';
import { cutSlowReaders } from '../../platform/process/slow-readers.ts';
import { startCollector } from '../../projectors/jobs/collector.ts';
import { startForwarder } from '../../projectors/jobs/forwarder.ts';
import { startRetention } from '../../projectors/jobs/retention.ts';
import { liveProjector } from '../../projectors/live/live-projector.ts';
import { referenceProjector } from '../../projectors/reference/reference-projector.ts';
import { revisionsProjector } from '../../projectors/revisions/revisions-projector.ts';
import { startSettlement } from '../../projectors/settlement/settlement-worker.ts';
import { Fenced } from '../../projectors/worker/partition-tools.ts';
import { startRunner } from '../../projectors/worker/runner.ts';
import { openWorkTurns } from '../../projectors/worker/work-turns.ts';
import type { Drivers } from './drivers.ts';
import { watchHaltedStreams } from './halted-streams.ts';
import { openFeedShares } from './open-feed-shares.ts';
import { openLimiter } from './open-limiter.ts';
import { startPolling } from './polling.ts';
import type { Role } from './roles.ts';

export type Service = {
  apiUrl: string | null;
  ingestUrl: string | null;
  /** Resolves when the service cannot continue: the process must exit. */
  ended: Promise<Error>;
  stop(): Promise<void>;
};

/** Values that tests reduce. */
export type ServiceOptions = { clock?: Clock; flushEveryMs?: number; snapshotEvery?: { records: number; ms: number } };

/** Starts the roles; resolves once all of them serve. */
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
    outbox,
    pushes,
    reference,
    settlement,
  } = drivers.catalogs;
  // If a later step fails, stop what is already running.
  await using started = new AsyncDisposableStack();
  const ending = Promise.withResolvers<Error>();
  let apiUrl: string | null = null;
  let ingestUrl: string | null = null;

  if (asked.includes('projectors')) {
    const tools = {
      checkpoints,
      objects,
      parquet: parquetWriter,
      clock,
      crash,
      log,
      ownerId: newProcessTag(),
      turns: openWorkTurns(clock),
      flushEveryMs: options.flushEveryMs ?? 100,
      snapshotEvery: options.snapshotEvery ?? { records: 50_000, ms: 60_000 },
    };
    // Its snapshots hold all games of a season, but it has few records, so folding some again is cheaper than frequent snapshots. Records
    // of whole games are large: this many bytes are folded again in a second or two.
    const snapshotsOfMsf = options.snapshotEvery ?? { records: 5_000, ms: 300_000, bytes: 16 * 1024 * 1024 };
    const runners = await Promise.all(
      [
        () => startRunner(broker, liveProjector(live), tools),
        () => startRunner(broker, referenceProjector(reference), tools),
        () => startRunner(broker, revisionsProjector(msf), { ...tools, snapshotEvery: snapshotsOfMsf }),
      ].map((start) => keepRunning(start, settings, log, ending.resolve)),
    );
    for (const stop of runners) started.defer(stop);
    started.defer(startForwarder({ broker, outbox, leases, clock, log }));
    started.defer(
      startCollector({ pushes, feedUse, msf, catalog: drivers.catalogs.objects, live, objects, clock, crash, log }),
    );
    const settling = { settlements: settlement, artifacts, live, msf, history: msfHistory, leases };
    const building = { objects, parquet: parquetWriter, clock, crash, log, newAttempt: newProcessTag };
    started.defer(startSettlement({ ...settling, ...building }));
    const { forget } = broker;
    const { retention } = drivers.catalogs;
    if (forget !== undefined)
      started.defer(startRetention({ forget, broker, catalog: retention, leases, live, clock, log }));
  }
  if (asked.includes('ingest')) {
    const newReceipt = (): string => `rcpt_${newUuid().replaceAll('-', '')}`;
    started.defer(await games.watchUnbound());
    const rankOf = openSourceRanks(pushes, clock);
    const inTurns = deadLettersInTurns({ deadLetters, pushes });
    const kept = { broker, games, ...inTurns, reference, msfAuthorities, objects, rankOf };
    const fairLog = openFairLog({ broker, progress: checkpoints, clock });
    const accepting = { ...kept, clock, crash, turns: openTurns(clock), fairLog, log, newReceipt };
    const shares = await openFeedShares(settings, leases, log);
    started.defer(() => shares.close());
    const { baseUrl, rateLimits, feedQuotas: quotas } = settings;
    const set = { baseUrl, strangerLimit: rateLimits.address, quotas, cutSlowReaders };
    const gateway = createGateway({ ...accepting, keys, feedUse, live, peppers, shares, ...set });
    started.defer(() => gateway.close());
    ingestUrl = await listen(gateway, settings.host, 'SDS_INGEST_PORT', settings.ingestPort);
    started.defer(startPolling(settings.msf, { ...accepting, leases }));
  }
  if (asked.includes('ticker')) started.defer(startTicker({ broker, live, msf, leases, clock, log }));
  if (asked.includes('api')) {
    const { served } = drivers;
    const halted = watchHaltedStreams({ operations: served.operations, clock, log });
    started.defer(() => halted.stop());
    const limiter = await openLimiter(settings, served.leases, log);
    started.defer(() => limiter.close());
    const { baseUrl, boardWeightMillionths, msfServing, rateLimits, demoMonth, proxyHops } = settings;
    const owed = openFileJournal<Owed>(join(drivers.dataDir, 'owed'), log);
    const { degraded } = halted;
    const { games, reference, live, artifacts, keys, calendar, ledger, msf } = served;
    const catalogs = { games, reference, live, artifacts, keys, calendar };
    const access = { peppers, limiter, rateLimits, demoMonth, proxyHops };
    const metered = { ledger, owed, boardWeightMillionths };
    const api = await createApi({
      ...catalogs,
      ...access,
      ...metered,
      objects,
      clock,
      baseUrl,
      log,
      degraded,
      cutSlowReaders,
      msf: msfServing ? msf : null,
    });
    started.defer(() => api.close());
    apiUrl = await listen(api, settings.host, 'SDS_API_PORT', settings.apiPort);
  }
  const running = started.move();
  return {
    apiUrl,
    ingestUrl,
    ended: ending.promise,
    stop: () => running.disposeAsync(),
  };
}

type Listener = { listen(host: string, port: number): Promise<{ url: string }> };

/** Listens. @throws SettingError when the address or the port is unavailable */
async function listen(listener: Listener, host: string, variable: string, port: number): Promise<string> {
  try {
    return (await listener.listen(host, port)).url;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') throw new SettingError(variable, `is ${port}, and that port is taken`, '0');
    if (code === 'EACCES') throw new SettingError(variable, `is ${port}, and this user may not listen there`, '8080');
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw new SettingError('SDS_HOST', `is ${host}, and this machine has no such address`, '127.0.0.1');
    throw error;
  }
}

type Runner = { ended: Promise<Error>; stop(): Promise<void> };

/**
 * A fenced runner's memory is worthless. In its own process, that process ends. The embedded edition also serves, so it restarts the
 * runner: its fence comes from an administrator's command on the same data.
 */
async function keepRunning(
  start: () => Promise<Runner>,
  settings: Settings,
  log: Log,
  end: (error: Error) => void,
): Promise<() => Promise<void>> {
  let runner = await start();
  let stopping = false;
  void (async () => {
    while (!stopping) {
      const error = await runner.ended;
      if (stopping) return;
      if (!(error instanceof Fenced) || settings.edition === 'distributed') return end(error);
      log.warn('projector fenced; restarting it', { error: error.message });
      await runner.stop();
      runner = await start();
    }
  })().catch((error: unknown) => end(error instanceof Error ? error : new Error(String(error))));
  return async () => {
    stopping = true;
    await runner.stop();
  };
}
