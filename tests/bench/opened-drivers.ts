// The drivers of an edition on a folder of its own, removed on disposal. Nothing else runs on them.
import { rmSync } from 'node:fs';
import { silentLog } from '../../core/ports/telemetry.ts';
import { type DriverOptions, type Drivers, openDrivers } from '../../ops/service/drivers.ts';
import { openServingDrivers, type ServingDrivers } from '../../ops/service/serving-drivers.ts';
import { readSettings, type Settings } from '../../platform/config/settings.ts';
import { makeDataFolder } from '../support/processes/data-folder.ts';

export type OpenedDrivers = AsyncDisposable & { settings: Settings; drivers: Drivers; serving: ServingDrivers };

/** The embedded edition's drivers, unless `environment` says otherwise. */
export async function openedDrivers(
  environment: Readonly<Record<string, string>> = {},
  options: DriverOptions = {},
): Promise<OpenedDrivers> {
  const folder = makeDataFolder('bench');
  const settings = readSettings({ SDS_DATA_DIR: folder, SDS_API_PORT: '0', SDS_INGEST_PORT: '0', ...environment });
  const drivers = await openDrivers(settings, silentLog, { migrates: true, ...options });
  const serving = await openServingDrivers(settings, drivers.login, silentLog);
  return {
    settings,
    drivers,
    serving,
    async [Symbol.asyncDispose]() {
      await serving.close();
      await drivers.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
