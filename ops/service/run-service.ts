// The service as a process: opens the edition's drivers, starts the roles and the demo, prints their addresses and the key, and on a signal
// closes everything in reverse order.
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
import type { Role } from './roles.ts';
import { type Service, startService } from './service.ts';
import { growHeapSlowly } from './slow-heap-growth.ts';

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
  // An API alone, on a database that others maintain, needs only read access.
  const servesOnly = settings.databaseUrl !== null && asked.every((role) => role === 'api');
  const drivers = await Promise.race([openDrivers(settings, log, { servesOnly }), stopping]);
  if (typeof drivers === 'string') {
    // Opening may be waiting for an unreachable service. Nothing is served yet, so exiting at once loses nothing.
    say(`${drivers}: stopping`);
    process.exit(0);
  }
  let service: Service | null = null;
  let stopDemo: (() => Promise<void>) | null = null;
  try {
    service = await startService(settings, drivers, asked, log);
    await announce(settings, drivers, service, say);
    if (settings.demo && service.ingestUrl !== null) {
      const playing = startDemo({
        keys: drivers.catalogs.keys,
        pushes: drivers.catalogs.pushes,
        peppers: drivers.peppers,
        dataDir: drivers.dataDir,
        url: service.ingestUrl,
        seed: settings.demoSeed,
        log,
      });
      const begun = await Promise.race([playing, stopping]);
      if (typeof begun === 'string') {
        // Do not wait for the demo's key when stopping; if it still arrives, the slate stops at once.
        playing.then(
          (stop) => stop(),
          () => {},
        );
      } else {
        stopDemo = begun;
        say('the demo slate is playing: simulated games in all leagues (SDS_DEMO=off to disable it)');
        say('its short game settles in about three minutes: GET /v1/games?status=COMPLETED');
      }
    }
    const end = await Promise.race([stopping, service.ended]);
    if (end instanceof Error) throw end;
    say(`${end}: stopping`);
    log.info('stopping', { signal: end });
  } finally {
    await closeAll(stopDemo, service, drivers, log);
  }
}

async function announce(
  settings: Settings,
  drivers: Drivers,
  service: Service,
  say: (line: string) => void,
): Promise<void> {
  const { apiUrl, ingestUrl } = service;
  writeInstance(drivers.dataDir, { pid: process.pid, api_url: apiUrl, ingest_url: ingestUrl });
  if (apiUrl !== null) say(`API           ${apiUrl}`);
  if (ingestUrl !== null) say(`push gateway  ${ingestUrl}`);
  if (settings.edition === 'embedded') {
    const key = await firstKey(drivers.catalogs.keys, drivers.peppers, drivers.dataDir);
    say(
      'plaintext' in key
        ? `API key       ${key.plaintext}   (PRO; shown only once)`
        : `API key       ${key.shown}   (shown in full at the first start only; sds keys mint makes another)`,
    );
  }
  if (settings.readyFile !== null && apiUrl !== null && ingestUrl !== null) {
    await writeReadyFile(settings.readyFile, drivers.catalogs.keys, drivers.peppers, drivers.dataDir, {
      api_url: apiUrl,
      ingest_url: ingestUrl,
    });
  }
  say('ready');
  // Write the cache now, not at exit, so that a killed process still leaves its compiled code to the next start.
  flushCompileCache();
}

async function closeAll(
  stopDemo: (() => Promise<void>) | null,
  service: Service | null,
  drivers: Drivers,
  log: Log,
): Promise<void> {
  removeInstance(drivers.dataDir);
  if (stopDemo !== null) await closeWithin(demoStopMs, 'the demo slate', log, stopDemo);
  if (service !== null) await closeWithin(serviceStopMs, 'the service', log, () => service.stop());
  await drivers.close();
}

/** The name of the first signal that asks the process to stop. */
function signalled(): Promise<string> {
  return new Promise((done) => {
    onFirstEndSignal(done);
  });
}
