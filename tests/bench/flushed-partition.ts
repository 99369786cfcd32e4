// One partition of a projector with the parts its runner uses, folded and flushed by hand: a flush is timed apart from
// the schedule of flushes.
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import { runToEnd } from '../../core/scheduling/task.ts';
import type { Drivers } from '../../ops/service/drivers.ts';
import { parquetWriter } from '../../platform/parquet/writer.ts';
import { liveProjector } from '../../projectors/live/live-projector.ts';
import type { Projector } from '../../projectors/worker/projector.ts';
import { placeOf, type WriteTools, writeFiles } from '../../projectors/worker/write-files.ts';

const noStore = { put: async () => {}, get: async () => null };

/** A catalog that keeps nothing and accepts every commit. */
export const noCatalog = {
  publishedIn: async () => [],
  knownSince: async () => null,
  closedIn: async () => [],
  servedLog: async () => null,
  commit: async () => 'committed' as const,
};

/** A partition of the live projector on a catalog and an object store. */
export async function openLivePartition({ catalogs, objects }: Drivers, partition = 0): Promise<FlushedPartition> {
  const { name, topic, open } = liveProjector(catalogs.live);
  const stream = { projector: name, topic, partition };
  const { ownerEpoch } = await catalogs.checkpoints.claim(stream, 'bench');
  return FlushedPartition.begin(open(partition, null), objects, { stream, ownerEpoch });
}

/** A partition without catalog and store: only the work of this process is measured. */
export function partitionAlone(projector: Projector): Promise<FlushedPartition> {
  const stream = { projector: 'alone', topic: 'none', partition: 0 };
  return FlushedPartition.begin(projector, noStore, { stream, ownerEpoch: 1 });
}

type Owner = { stream: { projector: string; topic: string; partition: number }; ownerEpoch: number };

export class FlushedPartition {
  readonly #projector: Projector;
  readonly #owner: Owner;
  readonly #files: WriteTools;
  #offset = 0;
  #committed = 0;

  private constructor(projector: Projector, objects: Pick<ObjectStore, 'put' | 'get'>, owner: Owner) {
    this.#projector = projector;
    this.#owner = owner;
    this.#files = { objects, parquet: parquetWriter, tails: new Map(), runTask: async (steps) => runToEnd(steps) };
  }

  /** A new partition counts as caught up at once. */
  static async begin(
    projector: Projector,
    objects: Pick<ObjectStore, 'put' | 'get'>,
    owner: Owner,
  ): Promise<FlushedPartition> {
    (await projector.readPublished('same'))();
    return new FlushedPartition(projector, objects, owner);
  }

  fold(records: readonly DeliveredRecord[]): void {
    const placed = records.map((record, index) => ({ ...record, offset: this.#offset + index }));
    runToEnd(this.#projector.folding(placed));
    this.#offset += records.length;
  }

  /** Writes the files and commits; answers the milliseconds it took. */
  async flush(): Promise<number> {
    const startedAt = performance.now();
    const flush = runToEnd(this.#projector.planning());
    const written = await writeFiles(this.#files, flush.files, 'flushes/bench', String(this.#offset).padStart(12, '0'));
    const fence = {
      ...this.#owner,
      from: this.#committed,
      to: this.#offset,
      foldDigest: this.#projector.digest(),
      snapshot: null,
      logVersion: null,
      objects: written.objects,
      released: [],
    };
    if ((await flush.commit(fence, written.files)) !== 'committed')
      throw new Error('the catalog fenced the partition of the benchmark');
    const ms = performance.now() - startedAt;
    this.#committed = this.#offset;
    flush.committed();
    for (const file of flush.files) if (file.onto !== null) this.#files.tails.delete(placeOf(file.onto));
    for (const [place, bytes] of written.tails) this.#files.tails.set(place, bytes);
    return ms;
  }
}
