// The service as a process: opens the edition's drivers, starts the roles and the demo, prints their addresses and the key, and on a signal
// closes everything, the drivers last. In a process that may write, the API runs in a thread of its own.
import { flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { isUnverified } from '../../platform/config/link-settings.ts';
import { readSettings, type Settings } from '../../platform/config/settings.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { closeDataDir, makeDataDir } from '../../platform/process/data-dir.ts';
import { newProcessTag } from '../../platform/process/ids.ts';
import { onFirstEndSignal } from '../../platform/process/signals.ts';
import { openLog } from '../../platform/telemetry/log.ts';
import { type Metrics, openMetrics } from '../../platform/telemetry/metrics.ts';
import { type OpenTracer, openTracer } from '../../platform/telemetry/open-tracer.ts';
import { startDemo } from '../demo/demo.ts';
import type { WatchedHealth } from '../health/watch-health.ts';
import { ProcessState } from '../internal/process-state.ts';
import {
  measureBuild,
  measureDegraded,
  measureHealth,
  measureHeld,
  measurePool,
  measureThread,
} from '../metrics/measure.ts';
import { banner, firstQuotedGame } from './banner.ts';
import { checkLinks } from './check-links.ts';
import { checkPorts } from './check-ports.ts';
import { closeWithin, driverCloseMs, startUntilStopped, tracesCloseMs } from './closing.ts';
import { type Drivers, openDrivers } from './drivers.ts';
import { checkReadyFile, firstKey, renewPageKey, writeReadyFile } from './first-keys.ts';
import { type RegisteredInstance, registerInstance } from './instance-file.ts';
import { isWriting, type Role, readsAlone } from './roles.ts';
import { type Service, startService } from './service.ts';
import { openServingDrivers, type ServingDrivers } from './serving-drivers.ts';
import { growHeapSlowly } from './slow-heap-growth.ts';
import { type RunningApi, startApi } from './start-api.ts';
import { startApiThread } from './start-api-thread.ts';
import { type Internal, startInternal } from './start-internal.ts';
import { versionOfRelease } from './version-of-release.ts';

/** How long stopping may take when dependencies hang: together with the drivers, about ten seconds. */
const demoStopMs: Millis = 500;
const serviceStopMs: Millis = 4_000;

/** How long the banner waits for a first game of the demo. */
const bannerPatienceMs: Millis = 8_000;

/** If the service itself gave up root, it could no longer reach the checkout, the ready file or a data directory in root's home. */
const asRoot =
  'running as root, and staying so: run the service as its own user, for example `runuser -u sds -- npm start` in a checkout of that user';

const unverified =
  'sslmode=require of DATABASE_URL encrypts, and does not check which server answers: sslmode=verify-full does';

/** Runs these roles until a signal or a failure ends them, and prints its progress to stdout. `migrates`: may change the schema. */
export async function runService(asked: readonly Role[], migrates: boolean): Promise<void> {
  const settings = readSettings();
  const named = { instance: newProcessTag(), version: versionOfRelease() };
  const log = openLog(settings.logLevel, { ...named, roles: asked });
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const stop = listenForStop();
  if (asked.every((role) => role === 'ingest')) growHeapSlowly();
  await checkPorts(settings, asked);
  makeDataDir(settings.dataDir);
  const closed = closeDataDir(settings.dataDir);
  if (process.getuid?.() === 0) say(asRoot);
  if (settings.readyFile !== null) checkReadyFile(settings.readyFile);
  say(
    `starting the ${settings.edition} edition (${asked.join(', ')}) on ${settings.edition === 'embedded' ? resolve(settings.dataDir) : 'its services'} …`,
  );
  if (closed > 0) say(`removed other users' permissions from ${closed} files and folders of the data directory`);
  if (Object.keys(settings.rateLimits).length > 0)
    say(`rate limits set by SDS_RATE_LIMITS: ${JSON.stringify(settings.rateLimits)}`);
  if (settings.feedLimitsGiven)
    say(`limits of feed keys set by SDS_FEED_LIMITS: ${JSON.stringify(settings.feedLimits)}`);
  if (settings.feedQuotasGiven)
    say(`quotas of feed keys set by SDS_FEED_QUOTAS: ${JSON.stringify(settings.feedQuotas)}`);
  if (isUnverified(settings.databaseUrl)) say(unverified);
  const state = new ProcessState(asked, systemClock.now());
  const metrics = openMetrics({ ofProcess: true });
  measureBuild(metrics, named.version, asked);
  measureDegraded(metrics, () => state.reasons());
  measureThread(metrics, 'main');
  state.measures(metrics.snapshot);
  const internal = await startInternal(settings, asked, state, log, say);
  const own = { id: named.instance, pid: process.pid, internal_url: internal?.url ?? null };
  using registered = registerInstance(settings.dataDir, own);
  const links = checkLinks(settings, asked);
  await Promise.race([links.asked, stop.asked]);
  const opened = await Promise.race([open(settings, asked, migrates, log), links.refused, stop.asked]);
  if (typeof opened === 'string') {
    // Opening may be waiting for an unreachable service. Nothing is served yet, so ending at once loses nothing.
    say(`${opened}: stopping`);
    return;
  }
  const tracer = await openTracer(settings.traces, { ...named, roles: asked }, log);
  const parts: Parts = {
    ...{ named, tracer, opened, service: null, api: null, stopDemo: null, demoKey: null },
    ...{ state, metrics, internal, registered },
  };
  const failing = Promise.withResolvers<never>();
  // A program may also fail while nothing awaits it.
  failing.promise.catch(() => {});
  try {
    const starting = (async () => {
      await start(settings, asked, parts, stop, log, failing.reject);
      links.stop();
      state.runs();
      if (!stop.isAsked()) await announce(settings, parts, say);
      if (!stop.isAsked() && settings.demo) await playDemo(settings, parts, stop, log, say);
      if (!stop.isAsked() && process.stdout.isTTY) await showBanner(parts, stop, say);
    })();
    await Promise.race([startUntilStopped(starting, stop.asked, serviceStopMs, log), links.refused]);
    const signal = await Promise.race([stop.asked, failing.promise]);
    say(`${signal}: stopping`);
    log.info('stopping', { signal });
  } finally {
    await closeAll(parts, log);
  }
}

/** The drivers of a process that writes, or of an API alone on a database that others maintain, which only reads. */
type Opened = { kind: 'writing'; drivers: Drivers } | { kind: 'reading'; drivers: ServingDrivers };

/** What runs in this process; null: not in this process, or not yet. */
type Parts = {
  named: { instance: string; version: string };
  tracer: OpenTracer;
  opened: Opened;
  service: Service | null;
  api: RunningApi | null;
  stopDemo: (() => Promise<void>) | null;
  /** The key of the demo's live page. */
  demoKey: string | null;
  state: ProcessState;
  metrics: Metrics;
  internal: Internal | null;
  registered: RegisteredInstance;
};

async function open(settings: Settings, asked: readonly Role[], migrates: boolean, log: Log): Promise<Opened> {
  const { databaseUrl } = settings;
  if (databaseUrl === null || !readsAlone(true, asked))
    return { kind: 'writing', drivers: await openDrivers(settings, log, { migrates }) };
  const login = { kind: 'given', url: databaseUrl } as const;
  return { kind: 'reading', drivers: await openServingDrivers(settings, login, log, migrates) };
}

/** Starts the programs into `parts`, unless the process is asked to stop meanwhile. Calls `fail` when one of them ends later. */
async function start(
  settings: Settings,
  asked: readonly Role[],
  parts: Parts,
  stop: Stop,
  log: Log,
  fail: (error: Error) => void,
): Promise<void> {
  const { named, tracer, opened, state, metrics } = parts;
  const knows = (health: WatchedHealth): void => {
    state.knows(health.reasons);
    measureHealth(metrics, health.facts);
  };
  measurePool(metrics, 'main', opened.drivers.sql.use);
  if (opened.kind === 'reading') {
    const api = await startApi(settings, opened.drivers, log, { meter: metrics, tracer });
    knows(api.health);
    measureHeld(metrics, api.held);
    parts.api = api;
    return;
  }
  parts.service = await startService(settings, opened.drivers, asked.filter(isWriting), log, {
    instance: named.instance,
    meter: metrics,
    tracer,
  });
  knows(parts.service.health);
  parts.internal?.shows(opened.drivers.access, parts.service.health);
  void parts.service.ended.then(fail);
  void opened.drivers.failed.then(fail);
  if (!asked.includes('api')) return;
  parts.demoKey = await demoKey(settings, opened.drivers);
  const api = await Promise.race([startApiThread(settings, opened.drivers.login, parts.demoKey, named), stop.asked]);
  if (typeof api === 'string') return;
  parts.api = api;
  state.measures(api.measure);
  void api.ended.then(fail);
}

/** The key that the demo's live page offers; null if the page is reachable from other machines, or without the demo. */
async function demoKey(settings: Settings, { catalogs, peppers, dataDir }: Drivers): Promise<string | null> {
  const { demo, edition, baseUrl, proxyHops } = settings;
  if (!demo || edition !== 'embedded' || baseUrl !== null || proxyHops > 0) return null;
  return renewPageKey(catalogs.keys, peppers, dataDir);
}

async function playDemo(
  settings: Settings,
  parts: Parts,
  stop: Stop,
  log: Log,
  say: (line: string) => void,
): Promise<void> {
  const { opened, service } = parts;
  const url = service?.ingestUrl ?? null;
  if (opened.kind === 'reading' || url === null) return;
  const { catalogs, peppers, dataDir } = opened.drivers;
  const { keys, pushes } = catalogs;
  const playing = startDemo({ keys, pushes, peppers, dataDir, url, seed: settings.demoSeed, log });
  const begun = await Promise.race([playing, stop.asked]);
  if (typeof begun === 'string') {
    // Do not wait for the demo's key when stopping; if it still arrives, the slate stops at once.
    playing.then(
      (stopDemo) => stopDemo(),
      () => {},
    );
    return;
  }
  parts.stopDemo = begun;
  say('the demo slate is playing: simulated games in all leagues (SDS_DEMO=off to disable it)');
  say('its short game settles in about three minutes: GET /v1/games?status=COMPLETED');
}

async function announce(settings: Settings, parts: Parts, say: (line: string) => void): Promise<void> {
  const apiUrl = parts.api?.url ?? null;
  const ingestUrl = parts.service?.ingestUrl ?? null;
  parts.registered.serves({ api_url: apiUrl, ingest_url: ingestUrl });
  if (apiUrl !== null) say(`live page     ${apiUrl}/`);
  if (apiUrl !== null) say(`API           ${apiUrl}`);
  if (ingestUrl !== null) say(`push gateway  ${ingestUrl}`);
  if (parts.opened.kind === 'writing') await announceKeys(settings, parts.opened.drivers, { apiUrl, ingestUrl }, say);
  say('ready');
  // Write the cache now, not at exit, so that a killed process still leaves its compiled code to the next start.
  flushCompileCache();
}

/** On a terminal, once a game is quoted. */
async function showBanner({ api, opened, demoKey }: Parts, stop: Stop, say: (line: string) => void): Promise<void> {
  if (api === null || opened.kind === 'reading') return;
  const stopped = new AbortController();
  void stop.asked.then(() => stopped.abort());
  const patience = { patienceMs: demoKey === null ? 0 : bannerPatienceMs, signal: stopped.signal };
  const gameId = await firstQuotedGame(opened.drivers.catalogs.games, systemClock, patience);
  for (const line of banner({ apiUrl: api.url, key: demoKey, gameId })) say(line);
}

async function announceKeys(
  settings: Settings,
  { catalogs, peppers, dataDir }: Drivers,
  { apiUrl, ingestUrl }: { apiUrl: string | null; ingestUrl: string | null },
  say: (line: string) => void,
): Promise<void> {
  if (settings.edition === 'embedded') {
    // Captured output is kept for long and read by others. The demo's key gives access to nothing else.
    const mayShow = settings.demo || process.stdout.isTTY === true;
    const give = (plaintext: string) => say(`API key       ${plaintext}   (PRO; shown only once)`);
    const key = await firstKey(catalogs.keys, peppers, dataDir, mayShow ? give : null);
    if (key !== 'given' && 'file' in key) say(`API key       in ${key.file}   (PRO; only its owner can read it)`);
    else if (key !== 'given')
      say(`API key       ${key.shown}   (given at the first start only; ./sds keys mint makes another)`);
  }
  if (settings.readyFile === null || apiUrl === null || ingestUrl === null) return;
  const urls = { api_url: apiUrl, ingest_url: ingestUrl };
  await writeReadyFile(settings.readyFile, catalogs.keys, peppers, dataDir, urls);
}

async function closeAll(parts: Parts, log: Log): Promise<void> {
  const { registered, tracer, opened, service, api, stopDemo, state, internal } = parts;
  state.stops();
  registered.remove();
  if (stopDemo !== null) await closeWithin(demoStopMs, 'the demo slate', log, stopDemo);
  await Promise.all([
    api === null ? null : closeWithin(serviceStopMs, 'the API', log, () => api.stop()),
    service === null ? null : closeWithin(serviceStopMs, 'the service', log, () => service.stop()),
  ]);
  if (internal !== null) await closeWithin(driverCloseMs, 'the internal listener', log, () => internal.close());
  await Promise.all([opened.drivers.close(), closeWithin(tracesCloseMs, 'the traces', log, () => tracer.close())]);
}

/** The first signal that asks the process to stop: `asked` resolves with its name. */
type Stop = { asked: Promise<string>; isAsked(): boolean };

function listenForStop(): Stop {
  let isAsked = false;
  const asked = new Promise<string>((done) => {
    onFirstEndSignal((signal) => {
      isAsked = true;
      done(signal);
    });
  });
  return { asked, isAsked: () => isAsked };
}
