// The API in a thread of its own, as the process sees it. The programs that write block their thread for milliseconds at a time, and
// readers would have to wait.
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Millis } from '../../core/units.ts';
import { SettingError } from '../../platform/config/setting-error.ts';
import type { Settings } from '../../platform/config/settings.ts';
import type { DatabaseLogin } from '../../platform/postgres/ready-database.ts';
import { sleep } from '../../platform/process/clock.ts';
import type { MetricsSnapshot } from '../../platform/telemetry/metrics.ts';
import type { RunningApi } from './start-api.ts';

/** The process that the thread belongs to. */
type NamedProcess = { instance: string; version: string };

export type ApiThreadData = {
  settings: Settings;
  login: DatabaseLogin;
  demoKey: string | null;
} & NamedProcess;

/** `answer` receives the thread's metrics. */
export type ToApiThread = { kind: 'stop' } | { kind: 'measure'; answer: MessagePort };

export type FromApiThread = { kind: 'serves'; url: string } | { kind: 'refused'; because: SettingError['parts'] };

/** A monitor waits ten seconds. */
const measurePatienceMs: Millis = 3_000;

/**
 * Starts the thread; resolves once the API serves. `ended`: why the thread ended unexpectedly.
 * @throws SettingError when the address or the port is unavailable
 */
export async function startApiThread(
  settings: Settings,
  login: DatabaseLogin,
  demoKey: string | null,
  named: NamedProcess,
): Promise<RunningApi & { ended: Promise<Error>; measure(): Promise<MetricsSnapshot> }> {
  const thread = new Worker(new URL('api-thread.ts', import.meta.url), {
    workerData: { settings, login, demoKey, ...named } satisfies ApiThreadData,
  });
  const gone = new Promise<void>((done) => thread.once('exit', () => done()));
  const ended = new Promise<Error>((fail) => {
    thread.once('error', fail);
    thread.once('exit', (code) => fail(new Error(`the thread of the API ended with ${code}`)));
  });
  const answered = new Promise<FromApiThread>((done) => thread.once('message', done));
  const stop = async (): Promise<void> => {
    thread.postMessage({ kind: 'stop' } satisfies ToApiThread);
    await gone;
  };
  /** Empty if the thread is too busy to answer. */
  const measure = async (): Promise<MetricsSnapshot> => {
    const { port1: mine, port2: its } = new MessageChannel();
    const answered = new Promise<MetricsSnapshot>((done) => mine.once('message', done));
    thread.postMessage({ kind: 'measure', answer: its } satisfies ToApiThread, [its]);
    const over = new AbortController();
    try {
      return await Promise.race([answered, sleep(measurePatienceMs, over.signal).then(() => [])]);
    } finally {
      over.abort();
      mine.close();
    }
  };
  const answer = await Promise.race([answered, ended]);
  if (answer instanceof Error) throw answer;
  if (answer.kind === 'refused') {
    // Nothing is served yet, so the thread may end as it is.
    await thread.terminate();
    throw new SettingError(...answer.because);
  }
  return { url: answer.url, stop, ended, measure };
}
