// Wakes waiters when the log reports an append or a change of a group. A notice is only a hint: it may come too often, and none comes while
// the connection is down, so every waiter also has a timeout.
import type { Millis } from '../../core/units.ts';
import type { Sql } from '../postgres/sql.ts';
import { sleep } from '../process/clock.ts';
import { notices } from './log-table.ts';

export interface Notices {
  /** Rings the bells of a topic's partitions, for what this process has appended. */
  appended(topicId: number, partitions: Iterable<number>): void;
  /** A bell for one partition of a topic, or for a group. */
  bell(name: string): Bell;
  close(): Promise<void>;
}

interface Bell {
  /** Resolves once it has rung since it last resolved, after `ms`, or when the signal aborts. */
  wait(ms: Millis, signal: AbortSignal): Promise<void>;
  /** Whether another process may have appended since this was last called; true at first. */
  heardOthers(): boolean;
  /** `isOwn`: for what this process has appended. */
  ring(isOwn: boolean): void;
  remove(): void;
}

export const partitionBell = (topicId: number, partition: number) => `${topicId}:${partition}`;
export const groupBell = (groupId: number) => `group:${groupId}`;

/** Starts listening. Ignores what `author` sends: that is this process, which calls `appended`. @throws CatalogUnavailable when the database does not answer. */
export async function openNotices(sql: Sql, author: string): Promise<Notices> {
  const bells = new Map<string, Set<Bell>>();

  const ring = (name: string, isOwn: boolean): void => {
    for (const bell of bells.get(name) ?? []) bell.ring(isOwn);
  };
  const ringAll = () => {
    for (const each of bells.values()) for (const bell of each) bell.ring(false);
  };
  const unlisten = await sql.listen(
    notices,
    (payload) => {
      const colon = payload.indexOf(':');
      const scope = payload.slice(0, colon);
      const names = payload.slice(colon + 1).split(',');
      if (names.at(-1) !== author) for (const name of names) ring(`${scope}:${name}`, false);
    },
    ringAll,
  );

  return {
    appended(topicId, partitions) {
      for (const partition of partitions) ring(partitionBell(topicId, partition), true);
    },
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
  let heard = true;
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
    heardOthers() {
      const hasHeard = heard;
      heard = false;
      return hasHeard;
    },
    ring(isOwn) {
      rung = true;
      heard ||= !isOwn;
      waiting?.abort();
    },
    remove,
  };
}
