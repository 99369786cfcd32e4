// Keeps a projector's runner running. A fenced runner's memory is worthless. In a process of its own, that process ends. The embedded edition
// also serves, so it restarts the runner: its fence comes from an administrator's command on the same data.
import type { Log } from '../../core/ports/telemetry.ts';
import type { Settings } from '../../platform/config/settings.ts';
import { Fenced } from '../../projectors/worker/partition-tools.ts';
import type { Runner } from '../../projectors/worker/runner.ts';

export type KeepingNeeds = {
  edition: Settings['edition'];
  log: Log;
  /** Called with the error that the service cannot continue after. */
  end(error: Error): void;
};

/** Starts a runner; resolves once it runs. Answers the function that stops it, also in the middle of a restart. */
export async function keepRunning(
  start: () => Promise<Runner>,
  { edition, log, end }: KeepingNeeds,
): Promise<() => Promise<void>> {
  let running: Runner | null = await start();
  let restarted: Promise<void> = Promise.resolve();
  let isStopping = false;

  async function restart(fenced: Runner): Promise<void> {
    running = null;
    await fenced.stop();
    if (!isStopping) running = await start();
  }

  async function keep(): Promise<void> {
    while (running !== null) {
      const runner = running;
      const error = await runner.ended;
      if (isStopping) return;
      if (!(error instanceof Fenced) || edition === 'distributed') return end(error);
      log.warn('projector fenced; restarting it', { error: error.message });
      restarted = restart(runner);
      await restarted;
    }
  }
  void keep().catch((error: unknown) => end(error instanceof Error ? error : new Error(String(error))));

  return async () => {
    isStopping = true;
    await restarted.catch(() => {});
    await running?.stop();
  };
}
