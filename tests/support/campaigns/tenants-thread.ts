// Runs the hostile keys of a campaign in a separate thread, so that generating their bodies does not delay the honest
// clients. Measures the thread's CPU, so that the honest clients can also be measured beside equal CPU work that sends
// nothing.
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Hostile, type HostileOptions, startHostile } from './tenants-hostile.ts';

type Given = Omit<HostileOptions, 'honestReceipt'>;
type Order = { to: 'receipt'; receipt: string | null } | { to: 'pause' | 'resume' | 'tell' | 'stop' };
type Done = Pick<Hostile, 'done' | 'statuses' | 'bytes' | 'breaches'>;
type Answer = 'paused' | Done;

export type HostileThread = {
  /** CPU seconds that generating the attacks took. */
  cpuSeconds(): Promise<number>;
  /** What was done so far. */
  soFar(): Promise<Done>;
  /** Starts no further attack until they resume. Resolves when the last one has ended. */
  pause(): Promise<void>;
  resume(): void;
  /** Ends the attacks; resolves with everything done once the last has ended. */
  stop(): Promise<Done>;
};

const receiptEveryMs = 200;

export function startHostileThread({ honestReceipt, ...given }: HostileOptions): HostileThread {
  const worker = new Worker(new URL(import.meta.url), { workerData: given });
  // Before it is online, a thread has no CPU time.
  const online = once(worker, 'online');
  const order = (message: Order): void => worker.postMessage(message);
  const answered = async (): Promise<Answer> => (await once(worker, 'message'))[0] as Answer;
  const sending = setInterval(() => order({ to: 'receipt', receipt: honestReceipt() }), receiptEveryMs);
  let stopped: Promise<Done> | null = null;
  const stop = async (): Promise<Done> => {
    clearInterval(sending);
    order({ to: 'stop' });
    const done = (await answered()) as Done;
    await worker.terminate();
    return done;
  };
  return {
    async cpuSeconds() {
      await online;
      const { user, system } = await worker.cpuUsage();
      return (user + system) / 1e6;
    },
    async soFar() {
      order({ to: 'tell' });
      return (await answered()) as Done;
    },
    async pause() {
      order({ to: 'pause' });
      await answered();
    },
    resume: () => order({ to: 'resume' }),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** Keeps a thread busy for this share of the time. */
export function startBurning(cores: number): { stop(): Promise<void> } {
  const share = Math.min(1, cores);
  const turnMs = 20;
  const code = `const { setTimeout: delay } = require('node:timers/promises');
    (async () => { for (;;) {
      const end = performance.now() + ${turnMs * share};
      while (performance.now() < end);
      await delay(${turnMs * (1 - share)});
    } })();`;
  const worker = new Worker(code, { eval: true });
  return {
    async stop() {
      await worker.terminate();
    },
  };
}

async function beHostile(given: Given): Promise<void> {
  let receipt: string | null = null;
  let paused = false;
  let waiting = 0;
  const workers = given.keys.length * given.atOnce;
  const untilResumed = async (): Promise<void> => {
    waiting += 1;
    if (paused && waiting === workers) parentPort?.postMessage('paused' satisfies Answer);
    while (paused) await delay(20);
    waiting -= 1;
  };
  const hostile = startHostile({ ...given, honestReceipt: () => receipt, untilResumed, isPaused: () => paused });
  const answer = (): void => {
    const { done, statuses, bytes, breaches } = hostile;
    parentPort?.postMessage({ done, statuses, bytes, breaches } satisfies Answer);
  };
  parentPort?.on('message', (message: Order) => {
    if (message.to === 'receipt') receipt = message.receipt;
    else if (message.to === 'tell') answer();
    else paused = message.to === 'pause';
    if (message.to === 'stop') void hostile.stop().then(answer);
  });
}

if (!isMainThread) void beHostile(workerData as Given);
