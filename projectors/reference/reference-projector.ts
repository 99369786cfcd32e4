// From records of `sds.games.v1` to the teams, players and venues of the catalog. There is no state to fold: the newest record of a thing is
// what it is, so a flush hands over what came, in order.
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { DeadLetter } from '../../core/ports/catalog/live.ts';
import type { ReferenceCommit, ReferenceEntry } from '../../core/ports/catalog/reference.ts';
import { isSourceName } from '../../core/quotes/names.ts';
import { referenceLetter } from '../../core/reference/dead-letter.ts';
import { recordRefusal } from '../../core/reference/judge.ts';
import type { ReferenceRefusal } from '../../core/reference/types.ts';
import type { GamesRecord } from '../../schemas/events/games.ts';
import { topics } from '../../schemas/events/topics.ts';
import { type ReceiptChanges, receiptFolds, receiptOf } from '../live/changes.ts';
import type { Projector } from '../worker/projector.ts';

export type ReferenceState = { partition: number };

export type ReferenceChanges = {
  records: ReferenceEntry[];
  deadLetters: DeadLetter[];
  receipts: Map<string, ReceiptChanges>;
};

export type ReferencePlan = { files: readonly []; changes: ReferenceChanges };

/** The part of a commit that this projector fills in. */
export type ReferenceFacts = Pick<ReferenceCommit, 'records' | 'deadLetters' | 'receipts'>;

export const referenceProjector: Projector<ReferenceState, ReferenceChanges, ReferencePlan, ReferenceFacts, null> = {
  name: 'reference',
  topic: topics.games,
  start: (partition) => ({ partition }),
  adopt() {},
  noChanges: () => ({ records: [], deadLetters: [], receipts: new Map() }),
  fold(state, changes, records) {
    for (const record of records) foldRecord(state, changes, record);
  },
  plan: (_state, changes) => ({ files: [], changes }),
  facts: (_state, { changes }) => ({
    records: changes.records,
    deadLetters: changes.deadLetters,
    receipts: receiptFolds(changes),
  }),
  committed() {},
  save: () => null,
  digest: () => '',
};

function foldRecord({ partition }: ReferenceState, changes: ReferenceChanges, delivered: DeliveredRecord): void {
  const { offset, bytes, undecodable } = delivered;
  const record = undecodable === null ? (delivered.value as GamesRecord) : null;
  const refusal: ReferenceRefusal | null =
    record === null
      ? { code: 'bad-record', pointer: '', detail: undecodable ?? '' }
      : recordRefusal(delivered.key, record);
  if (refusal !== null) changes.deadLetters.push(referenceLetter({ partition, offset }, record, bytes, refusal));
  else if (record !== null) changes.records.push({ offset, record });
  if (record !== null) noteReceipt(changes, record, refusal);
}

function noteReceipt(changes: ReferenceChanges, record: GamesRecord, refusal: ReferenceRefusal | null): void {
  const { push, push_index: index, source } = record;
  if (push === null || index === null || index < 0 || !isSourceName(source)) return;
  const fold = receiptOf(changes, push, source);
  if (refusal === null) {
    fold.applied.push(index);
    return;
  }
  fold.refused.push(index);
  const { pointer, code } = refusal;
  const place = { index, state: 'refused', game_id: null, seq: null, rows: null } as const;
  fold.records.push({ ...place, refusals: [{ pointer, code }] });
}
