// From records of `sds.games.v1` to the teams, players and venues of the catalog. There is no state to fold: the newest record of a thing is
// what it is, so a flush hands over what came, in order.
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { DeadLetter } from '../../core/ports/catalog/dead-letters.ts';
import type { ReferenceCatalog, ReferenceEntry } from '../../core/ports/catalog/reference.ts';
import { isSourceName } from '../../core/quotes/name-forms.ts';
import { referenceDeadLetter } from '../../core/reference/dead-letter.ts';
import { recordRefusal } from '../../core/reference/judge.ts';
import type { ReferenceRefusal } from '../../core/reference/types.ts';
import type { Task } from '../../core/scheduling/task.ts';
import type { GamesRecord } from '../../schemas/events/games.ts';
import { topics } from '../../schemas/events/topics.ts';
import type { Flush, Projector, ProjectorKind, TakeOver } from '../worker/projector.ts';
import { receiptFolds, receiptOf, type WaitingReceipts } from '../worker/receipts.ts';

type Catalog = Pick<ReferenceCatalog, 'commit'>;

type ReferenceChanges = WaitingReceipts & { records: ReferenceEntry[]; deadLetters: DeadLetter[] };

/** The reference projector on a catalog. */
export function referenceProjector(catalog: Catalog): ProjectorKind {
  return {
    name: 'reference',
    topic: topics.games,
    open: (partition) => new ReferenceProjector(catalog, partition),
  };
}

class ReferenceProjector implements Projector {
  readonly #catalog: Catalog;
  readonly #partition: number;
  #changes = noChanges();
  readonly weight = 0;

  constructor(catalog: Catalog, partition: number) {
    this.#catalog = catalog;
    this.#partition = partition;
  }

  async readPublished(): Promise<TakeOver> {
    return () => {};
  }

  *refolding(): Task<void> {}

  *folding(records: readonly DeliveredRecord[]): Task<void> {
    for (const record of records) {
      foldRecord(this.#partition, this.#changes, record);
      yield;
    }
  }

  *planning(): Task<Flush> {
    const { records, deadLetters, receipts } = this.#changes;
    this.#changes = noChanges();
    const folds = receiptFolds({ receipts });
    yield;
    return {
      files: [],
      commit: (fence) => this.#catalog.commit({ ...fence, records, deadLetters, receipts: folds }),
      committed: () => [],
    };
  }

  *saving(): Task<null> {
    yield;
    return null;
  }

  digest(): string {
    return '';
  }
}

function noChanges(): ReferenceChanges {
  return { records: [], deadLetters: [], receipts: new Map() };
}

function foldRecord(partition: number, changes: ReferenceChanges, delivered: DeliveredRecord): void {
  const { offset, bytes, undecodable } = delivered;
  const record = undecodable === null ? (delivered.value as GamesRecord) : null;
  const refusal: ReferenceRefusal | null =
    record === null
      ? { code: 'bad-record', pointer: '', detail: undecodable ?? '' }
      : recordRefusal(delivered.key, record);
  if (refusal !== null) changes.deadLetters.push(referenceDeadLetter({ partition, offset }, record, bytes, refusal));
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
