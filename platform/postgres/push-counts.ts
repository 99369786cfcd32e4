// How many pushes each source has made. Counted in memory and written once a second: a row that every push updates would serialise all
// pushes of a source. These are statistics, so no push waits for them and no acknowledgement depends on them.
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { monotonicMs, sleep } from '../process/clock.ts';
import type { Sql } from './sql.ts';

interface PushCounts {
  /** One more push of the source. */
  count(source: string): void;
  /** Writes out the counts; on failure it keeps them and logs it. */
  flush(): Promise<void>;
}

const writtenEveryMs: Millis = 1_000;

export function openPushCounts(sql: Sql, log: Log): PushCounts {
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  let writtenAt: Millis = 0;
  let writing: Promise<void> | null = null;
  let waiting = false;
  let refused = false;

  function add(source: string, pushes: number): void {
    counts.set(source, (counts.get(source) ?? 0) + pushes);
  }

  async function flush(): Promise<void> {
    while (writing !== null) await writing;
    if (counts.size === 0) return;
    writing = write().finally(() => {
      writing = null;
    });
    await writing;
  }

  async function write(): Promise<void> {
    writtenAt = monotonicMs();
    // In a fixed order: otherwise two gateways that lock the rows of the same sources could deadlock.
    const pushed = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
    counts.clear();
    try {
      await addPushes(sql, pushed);
      refused = false;
    } catch (error) {
      for (const [source, pushes] of pushed) add(source, pushes);
      if (!refused) log.warn('counts of pushes cannot be written now', { error: String(error) });
      refused = true;
      void flushLater();
    }
  }

  /** Writes out the last pushes before a pause as well, when no further push follows. */
  async function flushLater(): Promise<void> {
    if (waiting) return;
    waiting = true;
    await sleep(writtenEveryMs, undefined, { idle: true });
    waiting = false;
    await flush();
  }

  return {
    count(source) {
      add(source, 1);
      const isDue = !seen.has(source) || monotonicMs() - writtenAt >= writtenEveryMs;
      seen.add(source);
      void (isDue ? flush() : flushLater());
    },
    flush,
  };
}

async function addPushes(sql: Sql, pushed: readonly (readonly [string, number])[]): Promise<void> {
  await sql.query(
    `insert into sources (source, pushes) select * from unnest($1::text[], $2::bigint[])
     on conflict (source) do update set last_seen = now(), pushes = sources.pushes + excluded.pushes`,
    [pushed.map(([source]) => source), pushed.map(([, count]) => count)],
  );
}
