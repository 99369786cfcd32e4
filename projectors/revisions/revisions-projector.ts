// From records of `sds.observations.v1` to revisions and archives. The rules are in core/msf; here is only what a flush makes of their effects:
// which rows go into which files, what the catalog is told. Unaware of Parquet, stores and the clock.

import { heldElementFile } from '../../core/msf/bodies/held-element.ts';
import { applyObservation } from '../../core/msf/streams/apply.ts';
import { dueAt } from '../../core/msf/streams/archive.ts';
import { frameRefusal, scopeOf } from '../../core/msf/streams/frame.ts';
import type { ScopeState } from '../../core/msf/streams/scope-state.ts';
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { MsfCommit, PublishedStream } from '../../core/ports/catalog/msf.ts';
import { believedTime } from '../../core/quotes/believed-times.ts';
import type { ObservationsRecord } from '../../schemas/events/observations.ts';
import { topics } from '../../schemas/events/topics.ts';
import { receiptFolds } from '../live/changes.ts';
import type { Projector } from '../worker/projector.ts';
import { bury } from '../worker/record-letters.ts';
import { type MsfChanges, noMsfChanges, noteEffects, streamChanges } from './changes.ts';
import { deadLettersOf } from './dead-letters.ts';
import { HeldScopes, type SavedScopes } from './held-scopes.ts';
import { mendStreams } from './mend-streams.ts';
import { PublishedStreams } from './published.ts';
import { noteReceipt } from './receipts.ts';
import { planStream, publicationOf, type StreamPlan } from './stream-plan.ts';

/** `caughtUp`: what is folded is to be flushed. */
export type MsfState = { partition: number; scopes: HeldScopes; published: PublishedStreams; caughtUp: boolean };

export type MsfPlan = { files: StreamPlan['files']; streams: readonly StreamPlan[]; changes: MsfChanges };

/** The part of a commit that the revision projector fills in. */
export type MsfFacts = Pick<MsfCommit, 'streams' | 'moves' | 'deadLetters' | 'receipts'>;

export const revisionsProjector: Projector<MsfState, MsfChanges, MsfPlan, MsfFacts, readonly PublishedStream[]> = {
  name: 'revisions',
  topic: topics.observations,
  noChanges: noMsfChanges,
  weight: ({ letterBytes }) => letterBytes,
  mends: true,
  // Of a season's games each is another scope, opened and packed again, in a millisecond or so; a play-by-play of a whole game is read, compared
  // and hashed, at some megabytes a second.
  atOnce: { records: 32, bytes: 192 * 1024 },

  start: (partition, saved) => ({
    partition,
    scopes: new HeldScopes(saved as SavedScopes | null),
    published: new PublishedStreams(),
    caughtUp: false,
  }),

  adopt(state, published, differs) {
    state.published = new PublishedStreams(published);
    state.caughtUp = true;
    if (differs) mendStreams(state.scopes, published);
    state.scopes.rest('resting');
  },

  attachment({ undecodable, value }) {
    const held = undecodable === null ? ((value as ObservationsRecord).observation?.held ?? null) : null;
    return held === null ? null : heldElementFile(held);
  },

  fold(state, changes, records) {
    for (const record of records) {
      foldRecord(state, changes, record);
      state.scopes.rest(state.caughtUp ? 'folding' : 'catchingUp');
    }
  },

  plan(state, changes) {
    const streams: StreamPlan[] = [];
    for (const [uuid, changed] of changes.scopes) {
      const scope = state.scopes.look(uuid);
      for (const [dataset, stream] of changed) {
        const current = scope?.streams.get(dataset);
        if (scope === null || current === undefined)
          throw new Error(`${dataset} of ${uuid} was changed and is not there`);
        streams.push(planStream(scope, current, stream, state.published.of({ scopeUuid: uuid, dataset })));
      }
    }
    return { files: streams.flatMap(({ files }) => files), streams, changes };
  },

  facts: (state, { streams, changes }, written) => ({
    streams: streams.map((plan) => publicationOf(plan, state.published.of(plan.facts), written)),
    moves: changes.moves,
    deadLetters: changes.deadLetters,
    receipts: receiptFolds(changes),
  }),

  committed(state, facts) {
    for (const stream of facts.streams) state.published.follow(stream);
    state.scopes.rest('resting');
  },

  save: (state) => state.scopes.save(),
  digest: (state) => state.scopes.digest(),
};

function foldRecord(state: MsfState, changes: MsfChanges, delivered: DeliveredRecord): void {
  const { partition, scopes } = state;
  const buryAll = (record: ObservationsRecord | null, refusals: Parameters<typeof deadLettersOf>[3]): void =>
    bury(changes, deadLettersOf(partition, delivered, record, refusals));
  if (delivered.undecodable !== null) {
    buryAll(null, [{ code: 'bad-record', pointer: '', detail: delivered.undecodable }]);
    return;
  }
  const record = delivered.value as ObservationsRecord;
  const refusal = frameRefusal(delivered.key, record, delivered.timestamp);
  if (refusal !== null) {
    buryAll(record, [refusal]);
    noteReceipt(changes, record, { outcome: { result: 'refused', refusals: [refusal] }, refusals: [], revisions: [] });
    return;
  }
  const known = scopes.touch(record.scope_uuid);
  if (known === null && record.tick !== null) return;
  const scope = known ?? scopes.begin(scopeOf(record)!);
  const at = { partition, offset: delivered.offset, timestamp: delivered.timestamp };
  const waiting = record.tick === null ? [] : dueStreams(scope, believedTime(record.tick.at, delivered.timestamp));
  const effects = applyObservation(scope, record, at, delivered.attached ?? null);
  if (known === null && isBlank(scope)) scopes.drop(record.scope_uuid);
  buryAll(record, effects.refusals);
  noteReceipt(changes, record, effects);
  noteEffects(changes, record.scope_uuid, effects, (dataset) => scope.streams.get(dataset)!.freshness);
  // What a tick was for is done, also where nothing else came of it: the stream waits for another time now.
  for (const dataset of waiting) streamChanges(changes, record.scope_uuid, dataset);
}

function dueStreams(scope: ScopeState, at: number) {
  return Array.from(scope.streams.values())
    .filter((stream) => (dueAt(stream, scope) ?? Number.POSITIVE_INFINITY) <= at)
    .map(({ dataset }) => dataset);
}

/** Nothing was applied in it: not to be remembered because somebody named it. */
function isBlank({ serial, streams, shadows }: ScopeState): boolean {
  return serial === 0 && streams.size === 0 && shadows.size === 0;
}
