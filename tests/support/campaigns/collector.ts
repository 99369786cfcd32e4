// Runs the collector as a process of its own, with seconds instead of minutes; a campaign kills it at `collector:before-delete`.
import { openDrivers } from '../../../ops/service/drivers.ts';
import { readSettings } from '../../../platform/config/settings.ts';
import { sleep, systemClock } from '../../../platform/process/clock.ts';
import { crashPointsFrom } from '../../../platform/process/crash-points.ts';
import { openLog } from '../../../platform/telemetry/log.ts';
import { collectOrphans, collectSuperseded } from '../../../projectors/jobs/collector.ts';

const grace = { superseded: 12_000_000, orphan: 90_000_000 };

const settings = readSettings();
const log = openLog(settings.logLevel);
const drivers = await openDrivers(settings, log);
const tools = {
  catalog: drivers.catalogs.objects,
  live: drivers.catalogs.live,
  objects: drivers.objects,
  clock: systemClock,
  crash: crashPointsFrom(settings.crashAt),
};
process.once('SIGTERM', () => process.exit(0));
console.log('ready');
for (;;) {
  try {
    await collectSuperseded(tools, grace.superseded);
    await collectOrphans(tools, grace.orphan);
  } catch (error) {
    log.warn('collection put off', { error: String(error) });
  }
  await sleep(500);
}
