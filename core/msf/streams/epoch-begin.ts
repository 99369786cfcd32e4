// How a stream begins, and how it starts over from the content its feeds hold (docs/revisions.md#epochs; docs/revisions.md#ids): when its
// game is minted, and when its state may differ from the committed one. The unarchived revisions of the old epoch become its last archive.

import type { LogPosition } from '../../log-position.ts';
import type { MsfDataset } from '../types.ts';
import { archiveAfterCut, takeArchive } from './archive.ts';
import { noteArchive, type ScopeEffects, touch } from './effects.ts';
import { epochId } from './epoch.ts';
import { changedAt } from './freshness.ts';
import { heldOf } from './held-feeds.ts';
import { newStream, type ScopeState, type StreamState } from './scope-state.ts';
import { cover, reviseStream, type Sight } from './stream.ts';

/** The dataset's stream; created if there is none. */
export function streamOf(state: ScopeState, dataset: MsfDataset, at: LogPosition, effects: ScopeEffects): StreamState {
  const known = state.streams.get(dataset);
  if (known !== undefined) return known;
  const stream = newStream(dataset, epochId(state.scope.uuid, dataset, at));
  state.streams.set(dataset, stream);
  effects.epochs.push({ dataset, epoch: stream.epoch, replaces: null });
  return stream;
}

/** Replaces the dataset's stream with `stream`, which has an epoch of its own. */
export function replaceStream(state: ScopeState, stream: StreamState, effects: ScopeEffects): void {
  const { dataset, epoch } = stream;
  const old = state.streams.get(dataset);
  if (old !== undefined) noteArchive(effects, state.scope, old, takeArchive(old));
  state.streams.set(dataset, stream);
  effects.epochs.push({ dataset, epoch, replaces: old?.epoch ?? null });
  touch(effects, dataset);
}

/** Starts a new epoch of a stream, before its first revision. The content its feeds hold counts as applied. */
export function restartStream(state: ScopeState, old: StreamState, at: LogPosition, effects: ScopeEffects): void {
  const { dataset } = old;
  const stream = { ...newStream(dataset, epochId(state.scope.uuid, dataset, at)), freshness: old.freshness };
  for (const { observed } of heldOf(dataset, state.feeds)) cover(stream, observed);
  replaceStream(state, stream, effects);
}

/** Cuts first revisions for the streams that this record restarted without changing them, from the newest content of their feeds. */
export function reviseRestarted(state: ScopeState, at: LogPosition, effects: ScopeEffects): void {
  for (const stream of state.streams.values()) {
    const newest = heldOf(stream.dataset, state.feeds).at(-1);
    if (stream.head > 0 || newest === undefined) continue;
    const observed = { ...newest.observed, loggedAt: at.timestamp };
    reviseNow(state, stream, { observed, isSame: false, agrees: false }, effects);
  }
}

/** Cuts the revision that an observation causes, if any, with its consequences. */
export function reviseNow(state: ScopeState, stream: StreamState, sight: Sight, effects: ScopeEffects): void {
  const before = stream.state;
  const cut = reviseStream(stream, state.scope, state.feeds, sight);
  if (cut === null) return;
  effects.revisions.push(cut);
  touch(effects, stream.dataset);
  noteArchive(effects, state.scope, stream, archiveAfterCut(stream, state.scope.kind === 'game'));
  if (stream.state !== before) stream.freshness = changedAt(stream.freshness, sight.observed.loggedAt);
}
