// One partition of a projector, folded and flushed by hand with the parts that the runner uses: what a flush costs, apart from when it happens.
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { CommitAnswer, StreamKey } from '../../core/ports/catalog/live.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { PlannedFile } from '../../core/ports/parquet.ts';
import type { Drivers } from '../../ops/service/drivers.ts';
import { parquetWriter } from '../../platform/parquet/writer.ts';
import { livePartitionCatalog } from '../../projectors/live/live-partition-catalog.ts';
import { liveProjector } from '../../projectors/live/live-projector.ts';
import type { Fence } from '../../projectors/worker/partition-tools.ts';
import type { Projector } from '../../projectors/worker/projector.ts';
import { placeOf, type WriteTools, writeFiles } from '../../projectors/worker/write-files.ts';

type AnyPlan = { files: readonly PlannedFile[] };

/** Of a partition that begins: it is caught up at once. */
const nothingPublished: readonly never[] = [];

/** What a flush goes to. */
type Ends<Facts> = {
  objects: Pick<ObjectStore, 'put' | 'get'>;
  commit(fence: Fence, facts: Facts): Promise<CommitAnswer>;
  ownerEpoch: number;
};

/** A partition of the live projector on a catalog and an object store. */
export async function openLivePartition({ catalogs, objects }: Drivers) {
  const { claim, commit } = livePartitionCatalog(catalogs.live);
  const { ownerEpoch } = await claim(streamOf(liveProjector), 'bench');
  return new FlushedPartition(liveProjector, { objects, commit, ownerEpoch });
}

/** One that ends in nothing: only what this process does. */
export function partitionAlone<State, Changes, Plan extends AnyPlan, Facts>(
  projector: Projector<State, Changes, Plan, Facts, unknown>,
): FlushedPartition<State, Changes, Plan, Facts> {
  const objects = { put: async () => {}, get: async () => null };
  return new FlushedPartition(projector, { objects, commit: async () => 'committed', ownerEpoch: 1 });
}

function streamOf({ name, topic }: { name: string; topic: string }): StreamKey {
  return { projector: name, topic, partition: 0 };
}

export class FlushedPartition<State, Changes, Plan extends AnyPlan, Facts> {
  readonly #projector: Projector<State, Changes, Plan, Facts, never>;
  readonly #ends: Ends<Facts>;
  readonly state: State;
  readonly #files: WriteTools;
  #changes: Changes;
  #offset = 0;
  #committed = 0;

  constructor(projector: Projector<State, Changes, Plan, Facts, never>, ends: Ends<Facts>) {
    this.#projector = projector;
    this.#ends = ends;
    this.state = projector.start(0, null);
    projector.adopt(this.state, nothingPublished as never, false);
    this.#changes = projector.noChanges();
    this.#files = { objects: ends.objects, parquet: parquetWriter, tails: new Map(), pause: async () => {} };
  }

  fold(records: readonly DeliveredRecord[]): void {
    const placed = records.map((record, index) => ({ ...record, offset: this.#offset + index }));
    this.#projector.fold(this.state, this.#changes, placed);
    this.#offset += records.length;
  }

  /** Plan → files → commit; answers the milliseconds it took. */
  async flush(): Promise<number> {
    const startedAt = performance.now();
    const plan = this.#projector.plan(this.state, this.#changes);
    this.#changes = this.#projector.noChanges();
    const written = await writeFiles(this.#files, plan.files, 'flushes/bench', String(this.#offset).padStart(12, '0'));
    const facts = this.#projector.facts(this.state, plan, written.files);
    const fence = {
      stream: streamOf(this.#projector),
      ownerEpoch: this.#ends.ownerEpoch,
      from: this.#committed,
      to: this.#offset,
      foldDigest: this.#projector.digest(this.state),
      snapshot: null,
      objects: written.objects,
      released: [],
    };
    if ((await this.#ends.commit(fence, facts)) !== 'committed') throw new Error('fenced in a benchmark');
    const ms = performance.now() - startedAt;
    this.#committed = this.#offset;
    this.#projector.committed(this.state, facts);
    for (const file of plan.files) if (file.onto !== null) this.#files.tails.delete(placeOf(file.onto));
    for (const [place, bytes] of written.tails) this.#files.tails.set(place, bytes);
    return ms;
  }
}
