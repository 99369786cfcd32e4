// The fold of one scope: applies one record of `sds.observations.v1` to the scope's state and returns the revisions that it cuts.
// Synchronous and deterministic: the result depends only on earlier records, so a replay of the log gives the same numbers, digests, epochs
// and archives whatever the time, the batches or the restarts (I12, I14, I15, I21). Any producer may have written a record: one that cannot
// be applied is refused, never thrown.

import type { EpochReset, MsfObservation, ObservationsRecord } from '../../../schemas/events/observations.ts';
import type { LogPosition } from '../../log-position.ts';
import { believedTime, withBelievedTimes } from '../../quotes/believed-times.ts';
import { elementRefusal } from '../bodies/body.ts';
import { readText } from '../bodies/element-text.ts';
import { descriptorOf, feedNamed, gamePartsOf } from '../feeds/feeds.ts';
import { badValues } from '../states/bad-values.ts';
import { readFeed } from '../states/feed-content.ts';
import { feedsOf } from '../states/state.ts';
import { type MsfDataset, type MsfFeed, msfDatasets, type Scope } from '../types.ts';
import { passTime } from './archive.ts';
import { noEffects, noteArchive, refuse, type ScopeEffects, touch } from './effects.ts';
import { restartStream, reviseNow, reviseRestarted, streamOf } from './epoch-begin.ts';
import {
  beginReset,
  discardGivenUp,
  endReset,
  foldShadow,
  keepWaiting,
  restartShadow,
  shadowNamed,
} from './epoch-reset.ts';
import { datasetNamed, type MsfRefusal, scopeOf } from './frame.ts';
import { freshened } from './freshness.ts';
import { moveByHand, moveGame } from './game-move.ts';
import { holdObservation } from './held-feeds.ts';
import { timesOf } from './order.ts';
import { readElement } from './read-element.ts';
import type { AcceptedObservation, HeldFeeds, Observed, ScopeState } from './scope-state.ts';
import { cover } from './stream.ts';

/**
 * Folds a record that `frameRefusal` accepts into its scope. Takes the records of a scope once each, in log order. `attached`: the bytes of
 * the object that an observation refers to. docs/revisions.md#revision-rules.
 */
export function applyObservation(
  state: ScopeState,
  logged: ObservationsRecord,
  at: LogPosition,
  attached: Uint8Array | null,
): ScopeEffects {
  const record = withBelievedTimes(logged, at.timestamp);
  const effects = noEffects();
  const stranger = strangerRefusal(state, record);
  if (stranger !== null) return refuse(effects, stranger);
  state.logTime = Math.max(state.logTime, record.tick?.at ?? at.timestamp);
  discardGivenUp(state);
  if (record.tick !== null) {
    startOver(state, record, at, effects);
    reviseRestarted(state, at, effects);
    tick(state, effects);
  } else if (record.reset !== null) {
    reset(state, record.reset, at, effects);
  } else if (record.status !== null) {
    moveByHand(state, record.status, believedTime(record.status.at, at.timestamp), effects);
  } else if (record.observation !== null) {
    observe(state, record, record.observation, { ...at, attached }, effects);
  }
  return effects;
}

/**
 * Why a record does not belong to this scope: it names another league or another public id. Until a game is minted, its UUID is its public
 * id.
 */
function strangerRefusal({ scope }: ScopeState, record: ObservationsRecord): MsfRefusal | null {
  const named = scopeOf(record);
  const isOurs = named !== null && named.uuid === scope.uuid && named.league === scope.league;
  if (isOurs && (named.id === scope.id || named.id === scope.uuid || scope.id === scope.uuid)) return null;
  return { code: 'bad-record', pointer: '/scope_id', detail: 'this UUID is of another game, or of another league' };
}

type Delivery = LogPosition & { attached: Uint8Array | null };

function observe(
  state: ScopeState,
  record: ObservationsRecord,
  observation: MsfObservation,
  at: Delivery,
  effects: ScopeEffects,
): void {
  const shadow = observation.rebuild === null ? null : shadowNamed(state, observation.rebuild);
  if (observation.rebuild !== null && shadow === null) {
    refuse(effects, {
      code: 'bad-record',
      pointer: '/observation/rebuild',
      detail: 'no reset of this id is under way',
    });
    return;
  }
  const accepted = accept(state, record, observation, at, shadow?.feeds ?? state.feeds);
  if ('code' in accepted) {
    refuse(effects, accepted);
    return;
  }
  if (shadow !== null) {
    const result = foldShadow(state, shadow, accepted);
    effects.outcome = { result, sourceRevision: accepted.observed.source.source_revision };
    return;
  }
  startOver(state, record, at, effects);
  applyLive(state, accepted, at, effects);
  reviseRestarted(state, at, effects);
  keepWaiting(state, accepted, observation.held?.size ?? observation.element?.length ?? 0);
}

/** Reads an observation once. If its content equals what the feed already holds, that content is reused. */
function accept(
  { scope }: ScopeState,
  record: ObservationsRecord,
  observation: MsfObservation,
  at: Delivery,
  feeds: HeldFeeds,
): AcceptedObservation | MsfRefusal {
  const feed = feedNamed(observation.feed);
  if (feed === null) return { code: 'bad-record', pointer: '/observation/feed', detail: 'no feed' };
  const read = readElement(observation, at.attached);
  if (read.kind === 'refused') return read.refusal;
  const { msf_game_id: gameId } = observation;
  const held = feeds.get(feed);
  const before = held?.content ?? null;
  const text = readText(feed, scope.league, read.element, before);
  const bad = elementRefusal(feed, scope.league, gameId, read.element, text.isWellFormed);
  if (bad !== null) return { code: 'bad-body', ...bad };

  const { sourceRevision: revision } = text;
  const isSame = held?.observed.source.source_revision === revision;
  const content = isSame ? held.content : readFeed(feed, scope, gameId, read.element, before, text);
  if (!isSame) text.remember(content);
  const times = timesOf(record, observation, at.timestamp);
  const observed: Observed = {
    source: {
      source_revision: revision,
      source_updated_at: times.updated,
      request_started_at: times.asked,
      timestamp_basis: times.basis,
      source_played_status: storable(content.game?.played_status ?? null),
      source_schedule_status: storable(content.game?.schedule_status ?? null),
    },
    times,
    live: observation.observed_at === null,
    rebuilt: observation.rebuild !== null,
    pushed: placeInPush(record, feed, scope),
    loggedAt: at.timestamp,
  };
  const lineups = descriptorOf(feed).lineups?.(scope.league, read.element) ?? null;
  const wrong = isSame ? held.badValues : badValues(feed, read.element, text);
  return { feed, content, observed, lineups, badValues: wrong };
}

/** The catalog cannot store U+0000. Statuses have its replacement from the start, so that records and archive documents show the same. */
function storable(status: string | null): string | null {
  return status?.replaceAll('\0', '\ufffd') ?? null;
}

/**
 * What identifies an observation among the copies of a push. For a game's element of a league body the push alone identifies it: its index
 * depends on which games are upcoming, and this may change when the push is sent again.
 */
function placeInPush({ push, push_index: index }: ObservationsRecord, feed: MsfFeed, { kind }: Scope): string | null {
  if (push === null || index === null) return null;
  return gamePartsOf(feed) !== null && kind === 'game' ? push : `${push} ${index}`;
}

/** Applies an observation to its feed and to the streams that are made from this feed. */
function applyLive(state: ScopeState, accepted: AcceptedObservation, at: LogPosition, effects: ScopeEffects): void {
  const { feed, observed } = accepted;
  const known = state.feeds.get(feed)?.badValues ?? [];
  state.serial += 1;
  const verdict = holdObservation(state.feeds, accepted, state.serial);
  const { result } = verdict;
  effects.outcome = { result, sourceRevision: observed.source.source_revision };
  if (result === 'duplicate') return;
  for (const dataset of datasetsOf(feed)) {
    const stream = streamOf(state, dataset, at, effects);
    if (result !== 'late') {
      cover(stream, observed);
      reviseNow(state, stream, { observed, isSame: result === 'same', agrees: verdict.agrees }, effects);
    }
    stream.freshness = freshened(stream.freshness, { ...observed, result });
    touch(effects, dataset);
  }
  if (result !== 'applied') return;
  // A body that grows repeats its faults; each is reported once.
  for (const pointer of accepted.badValues) if (!known.includes(pointer)) effects.refusals.push(badValue(pointer));
  if (accepted.lineups !== null) {
    state.lineups = accepted.lineups;
    effects.lineups = accepted.lineups;
  }
  if (state.scope.kind === 'game') moveGame(state, observed, state.logTime, effects);
}

function badValue(pointer: string): MsfRefusal {
  return { code: 'bad-value', pointer, detail: 'no number, or none that dec(12,4) has room for' };
}

function datasetsOf(feed: MsfFeed): MsfDataset[] {
  return msfDatasets.filter((dataset) => feedsOf(dataset).includes(feed));
}

/** Starts new epochs: of all streams if the record brings the game's public id, otherwise of those whose state is in doubt. */
function startOver(state: ScopeState, record: ObservationsRecord, at: LogPosition, effects: ScopeEffects): void {
  const { scope } = state;
  const isMinted = scope.id === scope.uuid && record.scope_id !== scope.uuid;
  if (isMinted) {
    state.scope = { ...scope, id: record.scope_id };
    for (const shadow of state.shadows.values()) restartShadow(shadow);
  }
  for (const stream of [...state.streams.values()]) {
    if (isMinted || stream.suspect) restartStream(state, stream, at, effects);
  }
}

function reset(state: ScopeState, asked: EpochReset, at: LogPosition, effects: ScopeEffects): void {
  const dataset = datasetNamed(asked.dataset);
  if (dataset === null) return;
  if (asked.phase === 'begin') {
    beginReset(state, dataset, asked, at);
    return;
  }
  const shadow = state.shadows.get(dataset);
  if (shadow === undefined || shadow.id !== asked.id) {
    refuse(effects, { code: 'bad-record', pointer: '/reset/id', detail: 'no reset of this id is under way' });
    return;
  }
  endReset(state, shadow, asked.gaps, at, effects);
  reviseRestarted(state, at, effects);
}

/** Does what is due at this time. docs/revisions.md#archives. */
function tick(state: ScopeState, effects: ScopeEffects): void {
  for (const stream of state.streams.values()) {
    const { archives, forgot } = passTime(stream, state.completedAt, state.scope.kind === 'game', state.logTime);
    for (const span of archives) noteArchive(effects, state.scope, stream, span);
    if (forgot) touch(effects, stream.dataset);
  }
}
