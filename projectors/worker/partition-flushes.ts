// The flushes of a partition, in the durability order: objects are put, then one catalog transaction moves pointers, refusals and the checkpoint,
// guarded by the owner epoch. Now and then a flush also puts a snapshot of the state, so that the next owner has little to fold again.
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { Claim, Fence, SavedState, Snapshot, StreamKey } from '../../core/ports/catalog/checkpoints.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { noMeter } from '../../core/ports/meter.ts';
import type { FileRef } from '../../core/ports/object-store.ts';
import type { PlannedFile, WrittenFile } from '../../core/ports/parquet.ts';
import { nameOfFailure, noTracer, type Span, within } from '../../core/ports/tracer.ts';
import { type Micros, microsPerSecond } from '../../core/units.ts';
import { AheadFiles } from './ahead-files.ts';
import { commitFlush } from './commit-flush.ts';
import { FlushMeasures } from './flush-measures.ts';
import { type FlushSpan, FlushSpans } from './flush-spans.ts';
import type { OwnTools } from './partition-tools.ts';
import { patientStore } from './patience.ts';
import type { Projector } from './projector.ts';
import { type Opened, putSnapshot } from './snapshots.ts';
import { placeOf, type WriteTools, writeFiles } from './write-files.ts';

/** How many older snapshots are kept, in case the newest is damaged. The log keeps the records after the oldest of them. */
const olderSnapshots = 2;
/** A producer that writes records of an unknown schema all the time must not make each flush write the whole state. */
const forcedApart: Micros = 5 * microsPerSecond;

export class PartitionFlushes {
  readonly #tools: OwnTools;
  readonly #stream: StreamKey;
  readonly #ownerEpoch: number;
  readonly #projector: Projector;
  readonly #files: WriteTools;
  readonly #measures: FlushMeasures;
  readonly #spans: FlushSpans;
  #committed: number;
  /** The snapshots that are kept, newest first. */
  #kept: readonly SavedState[];
  /** Unusable snapshots: the next one replaces them. */
  #unusable: readonly SavedState[];
  #snapshotAt: Micros;
  /** Bytes of records that were folded since the last snapshot, or must be folded again. */
  #bytesSinceSnapshot = 0;
  /** Whether a record became a dead letter that decodes once its schema is known: folded again, it would be another. */
  #mayFoldOtherwise = false;
  /** When the last snapshot for such a record was written. */
  #forcedAt: Micros = Number.NEGATIVE_INFINITY;
  /** Version of the published logs, once it is known to be this release's. */
  #logVersion: string | null = null;
  /** Files written ahead of the next flush. */
  readonly #ahead = new AheadFiles();

  constructor(
    tools: OwnTools & Required<Pick<OwnTools, 'runTask'>>,
    stream: StreamKey,
    claim: Claim,
    { state: projector, kept, unusable }: Opened<Projector>,
  ) {
    this.#tools = tools;
    this.#stream = stream;
    this.#ownerEpoch = claim.ownerEpoch;
    this.#projector = projector;
    this.#files = {
      objects: patientStore(tools, tools.objects),
      parquet: tools.parquet,
      tails: new Map(),
      runTask: tools.runTask,
    };
    this.#measures = new FlushMeasures(stream.projector, tools.meter ?? noMeter);
    this.#spans = new FlushSpans(tools.tracer ?? noTracer, stream);
    this.#committed = claim.nextOffset;
    this.#kept = kept;
    this.#unusable = unusable;
    this.#snapshotAt = tools.clock.now();
  }

  /** Next offset that is not yet committed. */
  get committed(): number {
    return this.#committed;
  }

  /** The span in which these records, which are not committed yet, are folded. */
  folding(fresh: readonly DeliveredRecord[]): Span {
    return this.#spans.folding(fresh);
  }

  /** What was folded is not flushed, because of this error. */
  failed(error: unknown): void {
    this.#spans.flushing().end(nameOfFailure(error));
  }

  /** So many bytes of records and their objects were folded. `fresh`: those records, where they are not committed yet. */
  folded(bytes: number, fresh: readonly DeliveredRecord[]): void {
    this.#bytesSinceSnapshot += bytes;
    this.#mayFoldOtherwise ||= fresh.some(({ mayDecodeLater = false }) => mayDecodeLater);
    this.#measures.folded(fresh);
  }

  /** From the next flush on, everything published has this version. */
  publishes(logVersion: string | null): void {
    this.#logVersion = logVersion;
  }

  /** Writes files that the next flush will publish. */
  async writeAhead(files: readonly PlannedFile[], to: number): Promise<ReadonlyMap<string, WrittenFile>> {
    const began = this.#tools.clock.now();
    const written = await writeFiles(this.#files, files, this.#folder('flushes'), this.#attempt(to));
    this.#ahead.add(written.objects, began);
    return written.files;
  }

  /** Whether files written ahead wait so long for the next flush that they must be put again. */
  mustRenew(): boolean {
    return this.#ahead.areOld(this.#tools.clock.now());
  }

  /** Puts those of `files` again that must be, and answers where all of them are now. @throws Fenced */
  renew(files: readonly FileRef[]): Promise<readonly FileRef[]> {
    return this.#ahead.renew({ objects: this.#files.objects, clock: this.#tools.clock }, files);
  }

  /** Forgets the files written ahead. No commit will name them, so the collector deletes them. */
  forgetAhead(): void {
    this.#ahead.forget();
  }

  /** Flushes what is folded up to the offset `to`. `began`: now. @throws Fenced, Halted */
  async flush(to: number, began: Micros, withSnapshot: boolean): Promise<void> {
    const span = this.#spans.flushing();
    try {
      await this.#flush(to, began, withSnapshot, span);
      span.end();
    } catch (error) {
      span.end(nameOfFailure(error));
      throw error;
    }
  }

  async #flush(to: number, began: Micros, withSnapshot: boolean, span: FlushSpan): Promise<void> {
    const { crash, clock } = this.#tools;
    const startedAt = elapsed(clock);
    const attempt = this.#attempt(to);
    const firstBegan = this.#ahead.began(began);
    const flush = await this.#files.runTask(this.#projector.planning());
    crash('projector:before-put');
    const written = await within(span.child('write files', 'client'), () =>
      writeFiles(this.#files, flush.files, this.#folder('flushes'), attempt),
    );
    crash('projector:after-put');
    const snapshot = withSnapshot ? await this.#putSnapshot(attempt) : null;
    const objects = [...this.#ahead.objects, ...written.objects];
    const [kept, dropped] = this.#keptWith(snapshot === null ? null : { key: snapshot.key, offset: to });
    const committing = span.child('commit', 'client');
    const fence: Fence = {
      stream: this.#stream,
      ownerEpoch: this.#ownerEpoch,
      from: this.#committed,
      to,
      foldDigest: this.#projector.digest(),
      snapshot: kept,
      objects: snapshot === null ? objects : [...objects, snapshot],
      released: dropped.map(({ key }) => ({ key, files: 1 })),
      logVersion: this.#logVersion,
      traces: span.tracesOf(committing),
    };
    crash('projector:before-commit');
    await within(committing, () =>
      commitFlush(this.#tools, fence, () => flush.commit(fence, written.files), firstBegan),
    );
    crash('projector:after-commit');
    const bytes = fence.objects.reduce((sum, { size }) => sum + size, 0);
    this.#measures.flushed((elapsed(clock) - startedAt) / microsPerSecond, bytes, clock.now());
    this.#ahead.forget();
    this.#committed = to;
    if (kept !== null) [this.#kept, this.#unusable] = [[kept, ...kept.older], []];
    const left = flush.committed();
    for (const [place, bytes] of written.tails) this.#files.tails.set(place, bytes);
    for (const file of left) this.#files.tails.delete(placeOf(file));
  }

  /** Whether the newest snapshot is unusable, so that a new one must be written at once. */
  get owesSnapshot(): boolean {
    return this.#unusable.length > 0;
  }

  /** Whether a flush up to the offset `to` should write a snapshot. `closing`: the partition ends, and its whole state should be saved. */
  needsSnapshot(to: number, closing: boolean): boolean {
    const newest = this.#kept[0]?.offset;
    const since = to - (newest ?? 0);
    if (closing) return newest !== to;
    if (since === 0) return false;
    const now = this.#tools.clock.now();
    if (this.#mayFoldOtherwise && now - this.#forcedAt >= forcedApart) return true;
    const { records, ms, bytes = Number.POSITIVE_INFINITY } = this.#tools.snapshotEvery;
    if (this.#bytesSinceSnapshot >= bytes) return true;
    return since >= records || now - this.#snapshotAt >= ms * 1_000;
  }

  /** Which snapshots are kept beside a new one, and which are dropped. */
  #keptWith(made: SavedState | null): [Snapshot | null, readonly SavedState[]] {
    if (made === null) return [null, []];
    const older = this.#kept.slice(0, olderSnapshots);
    return [{ ...made, older }, [...this.#kept.slice(olderSnapshots), ...this.#unusable]];
  }

  async #putSnapshot(attempt: string): Promise<{ key: string; size: number; files: number }> {
    const prefix = `${this.#folder('states')}/${attempt}`;
    const put = await putSnapshot(this.#files, prefix, this.#projector.saving());
    this.#tools.crash('projector:snapshot-put');
    this.#snapshotAt = this.#tools.clock.now();
    this.#bytesSinceSnapshot = 0;
    if (this.#mayFoldOtherwise) this.#forcedAt = this.#snapshotAt;
    this.#mayFoldOtherwise = false;
    return put;
  }

  /** Part of every key: unique among owners, and among offsets of one. */
  #attempt(to: number): string {
    return `${String(to).padStart(12, '0')}-e${this.#ownerEpoch}`;
  }

  #folder(kind: string): string {
    return `${kind}/${this.#stream.projector}/p${this.#stream.partition}`;
  }
}

function elapsed(clock: Clock): Micros {
  return clock.elapsed?.() ?? clock.now();
}
