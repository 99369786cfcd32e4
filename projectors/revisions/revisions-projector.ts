// From records of `sds.observations.v1` to revisions and archives: what a flush makes of the streams that records have changed — which rows go
// into which files, what the commit tells the catalog. Independent of Parquet, stores and the clock.
import { heldElementObject } from '../../core/msf/bodies/held-element.ts';
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { MsfCatalog, StreamPublication } from '../../core/ports/catalog/msf.ts';
import type { Attachment } from '../../core/ports/object-store.ts';
import type { WrittenFile } from '../../core/ports/parquet.ts';
import type { Task } from '../../core/scheduling/task.ts';
import type { ObservationsRecord } from '../../schemas/events/observations.ts';
import { topics } from '../../schemas/events/topics.ts';
import type { Flush, Found, Projector, ProjectorKind, TakeOver } from '../worker/projector.ts';
import { receiptFolds } from '../worker/receipts.ts';
import { type MsfChanges, noMsfChanges } from './changes.ts';
import { foldRecord } from './fold-record.ts';
import { HeldScopes, type SavedScopes } from './held-scopes.ts';
import { mendStreams } from './mend-streams.ts';
import { PublishedStreams } from './published.ts';
import { planStream, publicationOf, type StreamPlan } from './stream-plan.ts';

/** What the projector asks of the catalog. */
export type RevisionsCatalog = Pick<MsfCatalog, 'publishedIn' | 'commit'>;

/** The revision projector on a catalog. */
export function revisionsProjector(catalog: RevisionsCatalog): ProjectorKind {
  return {
    name: 'revisions',
    topic: topics.observations,
    open: (partition, saved) => new RevisionsProjector(catalog, partition, new HeldScopes(saved as SavedScopes | null)),
  };
}

export class RevisionsProjector implements Projector {
  readonly #catalog: RevisionsCatalog;
  readonly #partition: number;
  readonly #scopes: HeldScopes;
  #published = new PublishedStreams();
  #changes = noMsfChanges();
  /** What is folded is to be flushed. */
  #caughtUp = false;
  readonly mends = true;

  constructor(catalog: RevisionsCatalog, partition: number, scopes: HeldScopes) {
    this.#catalog = catalog;
    this.#partition = partition;
    this.#scopes = scopes;
  }

  async readPublished(found: Found): Promise<TakeOver> {
    const published = await this.#catalog.publishedIn(this.#partition);
    return () => {
      this.#published = new PublishedStreams(published);
      this.#caughtUp = true;
      if (found === 'differs' || found === 'older-state') mendStreams(this.#scopes, published);
      this.#scopes.packExcess('betweenFlushes');
    };
  }

  attachment({ undecodable, value }: DeliveredRecord): Attachment | null {
    const held = undecodable === null ? ((value as ObservationsRecord).observation?.held ?? null) : null;
    return held === null ? null : heldElementObject(held);
  }

  refolding(records: readonly DeliveredRecord[]): Task<void> {
    return this.#foldInto(noMsfChanges(), records);
  }

  folding(records: readonly DeliveredRecord[]): Task<void> {
    return this.#foldInto(this.#changes, records);
  }

  get weight(): number {
    return this.#changes.deadLetterBytes;
  }

  *planning(): Task<Flush> {
    const changes = this.#changes;
    this.#changes = noMsfChanges();
    const plans = yield* this.#planningStreams(changes);
    let streams: readonly StreamPublication[] | null = null;
    const publish = (written: ReadonlyMap<string, WrittenFile>): readonly StreamPublication[] =>
      plans.map((plan) => publicationOf(plan, this.#published.of(plan.facts), written));
    return {
      files: plans.flatMap(({ files }) => files),
      commit: (fence, written) => {
        streams ??= publish(written);
        const { moves, deadLetters } = changes;
        const lineups = [...changes.lineups.values()];
        const receipts = receiptFolds(changes);
        return this.#catalog.commit({ ...fence, streams, moves, lineups, deadLetters, receipts });
      },
      committed: () => {
        for (const stream of streams ?? []) this.#published.follow(stream);
        this.#scopes.packExcess('betweenFlushes');
        return [];
      },
    };
  }

  saving(): Task<SavedScopes> {
    return this.#scopes.saving();
  }

  digest(): string {
    return this.#scopes.digest();
  }

  *#foldInto(changes: MsfChanges, records: readonly DeliveredRecord[]): Task<void> {
    const scopes = this.#scopes;
    for (const record of records) {
      foldRecord({ partition: this.#partition, scopes }, changes, record);
      scopes.packExcess(this.#caughtUp ? 'folding' : 'catchingUp');
      yield;
    }
  }

  *#planningStreams({ scopes }: MsfChanges): Task<StreamPlan[]> {
    const plans: StreamPlan[] = [];
    for (const [uuid, changed] of scopes) {
      const scope = this.#scopes.look(uuid);
      for (const [dataset, stream] of changed) {
        const current = scope?.streams.get(dataset);
        if (scope === null || current === undefined)
          throw new Error(`${dataset} of ${uuid} was changed and is not there`);
        plans.push(planStream(scope, current, stream, this.#published.of({ scopeUuid: uuid, dataset })));
        yield;
      }
    }
    return plans;
  }
}
