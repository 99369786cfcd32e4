// Deletes records past their topic's retention, for logs that do not do so themselves. In a topic from which logs are rebuilt, older records stay
// while a projector's next owner would fold them, or while a game that starts later or started within two weeks would be rebuilt from them, and
// with them one record older than all these, which proves that none is missing. Knows nothing of how records are stored. After a kill it continues
// in its next round.
import type { Broker, Forget } from '../../core/ports/broker.ts';
import type { LeasesCatalog } from '../../core/ports/catalog/leases.ts';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { RetentionCatalog } from '../../core/ports/catalog/retention.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { type Micros, type Millis, microsPerHour } from '../../core/units.ts';
import { retention, type TopicName } from '../../schemas/events/topics.ts';
import { clockSlack } from '../worker/kept-log.ts';

export type RetentionTools = {
  forget: Forget;
  broker: Pick<Broker, 'watermarks' | 'offsetAt'>;
  catalog: RetentionCatalog;
  leases: Pick<LeasesCatalog, 'hold'>;
  live: Pick<LiveCatalog, 'now'>;
  clock: Clock;
  log: Log;
};

const everyMs: Millis = 10 * 60_000;
/** Between two steps, so that appends get their turn. */
const pauseMs: Millis = 50;
const microsPerDay: Micros = 24 * microsPerHour;
/** No real game is listed earlier before its start; a game that claims so must not keep the log for ever. */
const longestListing: Micros = 366 * microsPerDay;

/** Looks every ten minutes until stopped. */
export function startRetention(tools: RetentionTools): () => Promise<void> {
  const stopped = new AbortController();
  const done = (async () => {
    for (;;) {
      await tools.clock.sleep(everyMs, stopped.signal);
      if (stopped.signal.aborted) return;
      try {
        await forgetExpired(tools, stopped.signal);
      } catch (error) {
        tools.log.warn('retention put off', { error: error instanceof Error ? error.message : String(error) });
      }
    }
  })();
  return async () => {
    stopped.abort();
    await done;
  };
}

/** Deletes what may be deleted of every topic, unless another process is doing so. */
export async function forgetExpired(tools: RetentionTools, signal: AbortSignal): Promise<void> {
  const now = await tools.live.now();
  for (const [topic, { days, rebuilt }] of Object.entries(retention) as [
    TopicName,
    { days: number; rebuilt: boolean },
  ][]) {
    const age = now - days * microsPerDay;
    const before = rebuilt ? await beforeGames(tools, age, now) : age;
    const foldedFrom = rebuilt ? await tools.catalog.foldedFrom(topic) : null;
    for (const { partition, low, high } of await tools.broker.watermarks(topic)) {
      if (signal.aborted) return;
      // A partition that was never folded is needed whole.
      const below =
        foldedFrom === null
          ? high
          : Math.min(foldedFrom.get(partition) ?? 0, (await tools.broker.offsetAt(topic, partition, before)) - 1);
      if (low < below && !(await forgetBelow(tools, topic, partition, { before, below }, signal))) return;
    }
  }
}

/** The first record of every game that starts later than `age` is younger than the answer, also where clocks differ. */
async function beforeGames({ catalog }: RetentionTools, age: Micros, now: Micros): Promise<Micros> {
  const oldest = await catalog.oldestGame(age, now - longestListing);
  return oldest === null ? age : Math.min(age, oldest - clockSlack);
}

/** Returns false to end the round: it is stopped, or another process is working. */
async function forgetBelow(
  { forget, leases, clock }: RetentionTools,
  topic: TopicName,
  partition: number,
  what: { before: Micros; below: number },
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted && (await leases.hold('retention'))) {
    if (!(await forget(topic, partition, what)).more) return true;
    await clock.sleep(pauseMs, signal);
  }
  return false;
}
