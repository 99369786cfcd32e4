// A member of a group: polls the group's table and feeds the partitions that it holds. The table decides: a claim that was taken away ends
// its feed, a claim that this process does not know of starts one. A partition is given up only after its handler has ended; one that was
// taken away is revoked at once.
import { type Consumer, Halted, OffsetOutOfRange } from '../../core/ports/broker.ts';
import type { Millis } from '../../core/units.ts';
import { asError } from '../broker/unavailable.ts';
import { sleep } from '../process/clock.ts';
import { newUuid } from '../process/ids.ts';
import { type Group, leaveGroup, lookAround } from './group-table.ts';
import type { ReadTopic } from './log-reader.ts';
import { groupBell } from './notices.ts';
import { type FeedTools, feedPartition } from './partition-feed.ts';

const leavePatienceMs: Millis = 1_000;

type Feed = { stop: AbortController; ended: Promise<void>; leaving: 'no' | 'ending' | 'ended' };

export function startMember(tools: FeedTools, topic: ReadTopic, group: Group, sessionMs: Millis): Consumer {
  const { sql, handlers, log } = tools;
  const member = newUuid();
  const bell = tools.notices.bell(groupBell(group.id));
  const stopping = new AbortController();
  const feeds = new Map<number, Feed>();
  /** The previous feed of each partition: the next one waits for its handler. */
  const before = new Map<number, Promise<void>>();
  /** Acknowledged offsets that are not written yet; the next poll writes them. */
  const progress = new Map<number, number>();
  let stopped: Promise<void> | null = null;

  function start(partition: number): void {
    const stop = new AbortController();
    const earlier = before.get(partition) ?? Promise.resolve();
    const ended = earlier
      .then(() => (stop.signal.aborted ? undefined : feedPartition(tools, topic, partition, stop.signal)))
      .catch((error: unknown) => {
        if (!stop.signal.aborted) endFeed(asError(error));
      });
    before.set(partition, ended);
    feeds.set(partition, { stop, ended, leaving: 'no' });
  }

  /** Keep a partition whose error is its own: another member would only hit the same error. */
  function endFeed(error: Error): void {
    if (error instanceof Halted) return;
    if (error instanceof OffsetOutOfRange && handlers.outOfRange !== undefined) handlers.outOfRange(error);
    else fail(error);
  }

  /** Another member has taken it. */
  function lose(partition: number, feed: Feed): void {
    feed.stop.abort();
    feeds.delete(partition);
    if (feed.leaving !== 'ended') handlers.revoked(partition);
  }

  function giveUp(partition: number, feed: Feed): void {
    if (feed.leaving !== 'no') return;
    feed.leaving = 'ending';
    feed.stop.abort();
    void feed.ended.then(() => {
      feed.leaving = 'ended';
      if (stopping.signal.aborted) return;
      if (feeds.get(partition) === feed) handlers.revoked(partition);
      bell.ring(true);
    });
  }

  async function look(): Promise<void> {
    const done = [...feeds].filter(([, feed]) => feed.leaving === 'ended').map(([partition]) => partition);
    const noted = [...progress];
    const found = await lookAround(sql, group, { member, done, progress: noted, sessionMs });
    if (stopping.signal.aborted) return;
    for (const [partition, nextOffset] of noted) {
      if (progress.get(partition) === nextOffset) progress.delete(partition);
    }
    for (const partition of done) feeds.delete(partition);
    for (const [partition, feed] of feeds) if (!found.held.includes(partition)) lose(partition, feed);
    for (const partition of found.held) {
      const feed = feeds.get(partition);
      if (feed === undefined) start(partition);
      else if (found.giveUp.includes(partition)) giveUp(partition, feed);
    }
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await look();
      } catch (error) {
        log.warn('group cannot be read now', { group: group.id, error: asError(error).message });
        await sleep(Math.min(1_000, sessionMs / 4), stopping.signal);
      }
      await bell.wait(sessionMs / 4, stopping.signal);
    }
  }

  async function end(): Promise<void> {
    stopping.abort();
    for (const feed of feeds.values()) feed.stop.abort();
    bell.remove();
    await Promise.all(before.values());
    // Leaving properly is worth a moment: otherwise the others wait until our session expires.
    const left = looking.then(() => leaveGroup(sql, group, member, [...progress]));
    const late = new AbortController();
    const inTime = left.then(
      () => late.abort(),
      (error: unknown) => {
        log.warn('group not left: its members wait for our session to expire', { error: asError(error).message });
        late.abort();
      },
    );
    await Promise.race([inTime, sleep(leavePatienceMs, late.signal)]);
  }

  function fail(error: Error): void {
    if (stopped !== null) return;
    log.error('consumer stops', { topic: topic.name, error: error.message });
    stopped = end();
    void stopped.then(() => handlers.failed(error));
  }

  const looking = keepLooking();
  return {
    async acknowledge(partition, nextOffset) {
      progress.set(partition, nextOffset);
    },
    stop() {
      stopped ??= end();
      return stopped;
    },
  };
}
