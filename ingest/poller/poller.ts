// Runs the poller: makes the requests that the scheduling decides on, a few at a time, and passes their bodies to the pipeline of pushes
// (docs/revisions.md#poller). One process polls at a time, by a lease; a successor starts over, because the source answers its first
// requests in full. While it polls, it also keeps the time of the games that it follows.
import { Polling, type PollStep } from '../../core/msf/polling/polling.ts';
import { type Pull, pullPath } from '../../core/msf/polling/pulls.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { LeasesCatalog } from '../../core/ports/catalog/leases.ts';
import { elapsedBy } from '../../core/ports/clock.ts';
import type { Micros, Millis } from '../../core/units.ts';
import { keepTime, type TimeKeeping } from './keep-time.ts';
import type { MsfSource } from './msf-source.ts';
import { type AcceptPulled, readReply } from './read-reply.ts';

type PollerTools = TimeKeeping & {
  source: MsfSource;
  accept: AcceptPulled;
  leases: LeasesCatalog;
  /** No other program uses this key; only then does `force=false` lose nothing. */
  ownKey: boolean;
};

const mostInFlight = 4;
/** The lease is renewed this often. */
const longestWaitMs: Millis = 1_000;

/** Starts polling; the returned function stops it, whatever is in progress. */
export function startPoller(tools: PollerTools): () => Promise<void> {
  const stopped = new AbortController();
  const done = (async () => {
    while (!stopped.signal.aborted) {
      if (await holdsLease(tools)) await pollWhileHeld(tools, stopped.signal);
      else await tools.clock.sleep(longestWaitMs, stopped.signal);
    }
    await giveUpLease(tools);
  })();
  return async () => {
    stopped.abort();
    tools.source.close();
    await done;
  };
}

async function pollWhileHeld(tools: PollerTools, stopped: AbortSignal): Promise<void> {
  const { clock } = tools;
  const polling = new Polling(clock.now(), tools.ownKey);
  const inFlight = new Set<Promise<void>>();
  let answered = new AbortController();
  let defect: { error: unknown } | null = null;
  const ended = new AbortController();
  const timeKept = keepTime(tools, polling, AbortSignal.any([stopped, ended.signal])).catch((error: unknown) => {
    defect = { error };
  });
  let renewAt: Micros = elapsedBy(clock) + longestWaitMs * 1_000;
  const start = ({ pull, force }: Extract<PollStep, { kind: 'ask' }>): void => {
    const request = askOnce(tools, polling, { pull, force }, stopped)
      .catch((error: unknown) => {
        defect = { error };
      })
      .finally(() => {
        inFlight.delete(request);
        answered.abort();
      });
    inFlight.add(request);
  };
  while (!stopped.aborted && defect === null) {
    if (elapsedBy(clock) >= renewAt) {
      if (!(await holdsLease(tools))) break;
      renewAt = elapsedBy(clock) + longestWaitMs * 1_000;
    }
    const step = inFlight.size < mostInFlight ? polling.next(clock.now()) : null;
    if (step?.kind === 'ask') {
      start(step);
      continue;
    }
    const waitMs = Math.min(longestWaitMs, ((step?.until ?? Number.POSITIVE_INFINITY) - clock.now()) / 1_000);
    await clock.sleep(Math.max(1, Math.ceil(waitMs)), AbortSignal.any([stopped, answered.signal]));
    answered = new AbortController();
  }
  ended.abort();
  await Promise.all([...inFlight, timeKept]);
  if (defect !== null) throw (defect as { error: unknown }).error;
}

async function askOnce(
  tools: PollerTools,
  polling: Polling,
  { pull, force }: { pull: Pull; force: boolean },
  stopped: AbortSignal,
): Promise<void> {
  const startedAt = tools.clock.now();
  const reply = await tools.source.ask(pullPath(pull), force);
  // A request that was given up says nothing about the source.
  if (stopped.aborted && reply.kind === 'none') return;
  polling.answered(pull, await readReply(tools, { pull, startedAt }, reply, tools.clock.now()), tools.clock.now());
}

async function holdsLease({ leases, log }: PollerTools): Promise<boolean> {
  try {
    return await leases.hold('msf-poller');
  } catch (error) {
    if (!(error instanceof CatalogUnavailable)) throw error;
    log.warn('the poller cannot tell whether it holds the lease', { error: error.message });
    return false;
  }
}

/** The next process then need not wait until the lease expires. */
async function giveUpLease({ leases }: PollerTools): Promise<void> {
  try {
    await leases.release('msf-poller');
  } catch (error) {
    if (!(error instanceof CatalogUnavailable)) throw error;
  }
}
