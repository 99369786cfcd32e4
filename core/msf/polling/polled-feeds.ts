// What the poller requests: the feeds, as their modules describe them, and `latest_updates`, which cannot be pushed
// (docs/revisions.md#poll-order).
import type { FeedPolling } from '../feeds/feed.ts';
import { feeds } from '../feeds/feeds.ts';
import type { MsfFeed } from '../types.ts';

/** `latest_updates` says which other feeds have changed. */
export type PolledFeed = MsfFeed | 'latest_updates';

const latestUpdates: FeedPolling = {
  called: null,
  isOfSeason: true,
  secondsAway: { season: 0, day: 0 },
  firstAfter: 0,
  whole: (shortest) => ({ every: shortest }),
};

type Polled = { readonly name: PolledFeed; readonly polling: FeedPolling };

/** Among equally due feeds, the first in this list is requested first. */
export const polledFeeds: readonly Polled[] = [{ name: 'latest_updates', polling: latestUpdates }, ...feeds];

const byName: ReadonlyMap<PolledFeed, FeedPolling> = new Map(polledFeeds.map(({ name, polling }) => [name, polling]));

export function pollingOf(feed: PolledFeed): FeedPolling {
  return byName.get(feed) as FeedPolling;
}
