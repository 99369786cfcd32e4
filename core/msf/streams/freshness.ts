// How fresh a stream is (docs/interface.md#revision-record): each member comes from its own observations, or is null. Freshness moves with
// every pull and cuts no revision.
import type { Micros } from '../../units.ts';
import type { Freshness } from '../types.ts';
import type { ObservationTimes } from './order.ts';

export const noFreshness: Freshness = {
  newest_applied_source_updated_at: null,
  last_changed_at: null,
  latest_request_started_at: null,
  last_pull_success_observed_at: null,
  last_normalized_at: null,
  health_observed_at: null,
};

/** What an observation of one of the stream's feeds contributes. */
type ObservationEvidence = {
  times: ObservationTimes;
  /** Log time of its record. */
  loggedAt: Micros;
  result: 'applied' | 'same' | 'late';
};

/**
 * Freshness after an observation. The source version comes from the source's stamp on applied content; the request start from the poller;
 * the pull from the receipt of an answer whose request start is known; the normalisation from new content.
 */
export function freshened(known: Freshness, { times, loggedAt, result }: ObservationEvidence): Freshness {
  const stamped = result !== 'late' && times.basis === 'source';
  const normalised = result === 'applied';
  return {
    newest_applied_source_updated_at: newer(known.newest_applied_source_updated_at, stamped ? times.updated : null),
    last_changed_at: known.last_changed_at,
    latest_request_started_at: newer(known.latest_request_started_at, times.requested),
    last_pull_success_observed_at: newer(
      known.last_pull_success_observed_at,
      times.requested === null ? null : times.received,
    ),
    last_normalized_at: newer(known.last_normalized_at, normalised ? loggedAt : null),
    health_observed_at: newer(known.health_observed_at, loggedAt),
  };
}

/** Freshness after a revision that changed rows, cut by a record of log time `loggedAt`. */
export function changedAt(known: Freshness, loggedAt: Micros): Freshness {
  return { ...known, last_changed_at: newer(known.last_changed_at, loggedAt) };
}

/** The freshness of two streams of one dataset combined: a rebuilt one and the one it replaces. */
export function freshnessOfBoth(a: Freshness, b: Freshness): Freshness {
  return {
    newest_applied_source_updated_at: newer(a.newest_applied_source_updated_at, b.newest_applied_source_updated_at),
    last_changed_at: newer(a.last_changed_at, b.last_changed_at),
    latest_request_started_at: newer(a.latest_request_started_at, b.latest_request_started_at),
    last_pull_success_observed_at: newer(a.last_pull_success_observed_at, b.last_pull_success_observed_at),
    last_normalized_at: newer(a.last_normalized_at, b.last_normalized_at),
    health_observed_at: newer(a.health_observed_at, b.health_observed_at),
  };
}

function newer(known: Micros | null, found: Micros | null): Micros | null {
  if (known === null || found === null) return known ?? found;
  return Math.max(known, found);
}
