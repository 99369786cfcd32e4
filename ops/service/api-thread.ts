// The program of the API's thread: starts the API from the settings of the process, reports its address, and stops it on request. An
// unhandled error ends the thread, and with it the process.
import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { SettingError } from '../../platform/config/setting-error.ts';
import { openLog } from '../../platform/telemetry/log.ts';
import { openMetrics } from '../../platform/telemetry/metrics.ts';
import { openTracer } from '../../platform/telemetry/open-tracer.ts';
import { measureHeld, measurePool, measureThread } from '../metrics/measure.ts';
import { closeWithin, tracesCloseMs } from './closing.ts';
import { openServingDrivers } from './serving-drivers.ts';
import { startApi } from './start-api.ts';
import type { ApiThreadData, FromApiThread, ToApiThread } from './start-api-thread.ts';

const owner = parentPort;
if (owner === null) throw new Error('this file is the program of a thread');
const { settings, login, demoKey, ...named } = workerData as ApiThreadData;
const own = { ...named, roles: ['api'] };
const log = openLog(settings.logLevel, own);
const metrics = openMetrics({ ofProcess: false });
measureThread(metrics, 'api');
const askedToStop = new Promise<void>((done) => {
  owner.on('message', (asked: ToApiThread) => {
    if (asked.kind === 'stop') done();
    else void metrics.snapshot().then((snapshot) => asked.answer.postMessage(snapshot));
  });
});
const running = new AsyncDisposableStack();
try {
  const tracer = await openTracer(settings.traces, own, log);
  running.defer(() => closeWithin(tracesCloseMs, 'the traces', log, () => tracer.close()));
  const drivers = await openServingDrivers(settings, login, log);
  running.defer(() => drivers.close());
  measurePool(metrics, 'api', drivers.sql.use);
  const api = await startApi(settings, drivers, log, { meter: metrics, tracer, demoKey });
  running.defer(() => api.stop());
  measureHeld(metrics, api.held);
  say({ kind: 'serves', url: api.url });
} catch (error) {
  if (!(error instanceof SettingError)) throw error;
  say({ kind: 'refused', because: error.parts });
}
// Written now, so that a killed process still leaves its compiled code to the next start.
flushCompileCache();
await askedToStop;
await running.disposeAsync();
// Ended, for what is sent to a collector that hangs would keep it alive.
process.exit();

function say(message: FromApiThread): void {
  owner?.postMessage(message);
}
