// A browser that hangs fails its test by name and is ended. Most of Playwright's calls, such as `evaluate`, `newPage` and `close`, wait for the
// browser for ever; they fail at once when its process ends.
import type { Browser } from 'playwright-core';
import { ownMs } from '../processes/own-time.ts';
import { processTree, signalTree } from '../processes/process-tree.ts';
import { leashProcess } from '../services/leash.ts';

export type LaunchedBrowser = {
  readonly browser: Browser;
  /** Its processes. */
  readonly pids: readonly number[];
  /** Closes it; kills it where it does not close. */
  close(): Promise<void>;
  /** Kills its processes. */
  kill(): void;
};

/** Longer than any test waits for a page (until.ts), and than a browser takes to close. */
const patience = { testMs: 300_000, closeMs: 60_000 };
/** How long a call may take to fail after its browser has been killed. */
const graceMs = 2_000;

/** Starts a browser. It ends with this process at the latest: Firefox would outlive a killed one. */
export async function launchedBrowser(start: () => Promise<Browser>): Promise<LaunchedBrowser> {
  const before = new Set(processTree(process.pid));
  const browser = await start();
  const pids = processTree(process.pid).filter((pid) => !before.has(pid));
  const leashes = pids.map((pid) => leashProcess(pid, 'KILL'));
  const unleash = () => {
    for (const each of leashes.splice(0)) each();
  };
  const kill = () => {
    for (const pid of pids) signalTree(pid, 'SIGKILL');
    unleash();
  };
  return {
    browser,
    pids,
    kill,
    async close() {
      await unlessHung('closing the browser', () => browser.close().catch(() => {}), kill, patience.closeMs);
      unleash();
    },
  };
}

/**
 * Runs `work`. When it has taken `withinMs` of this process's own time, calls `end`, which ends what it waits for, and
 * rejects, naming `what`; the cause is the call that failed then.
 */
export async function unlessHung(
  what: string,
  work: () => Promise<void>,
  end: () => void,
  withinMs = patience.testMs,
): Promise<void> {
  const startedAt = ownMs();
  const hung = Promise.withResolvers<never>();
  const failure = (cause?: unknown) => new Error(`${what} hung for ${withinMs} ms; the browser was killed`, { cause });
  let isHung = false;
  const watch = setInterval(() => {
    if (isHung || ownMs() - startedAt <= withinMs) return;
    isHung = true;
    end();
    setTimeout(() => hung.reject(failure()), graceMs);
  }, 100);
  try {
    await Promise.race([work(), hung.promise]);
  } catch (error) {
    throw isHung && !(error instanceof Error && error.message.startsWith(what)) ? failure(error) : error;
  } finally {
    clearInterval(watch);
  }
  if (isHung) throw failure();
}
