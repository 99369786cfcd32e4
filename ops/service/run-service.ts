// The service as a process: opens the edition's drivers, starts the roles and the demo, prints their addresses and the key, and on a signal
// closes everything in reverse order. Beside other roles the API runs in a thread of its own.
import { flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { readSettings, type Settings } from '../../platform/config/settings.ts';
import { closeDataDir, makeDataDir } from '../../platform/process/data-dir.ts';
import { onFirstEndSignal } from '../../platform/process/signals.ts';
import { openLog } from '../../platform/telemetry/log.ts';
import { startDemo } from '../demo/demo.ts';
import { closeWithin } from './closing.ts';
import { type Drivers, openDrivers } from './drivers.ts';
import { checkReadyFile, firstKey, writeReadyFile } from './first-keys.ts';
import { removeInstance, writeInstance } from './instance-file.ts';
import { isWriting, type Role } from './roles.ts';
import { type Service, startService } from './service.ts';
import { openServingDrivers } from './serving-drivers.ts';
import { growHeapSlowly } from './slow-heap-growth.ts';
import { type RunningApi, startApi } from './start-api.ts';
import { startApiThread } from './start-api-thread.ts';

/** How long stopping may take when dependencies hang: together with the drivers, about ten seconds. */
const demoStopMs: Millis = 500;
const serviceStopMs: Millis = 4_000;

/** If the service itself gave up root, it could no longer reach the checkout, the ready file or a data directory in root's home. */
const asRoot =
  'running as root, and staying so: run the service as its own user, for example `runuser -u sds -- npm start` in a checkout of that user';

/** Runs these roles until a signal or a failure ends them, and prints its progress to stdout. */
export async function runService(asked: readonly Role[]): Promise<void> {
  const settings = readSettings();
  const log = openLog(settings.logLevel);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const stopping = signalled();
  if (asked.every((role) => role === 'ingest')) growHeapSlowly();
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
  const parts: Parts = { drivers: null, service: null, api: null, stopDemo: null };
  try {
    // Starting may wait for an unreachable service. Nothing is served yet, so stopping then loses nothing.
    const signal = await Promise.race([stopping, run(settings, asked, parts, log, say)]);
    say(`${signal}: stopping`);
    log.info('stopping', { signal });
  } finally {
    await closeAll(settings, parts, log);
  }
}

/** What runs in this process; null: not here, or not yet. */
type Parts = {
  drivers: Drivers | null;
  service: Service | null;
  api: RunningApi | null;
  stopDemo: (() => Promise<void>) | null;
};

/** Starts one part after the other into `parts`. Rejects with what ends the service. */
async function run(
  settings: Settings,
  asked: readonly Role[],
  parts: Parts,
  log: Log,
  say: (line: string) => void,
): Promise<never> {
  const ended: Promise<Error>[] = [];
  const { databaseUrl } = settings;
  if (databaseUrl !== null && asked.every((role) => role === 'api')) {
    // An API alone, on a database that others maintain, needs only read access.
    const drivers = await openServingDrivers(settings, { kind: 'given', url: databaseUrl }, log);
    const api = await startApi(settings, drivers, log);
    parts.api = { url: api.url, stop: () => api.stop().finally(() => drivers.close()) };
  } else {
    const drivers = await openDrivers(settings, log);
    parts.drivers = drivers;
    const service = await startService(settings, drivers, asked.filter(isWriting), log);
    parts.service = service;
    ended.push(service.ended);
    if (asked.includes('api')) {
      const api = await startApiThread(settings, drivers.login);
      parts.api = api;
      ended.push(api.ended);
    }
  }
  await announce(settings, parts, say);
  if (settings.demo) await playDemo(settings, parts, log, say);
  throw await Promise.race(ended);
}

async function playDemo(settings: Settings, parts: Parts, log: Log, say: (line: string) => void): Promise<void> {
  const { drivers, service } = parts;
  const url = service?.ingestUrl ?? null;
  if (drivers === null || url === null) return;
  const { catalogs, peppers, dataDir } = drivers;
  const { keys, pushes } = catalogs;
  parts.stopDemo = await startDemo({ keys, pushes, peppers, dataDir, url, seed: settings.demoSeed, log });
  say('the demo slate is playing: simulated games in all leagues (SDS_DEMO=off to disable it)');
  say('its short game settles in about three minutes: GET /v1/games?status=COMPLETED');
}

async function announce(settings: Settings, parts: Parts, say: (line: string) => void): Promise<void> {
  const apiUrl = parts.api?.url ?? null;
  const ingestUrl = parts.service?.ingestUrl ?? null;
  writeInstance(resolve(settings.dataDir), { pid: process.pid, api_url: apiUrl, ingest_url: ingestUrl });
  if (apiUrl !== null) say(`API           ${apiUrl}`);
  if (ingestUrl !== null) say(`push gateway  ${ingestUrl}`);
  if (parts.drivers !== null) await announceKeys(settings, parts.drivers, { apiUrl, ingestUrl }, say);
  say('ready');
  // Write the cache now, not at exit, so that a killed process still leaves its compiled code to the next start.
  flushCompileCache();
}

async function announceKeys(
  settings: Settings,
  { catalogs, peppers, dataDir }: Drivers,
  { apiUrl, ingestUrl }: { apiUrl: string | null; ingestUrl: string | null },
  say: (line: string) => void,
): Promise<void> {
  if (settings.edition === 'embedded') {
    const key = await firstKey(catalogs.keys, peppers, dataDir);
    say(
      'plaintext' in key
        ? `API key       ${key.plaintext}   (PRO; shown only once)`
        : `API key       ${key.shown}   (shown in full at the first start only; sds keys mint makes another)`,
    );
  }
  if (settings.readyFile === null || apiUrl === null || ingestUrl === null) return;
  const urls = { api_url: apiUrl, ingest_url: ingestUrl };
  await writeReadyFile(settings.readyFile, catalogs.keys, peppers, dataDir, urls);
}

async function closeAll(settings: Settings, { drivers, service, api, stopDemo }: Parts, log: Log): Promise<void> {
  removeInstance(resolve(settings.dataDir));
  if (stopDemo !== null) await closeWithin(demoStopMs, 'the demo slate', log, stopDemo);
  await Promise.all([
    api === null ? null : closeWithin(serviceStopMs, 'the API', log, () => api.stop()),
    service === null ? null : closeWithin(serviceStopMs, 'the service', log, () => service.stop()),
  ]);
  await drivers?.close();
}

/** The name of the first signal that asks the process to stop. */
function signalled(): Promise<string> {
  return new Promise((done) => {
    onFirstEndSignal(done);
  });
}
