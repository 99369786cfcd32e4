// What the poller asks for: the feeds as their modules say, and `latest_updates`, which no push brings (docs/revisions.md#poll-order).
import type { FeedPolling } from '../feeds/feed.ts';
import { feeds } from '../feeds/feeds.ts';
import type { MsfFeed } from '../types.ts';

/** `latest_updates` says which of the others have moved. */
export type PolledFeed = MsfFeed | 'latest_updates';

const latestUpdates: FeedPolling = {
  called: null,
  isOfSeason: true,
  secondsAway: { season: 0, day: 0 },
  firstAfter: 0,
  whole: (shortest) => ({ every: shortest }),
};

type Polled = { readonly name: PolledFeed; readonly polling: FeedPolling };

/** Of what is due equally the first is asked for first. */
export const polledFeeds: readonly Polled[] = [{ name: 'latest_updates', polling: latestUpdates }, ...feeds];

const byName: ReadonlyMap<PolledFeed, FeedPolling> = new Map(polledFeeds.map(({ name, polling }) => [name, polling]));

export function pollingOf(feed: PolledFeed): FeedPolling {
  return byName.get(feed) as FeedPolling;
}
