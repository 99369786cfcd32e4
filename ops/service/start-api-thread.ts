// The API in a thread of its own, as the process sees it. The programs that write hold
// theirs for milliseconds at a time, and a reader would wait for each.
import { Worker } from 'node:worker_threads';
import { SettingError } from '../../platform/config/setting-error.ts';
import type { Settings } from '../../platform/config/settings.ts';
import type { DatabaseLogin } from '../../platform/postgres/ready-database.ts';
import type { RunningApi } from './start-api.ts';

export type ApiThreadData = { settings: Settings; login: DatabaseLogin };

export type FromApiThread = { kind: 'serves'; url: string } | { kind: 'refused'; because: SettingError['parts'] };

/**
 * Starts the thread; resolves once the API serves. `ended`: why the thread ended without being asked to.
 * @throws SettingError when the address or the port is unavailable
 */
export async function startApiThread(
  settings: Settings,
  login: DatabaseLogin,
): Promise<RunningApi & { ended: Promise<Error> }> {
  const thread = new Worker(new URL('api-thread.ts', import.meta.url), {
    workerData: { settings, login } satisfies ApiThreadData,
  });
  const gone = new Promise<void>((done) => thread.once('exit', () => done()));
  const ended = new Promise<Error>((fail) => {
    thread.once('error', fail);
    thread.once('exit', (code) => fail(new Error(`the thread of the API ended with ${code}`)));
  });
  const said = new Promise<FromApiThread>((done) => thread.once('message', done));
  const stop = async (): Promise<void> => {
    thread.postMessage('stop');
    await gone;
  };
  const answer = await Promise.race([said, ended]);
  if (answer instanceof Error) throw answer;
  if (answer.kind === 'refused') {
    // Nothing is served yet, so the thread may end as it is.
    await thread.terminate();
    throw new SettingError(...answer.because);
  }
  return { url: answer.url, stop, ended };
}
