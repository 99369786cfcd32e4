// One partition of the live projector, folded and flushed by hand with the parts that the runner uses: what a flush costs, apart from
// when it happens.
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { Drivers } from '../../ops/service/drivers.ts';
import { parquetWriter } from '../../platform/parquet/writer.ts';
import { livePartitionCatalog } from '../../projectors/live/live-partition-catalog.ts';
import { liveProjector } from '../../projectors/live/live-projector.ts';
import { placeOf, type WriteTools, writeFiles } from '../../projectors/write-files.ts';

const stream = { projector: liveProjector.name, topic: liveProjector.topic, partition: 0 };

type Commit = ReturnType<typeof livePartitionCatalog>['commit'];

export class FlushedPartition {
  readonly #state = liveProjector.start(0, null);
  readonly #files: WriteTools;
  readonly #commit: Commit;
  readonly #ownerEpoch: number;
  #changes = liveProjector.noChanges();
  #offset = 0;
  #committed = 0;

  private constructor(objects: Pick<ObjectStore, 'put' | 'get'>, commit: Commit, ownerEpoch: number) {
    this.#files = { objects, parquet: parquetWriter, tails: new Map(), pause: async () => {} };
    this.#commit = commit;
    this.#ownerEpoch = ownerEpoch;
  }

  /** On a catalog and an object store. */
  static async open({ catalogs, objects }: Drivers): Promise<FlushedPartition> {
    const catalog = livePartitionCatalog(catalogs.live);
    const { ownerEpoch } = await catalog.claim(stream, 'bench');
    return new FlushedPartition(objects, catalog.commit, ownerEpoch);
  }

  /** Without either: only what this process does. */
  static alone(): FlushedPartition {
    return new FlushedPartition({ put: async () => {}, get: async () => null }, async () => 'committed', 1);
  }

  get rows(): number {
    let rows = 0;
    for (const game of this.#state.games.values()) rows += game.rows;
    return rows;
  }

  fold(records: readonly DeliveredRecord[]): void {
    const placed = records.map((record, index) => ({ ...record, offset: this.#offset + index }));
    liveProjector.fold(this.#state, this.#changes, placed);
    this.#offset += records.length;
  }

  /** Plan → files → commit; answers the milliseconds it took. */
  async flush(): Promise<number> {
    const startedAt = performance.now();
    const plan = liveProjector.plan(this.#state, this.#changes);
    this.#changes = liveProjector.noChanges();
    const written = await writeFiles(this.#files, plan.files, 'flushes/bench', String(this.#offset).padStart(12, '0'));
    const facts = liveProjector.facts(this.#state, plan, written.files);
    const fence = {
      stream,
      ownerEpoch: this.#ownerEpoch,
      from: this.#committed,
      to: this.#offset,
      foldDigest: liveProjector.digest(this.#state),
      snapshot: null,
      objects: written.objects,
      released: [],
    };
    if ((await this.#commit(fence, facts)) !== 'committed') throw new Error('fenced in a benchmark');
    const ms = performance.now() - startedAt;
    this.#committed = this.#offset;
    liveProjector.committed(this.#state, facts);
    for (const file of plan.files) if (file.onto !== null) this.#files.tails.delete(placeOf(file.onto));
    for (const [place, bytes] of written.tails) this.#files.tails.set(place, bytes);
    return ms;
  }
}
