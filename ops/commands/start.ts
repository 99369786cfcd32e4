// `sds start`: the service in this process, by default all of it. `npm start` is this with the demo slate.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Log } from '../../core/ports/telemetry.ts';
import { readSettings, type Settings, settingsHelp } from '../../platform/config/settings.ts';
import { openLog } from '../../platform/telemetry/log.ts';
import { CommandFailure } from '../command.ts';
import { startDemo } from '../demo/demo.ts';
import { type Drivers, openDrivers } from '../service/drivers.ts';
import { firstKey, writeReadyFile } from '../service/first-keys.ts';
import { removeInstance, writeInstance } from '../service/instance-file.ts';
import { type Role, roles, type Service, startService } from '../service/service.ts';

export function startCommand(): Command {
  return new Command('start')
    .description('run the service')
    .argument('[role...]', `what runs in this process: ${roles.join(', ')}, or all`, ['all'])
    .addHelpText('after', `\nSettings, from the environment:\n${settingsHelp()}`)
    .action((asked: string[]) => run(chosenRoles(asked)));
}

function chosenRoles(asked: readonly string[]): readonly Role[] {
  if (asked.includes('all')) return roles;
  return asked.map((name) => {
    const role = roles.find((each) => each === name);
    if (role === undefined) throw new CommandFailure('usage', `${name} is no role; know ${roles.join(', ')}, all`);
    return role;
  });
}

async function run(asked: readonly Role[]): Promise<void> {
  const settings = readSettings();
  const log = openLog(settings.logLevel);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const stopping = signalled();
  mkdirSync(resolve(settings.dataDir), { recursive: true });
  say(
    `starting the ${settings.edition} edition (${asked.join(', ')}) on ${settings.edition === 'embedded' ? resolve(settings.dataDir) : 'its services'} …`,
  );
  if (Object.keys(settings.rateLimits).length > 0)
    say(`rate limits set by SDS_RATE_LIMITS: ${JSON.stringify(settings.rateLimits)}`);
  const drivers = await Promise.race([openDrivers(settings, log), stopping]);
  if (typeof drivers === 'string') {
    // Opening may be waiting for a service that is away; nothing is served yet, and a kill would lose nothing either.
    say(`${drivers}: stopping`);
    process.exit(0);
  }
  let service: Service | null = null;
  let stopDemo: (() => Promise<void>) | null = null;
  try {
    service = await startService(settings, drivers, asked, log);
    await announce(settings, drivers, service, say);
    if (settings.demo && service.ingestUrl !== null) {
      stopDemo = await startDemo({
        keys: drivers.catalogs.keys,
        peppers: drivers.peppers,
        url: service.ingestUrl,
        seed: settings.demoSeed,
        log,
      });
      say('the demo slate is playing: simulated games in five leagues (SDS_DEMO=off to be without)');
    }
    const end = await Promise.race([stopping, service.ended]);
    if (end instanceof Error) throw end;
    say(`${end}: stopping`);
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
        ? `API key       ${key.plaintext}   (PRO; shown this one time)`
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
}

async function closeAll(
  stopDemo: (() => Promise<void>) | null,
  service: Service | null,
  drivers: Drivers,
  log: Log,
): Promise<void> {
  removeInstance(drivers.dataDir);
  for (const close of [stopDemo, service === null ? null : () => service.stop(), () => drivers.close()]) {
    await close?.().catch((error: unknown) =>
      log.error('stopping was not clean', { error: error instanceof Error ? error.message : String(error) }),
    );
  }
}

/** The name of the first signal that asks the process to stop. */
function signalled(): Promise<string> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done(signal));
  });
}
