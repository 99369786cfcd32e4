// One record of `sds.observations.v1` into the scopes of a partition: the rules are in core/msf; here is what of their effects a flush has to
// publish, and what the record itself has become.
import { applyObservation } from '../../core/msf/streams/apply.ts';
import { dueAt } from '../../core/msf/streams/archive.ts';
import { frameRefusal, scopeOf } from '../../core/msf/streams/frame.ts';
import type { ScopeState } from '../../core/msf/streams/scope-state.ts';
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import { believedTime } from '../../core/quotes/believed-times.ts';
import type { ObservationsRecord } from '../../schemas/events/observations.ts';
import { misplacement } from '../worker/misplacement.ts';
import { queueDeadLetters } from '../worker/record-dead-letters.ts';
import { type MsfChanges, noteEffects, streamChanges } from './changes.ts';
import { deadLettersOf } from './dead-letters.ts';
import type { HeldScopes } from './held-scopes.ts';
import { noteReceipt } from './receipts.ts';

/** The scopes of a partition. */
type MsfScopes = { readonly partition: number; readonly scopes: HeldScopes };

/** Folds a record, and notes in `changes` what a flush has to publish of it. */
export function foldRecord({ partition, scopes }: MsfScopes, changes: MsfChanges, delivered: DeliveredRecord): void {
  const queueAll = (record: ObservationsRecord | null, refusals: Parameters<typeof deadLettersOf>[3]): void =>
    queueDeadLetters(changes, deadLettersOf(partition, delivered, record, refusals));
  if (delivered.undecodable !== null) {
    queueAll(null, [{ code: 'bad-record', pointer: '', detail: delivered.undecodable }]);
    return;
  }
  const record = delivered.value as ObservationsRecord;
  const refusal = frameRefusal(delivered.key, record, delivered.timestamp) ?? misplacement(delivered);
  if (refusal !== null) {
    queueAll(record, [refusal]);
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
  queueAll(record, effects.refusals);
  noteReceipt(changes, record, effects);
  noteEffects(changes, record.scope_uuid, effects, (dataset) => scope.streams.get(dataset)!.freshness);
  // The tick has served its purpose even if it changed nothing: the stream now waits for another time.
  for (const dataset of waiting) streamChanges(changes, record.scope_uuid, dataset);
}

function dueStreams(scope: ScopeState, at: number) {
  return Array.from(scope.streams.values())
    .filter((stream) => (dueAt(stream, scope) ?? Number.POSITIVE_INFINITY) <= at)
    .map(({ dataset }) => dataset);
}

/** Whether no record was applied to the scope: then it is not remembered. */
function isBlank({ serial, streams, shadows, status }: ScopeState): boolean {
  return serial === 0 && streams.size === 0 && shadows.size === 0 && status === null;
}
