// The newest applied observation of each feed: whether a new one is late, repeats the same content, or confirms it
// (docs/revisions.md#order-of-observations; docs/revisions.md#verification). A push that was logged twice, because its answer was lost,
// counts as one pull. Independent of streams.
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
      /** Its feed had applied content before, and the game was COMPLETED before and after it. */
      agrees: boolean;
    };

/** A push is repeated within seconds; at most this many other pushes of its feed come in between. */
const mostPushed = 16;

/**
 * Applies an observation to its feed, unless it was applied before (same place in the same push) or newer content of the feed was. A repeat
 * does not move the start of its content.
 */
export function holdObservation(feeds: HeldFeeds, accepted: AcceptedObservation, serial: number): HeldVerdict {
  const { feed, content, observed, badValues } = accepted;
  const newest = feeds.get(feed);
  const before = newest?.pushed ?? [];
  if (observed.pushed !== null && before.includes(observed.pushed)) return { result: 'duplicate' };
  if (newest !== undefined && isLate(observed.times, newest.observed.times)) return { result: 'late' };
  const wasCompleted = isCompleted(feeds);
  const isSame = newest !== undefined && isSameContent(newest, accepted);
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

/** The feeds of a dataset that have content, in the order in which it was applied. */
export function heldOf(dataset: MsfDataset, feeds: HeldFeeds): HeldFeed[] {
  return feedsOf(dataset)
    .map((feed) => feeds.get(feed))
    .filter((held) => held !== undefined)
    .sort((a, b) => a.serial - b.serial);
}

/** COMPLETED_PENDING_REVIEW does not count. docs/revisions.md#verification. */
function isCompleted(feeds: HeldFeeds): boolean {
  return gameFacts(feeds).playedStatus === 'COMPLETED';
}
