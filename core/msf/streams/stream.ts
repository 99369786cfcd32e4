// Applies one observation to one stream, which cuts at most one revision (docs/revisions.md#revision-rules). Here the state is computed,
// compared and hashed; archive.ts decides the consequences, such as archives and settlement.

import { stateOf } from '../states/state.ts';
import type { CutRevision, Scope } from '../types.ts';
import { coverageOf, isOtherCoverage } from './coverage.ts';
import { changeBetween, changeOf } from './revision.ts';
import type { HeldFeeds, Observed, StreamState } from './scope-state.ts';
import { digestOf } from './state-digest.ts';

/** An applied observation as a stream of its feed sees it. */
export type Sight = {
  observed: Observed;
  /** Whether its content equals the feed's previous content: then no row can have changed. */
  isSame: boolean;
  agrees: boolean;
};

/** Notes that an observation of one of the stream's feeds was applied. */
export function cover(stream: StreamState, { source, live, times }: Observed): void {
  stream.coverageStart ??= source.source_updated_at;
  stream.coverageEnd = source.source_updated_at;
  if (live) stream.liveCaptureStartedAt ??= times.received;
}

/**
 * The revision that an applied observation cuts if rows, the status or the coverage change. A stream's first revision is cut even without
 * rows. `feeds` already include the observation.
 */
export function reviseStream(stream: StreamState, scope: Scope, feeds: HeldFeeds, sight: Sight): CutRevision | null {
  const { dataset, head, state: before } = stream;
  const isFirst = head === 0;
  const after = sight.isSame && !isFirst ? before : stateOf(dataset, scope, feeds, before);
  const difference = changeBetween(dataset, before, after);
  const changesRows = difference.length > 0;
  const verifies = sight.agrees && !isFirst && !changesRows && stream.status !== 'verified';
  const coverage = coverageOf(dataset, scope.league, {
    start: stream.coverageStart ?? sight.observed.source.source_updated_at,
    end: stream.coverageEnd ?? sight.observed.source.source_updated_at,
    holes: stream.holes,
  });
  // The first revision has no predecessor with the same coverage.
  const isSameCoverage = stream.coverage !== null && !isOtherCoverage(stream.coverage, coverage);
  if (!changesRows && !verifies && isSameCoverage) return null;

  const { kind, rows } = changeOf(isFirst, difference, before, after);
  stream.state = after;
  if (isFirst || changesRows) stream.digest = digestOf(after, before);
  // Only a changed row removes `verified`.
  if (verifies) stream.status = 'verified';
  else if (isFirst || changesRows) stream.status = 'provisional';
  stream.coverage = coverage;
  stream.head += 1;
  stream.lastCutAt = sight.observed.loggedAt;
  return {
    dataset,
    epoch: stream.epoch,
    revision: stream.head,
    kind,
    historyOrigin: sight.observed.rebuilt ? 'reconstructed' : 'captured',
    sourceObservation: sight.observed.source,
    materializedAt: sight.observed.loggedAt,
    status: stream.status,
    coverage,
    // An accepted observation is either applied in the same fold or late for good: none is ever pending.
    pendingSourceRevision: null,
    liveCaptureStartedAt: stream.liveCaptureStartedAt,
    changeRows: rows.length,
    snapshotRows: after.length,
    snapshotDigest: stream.digest,
    scopeId: scope.id,
    change: rows,
    snapshot: after,
  };
}
