// Resets of epochs (docs/revisions.md#epochs). Between a reset's `begin` and `end`, the kept observations come again under its id and are
// folded separately, into an epoch that is not published yet. Live observations are applied as usual meanwhile, and also kept for it. `end`
// folds these too, makes both agree, and replaces the old epoch with the new one. The next `begin` discards a reset that did not end.

import type { EpochReset } from '../../../schemas/events/observations.ts';
import type { LogPosition } from '../../log-position.ts';
import { type Micros, microsPerHour } from '../../units.ts';
import { feedsOf, stateOf } from '../states/state.ts';
import type { CutRevision, DatasetState, MsfDataset, Scope } from '../types.ts';
import { archiveAfterCut } from './archive.ts';
import { coverageOf } from './coverage.ts';
import type { ObservationResult, ScopeEffects } from './effects.ts';
import { noteArchive } from './effects.ts';
import { epochId } from './epoch.ts';
import { replaceStream, restartStream } from './epoch-begin.ts';
import { changedAt, freshened, freshnessOfBoth, noFreshness } from './freshness.ts';
import { heldOf, holdObservation, isSameContent } from './held-feeds.ts';
import { stateAfter } from './revision.ts';
import { type AcceptedObservation, newStream, type ScopeState, type Shadow, type StreamState } from './scope-state.ts';
import { cover, reviseStream, type Sight } from './stream.ts';

/**
 * A reset that has not ended by then counts as abandoned: what it keeps would grow without bound. A live game reaches `mostWaiting` first, in
 * an hour or more; a reset takes minutes. The state of a scope is saved as one text, and must fit into it.
 */
const givenUpAfter: Micros = 24 * microsPerHour;
const mostWaiting = { observations: 2_000, length: 64 * 1024 * 1024 } as const;

/** Opens a reset; discards an unfinished one of the same dataset. */
export function beginReset(state: ScopeState, dataset: MsfDataset, { id, gaps }: EpochReset, at: LogPosition): void {
  state.shadows.set(dataset, {
    id,
    begunAt: at.timestamp,
    holes: gaps,
    feeds: new Map(),
    stream: newStream(dataset, ''),
    revisions: [],
    archives: [],
    waiting: [],
    waitingLength: 0,
  });
}

/** Keeps a live observation for the open resets; drops one that would keep too much. `length`: of its element's text. */
export function keepWaiting(state: ScopeState, accepted: AcceptedObservation, length: number): void {
  for (const [dataset, shadow] of state.shadows) {
    shadow.waiting.push(accepted);
    shadow.waitingLength += length;
    if (shadow.waiting.length > mostWaiting.observations || shadow.waitingLength > mostWaiting.length)
      state.shadows.delete(dataset);
  }
}

/** Drops abandoned resets. */
export function discardGivenUp(state: ScopeState): void {
  for (const [dataset, { begunAt }] of state.shadows) {
    if (begunAt + givenUpAfter < state.logTime) state.shadows.delete(dataset);
  }
}

/** The open reset with this id. */
export function shadowNamed(state: ScopeState, id: string): Shadow | null {
  return [...state.shadows.values()].find((shadow) => shadow.id === id) ?? null;
}

/** Folds an observation into the unpublished epoch. */
export function foldShadow(state: ScopeState, shadow: Shadow, accepted: AcceptedObservation): ObservationResult {
  const { stream, feeds } = shadow;
  state.serial += 1;
  const verdict = holdObservation(feeds, accepted, state.serial);
  const { observed } = accepted;
  const { result } = verdict;
  if (result === 'duplicate' || !feedsOf(stream.dataset).includes(accepted.feed)) return result;
  if (result !== 'late') {
    cover(stream, observed);
    reviseShadow(state.scope, shadow, { observed, isSame: result === 'same', agrees: verdict.agrees });
  }
  stream.freshness = freshened(stream.freshness, { ...observed, result });
  return result;
}

/** When a game is minted, the rows folded so far have an outdated id, so the epoch starts again from the content its feeds hold. */
export function restartShadow(shadow: Shadow): void {
  const { dataset, freshness } = shadow.stream;
  shadow.stream = { ...newStream(dataset, ''), freshness };
  shadow.revisions = [];
  shadow.archives = [];
  for (const { observed } of heldOf(dataset, shadow.feeds)) cover(shadow.stream, observed);
}

/** Publishes the epoch of a reset. Other streams whose state changes because of its feeds start over too. */
export function endReset(
  state: ScopeState,
  shadow: Shadow,
  gaps: readonly string[],
  at: LogPosition,
  effects: ScopeEffects,
): void {
  const { stream } = shadow;
  const { dataset } = stream;
  state.shadows.delete(dataset);
  for (const accepted of shadow.waiting) foldShadow(state, shadow, accepted);
  catchUp(state, shadow, at);
  if (stream.head === 0) return;

  stream.epoch = epochId(state.scope.uuid, dataset, at);
  stream.holes = [...new Set([...shadow.holes, ...gaps])];
  const old = state.streams.get(dataset);
  stream.freshness = changedAt(freshnessOfBoth(old?.freshness ?? noFreshness, stream.freshness), at.timestamp);
  const revisions = published(state.scope, shadow);
  stream.coverage = revisions.at(-1)?.coverage ?? null;
  replaceStream(state, stream, effects);
  effects.revisions.push(...revisions);
  for (const span of shadow.archives) noteArchive(effects, state.scope, stream, span);

  state.feeds = shadow.feeds;
  for (const other of [...state.streams.values()]) {
    if (other !== stream && stateOf(other.dataset, state.scope, state.feeds, other.state) !== other.state) {
      restartStream(state, other, at, effects);
    }
  }
}

/**
 * Makes the reset's feeds agree with the live ones. Live content that the reset did not bring counts with what it says; content that both
 * have counts from the time when it was first seen. So the new epoch ends in the live state, whatever is missing from its history.
 */
function catchUp(state: ScopeState, shadow: Shadow, at: LogPosition): void {
  const { stream, feeds } = shadow;
  for (const held of [...state.feeds.values()].sort((a, b) => a.serial - b.serial)) {
    const { feed } = held;
    const rebuilt = feeds.get(feed);
    const isBoth = rebuilt !== undefined && isSameContent(rebuilt, held);
    feeds.set(feed, isBoth ? { ...held, content: rebuilt.content } : held);
    if (!isBoth && feedsOf(stream.dataset).includes(feed)) cover(stream, held.observed);
  }
  const newest = heldOf(stream.dataset, feeds).at(-1);
  if (newest === undefined) return;
  const observed = { ...newest.observed, loggedAt: at.timestamp, rebuilt: true };
  reviseShadow(state.scope, shadow, { observed, isSame: false, agrees: false });
}

function reviseShadow(scope: Scope, shadow: Shadow, sight: Sight): void {
  const { stream } = shadow;
  const cut = reviseStream(stream, scope, shadow.feeds, sight);
  if (cut === null) return;
  const { snapshot: _snapshot, scopeId: _scopeId, ...revision } = cut;
  shadow.revisions.push(revision);
  const span = archiveAfterCut(stream, scope.kind === 'game');
  if (span !== null) shadow.archives.push(span);
}

/** The revisions of an epoch for publication: under its id, with the gaps known at its end, each with its state. */
function published(scope: Scope, { revisions, stream }: Shadow): CutRevision[] {
  let state: DatasetState = [];
  return revisions.map((revision) => {
    state = stateAfter(stream.dataset, state, { kind: revision.kind, rows: revision.change });
    return {
      ...revision,
      epoch: stream.epoch,
      coverage: coverageIn(scope, stream, revision),
      scopeId: scope.id,
      snapshot: state,
    };
  });
}

function coverageIn(scope: Scope, { dataset, holes }: StreamState, { coverage }: Pick<CutRevision, 'coverage'>) {
  const { coverage_start: start, coverage_end: end } = coverage;
  return coverageOf(dataset, scope.league, { start: start ?? 0, end: end ?? 0, holes });
}
