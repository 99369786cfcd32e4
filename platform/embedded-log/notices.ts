// Wakes waiters when the log reports an append or a change of a group. A notice is only a hint: it may come too often, and none comes while
// the connection is down, so every waiter also has a timeout.
import type { Millis } from '../../core/units.ts';
import type { Sql } from '../postgres/sql.ts';
import { sleep } from '../process/clock.ts';
import { notices } from './log-table.ts';

export interface Notices {
  /** A bell for one partition of a topic, or for a group. */
  bell(name: string): Bell;
  close(): Promise<void>;
}

interface Bell {
  /** Resolves once it has rung since it last resolved, after `ms`, or when the signal aborts. */
  wait(ms: Millis, signal: AbortSignal): Promise<void>;
  ring(): void;
  remove(): void;
}

export const partitionBell = (topicId: number, partition: number) => `${topicId}:${partition}`;
export const groupBell = (groupId: number) => `group:${groupId}`;

/** Starts listening. @throws CatalogUnavailable when the database does not answer. */
export async function openNotices(sql: Sql): Promise<Notices> {
  const bells = new Map<string, Set<Bell>>();

  const ringAll = () => {
    for (const each of bells.values()) for (const bell of each) bell.ring();
  };
  const unlisten = await sql.listen(
    notices,
    (payload) => {
      const colon = payload.indexOf(':');
      const scope = payload.slice(0, colon);
      for (const name of payload.slice(colon + 1).split(',')) {
        for (const bell of bells.get(`${scope}:${name}`) ?? []) bell.ring();
      }
    },
    ringAll,
  );

  return {
    bell(name) {
      const bell = makeBell(() => {
        bells.get(name)?.delete(bell);
        if (bells.get(name)?.size === 0) bells.delete(name);
      });
      bells.set(name, (bells.get(name) ?? new Set()).add(bell));
      return bell;
    },
    close: unlisten,
  };
}

function makeBell(remove: () => void): Bell {
  let rung = false;
  let waiting: AbortController | null = null;
  return {
    async wait(ms, signal) {
      if (!rung && !signal.aborted) {
        const woken = new AbortController();
        const wake = () => woken.abort();
        waiting = woken;
        signal.addEventListener('abort', wake);
        await sleep(ms, woken.signal);
        signal.removeEventListener('abort', wake);
        waiting = null;
      }
      rung = false;
    },
    ring() {
      rung = true;
      waiting?.abort();
    },
    remove,
  };
}
