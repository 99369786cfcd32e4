// The newest applied observation of each feed: what is late, what is the same again, and whether a pull agrees
// (docs/revisions.md#order-of-observations; docs/revisions.md#verification). A push that is logged twice, because its answer was lost, is one pull.
// Unaware of streams.
import { gameFacts } from '../states/game-state.ts';
import { feedsOf } from '../states/state.ts';
import type { MsfDataset } from '../types.ts';
import { isLate } from './order.ts';
import type { AcceptedObservation, HeldFeed, HeldFeeds } from './scope-state.ts';

type HeldVerdict =
  | { result: 'late' }
  | { result: 'duplicate' }
  | {
      result: 'applied' | 'same';
      /** Its feed had an applied body, and the game was COMPLETED before it and is so after it. */
      agrees: boolean;
    };

/** A push is sent again within seconds: so many of other pushes may have come to its feed since. */
const mostPushed = 16;

/**
 * Applies an observation to the feeds, unless it was, by the same place in the same push, or something newer of its feed was. A repeat does
 * not move the start of its content.
 */
export function holdObservation(feeds: HeldFeeds, said: AcceptedObservation, serial: number): HeldVerdict {
  const { feed, content, observed, badValues } = said;
  const newest = feeds.get(feed);
  const before = newest?.pushed ?? [];
  if (observed.pushed !== null && before.includes(observed.pushed)) return { result: 'duplicate' };
  if (newest !== undefined && isLate(observed.times, newest.observed.times)) return { result: 'late' };
  const wasCompleted = isCompleted(feeds);
  const isSame = newest !== undefined && isSameContent(newest, said);
  const pushed = observed.pushed === null ? before : [...before, observed.pushed].slice(-mostPushed);
  const held = isSame ? newest : { feed, content, contentSince: observed.times.asked, badValues };
  feeds.set(feed, { ...held, observed, serial, pushed });
  return {
    result: isSame ? 'same' : 'applied',
    agrees: newest !== undefined && wasCompleted && isCompleted(feeds),
  };
}

/** Whether both have the same `source_revision`. */
export function isSameContent(a: Pick<HeldFeed, 'observed'>, b: Pick<HeldFeed, 'observed'>): boolean {
  return a.observed.source.source_revision === b.observed.source.source_revision;
}

/** The held feeds of a dataset, in the order in which they were applied. */
export function heldOf(dataset: MsfDataset, feeds: HeldFeeds): HeldFeed[] {
  return feedsOf(dataset)
    .map((feed) => feeds.get(feed))
    .filter((held) => held !== undefined)
    .sort((a, b) => a.serial - b.serial);
}

/** COMPLETED_PENDING_REVIEW is not. docs/revisions.md#verification. */
function isCompleted(feeds: HeldFeeds): boolean {
  return gameFacts(feeds).playedStatus === 'COMPLETED';
}
