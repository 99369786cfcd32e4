// One partition in the hands of this process: claim → catch up → fold → flush, one batch after the other; the broker's offset is a hint.
// A failure after the claim has one of three outcomes: a retry, a fence, or a halt, which the catalog records for the administrator. Nothing is
// skipped, and no state survives a fence (I3, I18, I19).
import { type DeliveredBatch, type DeliveredRecord, Halted } from '../../core/ports/broker.ts';
import type { Claim, SavedState, StreamKey } from '../../core/ports/catalog/checkpoints.ts';
import { within } from '../../core/ports/tracer.ts';
import type { Millis } from '../../core/units.ts';
import { sizeOf, withAttachments } from './attachments.ts';
import { carryOut } from './carry-out.ts';
import { claimStream, openProjector, takeOver } from './catch-up.ts';
import { FlushPace } from './flush-pace.ts';
import { freshRecords } from './fresh-records.ts';
import { noteHalt } from './note-halt.ts';
import { PartitionFlushes } from './partition-flushes.ts';
import type { OwnTools, PartitionTools } from './partition-tools.ts';
import { patientStore } from './patience.ts';
import type { Projector, ProjectorKind } from './projector.ts';
import type { Opened } from './snapshots.ts';
import { startOver } from './start-over.ts';
import { openTimeSlices, type RunTask } from './time-slices.ts';
import { withPlaces } from './with-places.ts';

export class Partition {
  readonly #tools: OwnTools;
  readonly #stream: StreamKey;
  readonly #logVersion: string | null;
  readonly #claim: Claim;
  readonly #projector: Projector;
  /** Snapshots that could not be used. */
  readonly #unusable: readonly SavedState[];
  readonly #flushes: PartitionFlushes;
  readonly #pace: FlushPace;
  readonly #runTask: RunTask;
  #caughtUp = false;
  #folded: number;
  #turn: Promise<void> = Promise.resolve();
  #ended: Error | null = null;
  readonly #failed = Promise.withResolvers<Error>();

  private constructor(
    tools: OwnTools,
    kind: ProjectorKind,
    stream: StreamKey,
    claim: Claim,
    opened: Opened<Projector>,
  ) {
    this.#tools = tools;
    this.#logVersion = kind.logVersion ?? null;
    this.#stream = stream;
    this.#claim = claim;
    this.#projector = opened.state;
    this.#unusable = opened.unusable;
    this.#runTask = tools.runTask ?? openTimeSlices(tools.clock);
    this.#flushes = new PartitionFlushes({ ...tools, runTask: this.#runTask }, stream, claim, opened);
    this.#pace = new FlushPace(tools.clock, tools.flushEveryMs);
    this.#folded = opened.kept[0]?.offset ?? 0;
  }

  /**
   * Claims the partition, which fences the previous owner, and loads the newest intact snapshot. `givenUp` ends all work and waiting at once, with
   * the signal's reason: unfinished work is either committed or an orphan.
   */
  static async open(
    kind: ProjectorKind,
    given: PartitionTools,
    partition: number,
    givenUp: AbortSignal = new AbortController().signal,
  ): Promise<Partition> {
    const tools = { ...given, givenUp };
    const stream = { projector: kind.name, topic: kind.topic, partition };
    const claim = await claimStream(tools, stream);
    try {
      const opened = new Partition(tools, kind, stream, claim, await openProjector(tools, kind, stream, claim));
      await opened.#finishCatchUp();
      const { ownerEpoch: epoch, nextOffset: next } = claim;
      tools.log.info('partition claimed', { projector: kind.name, partition, epoch, from: opened.#folded, next });
      return opened;
    } catch (error) {
      if (error instanceof Halted) await noteHalt(tools, stream, claim, error);
      throw error;
    }
  }

  /** Resolves when the partition has failed, also in a flush that no caller waits for. Never when it was given up. */
  get failed(): Promise<Error> {
    return this.#failed.promise;
  }

  /** The offset to read from: before the checkpoint, if records must be folded again. */
  get readFrom(): number {
    return this.#folded;
  }

  /** Next offset that is not yet committed. */
  get committed(): number {
    return this.#flushes.committed;
  }

  /** Folds a batch and flushes when that is due. Rejects with Fenced or Halted, and then for ever. */
  handle(batch: DeliveredBatch): Promise<void> {
    return this.#inTurn(async () => {
      const records = await withPlaces(this.#tools, this.#stream, freshRecords(batch, this.#folded));
      await this.#foldAll(records);
      const left = batch.highWatermark - this.#folded;
      const wait = this.#pace.pauseMs(left, this.#projector.weight);
      // Not awaited: what arrives during the pause is folded meanwhile, and goes into the same flush.
      if (wait > 0) return this.#flushLater(wait);
      await this.#flush();
    });
  }

  /** Flushes what is folded and, so that the next owner has little to fold again, writes a snapshot. */
  close(): Promise<void> {
    return this.#inTurn(() => this.#flush(true));
  }

  /** Ends the partition as one that cannot continue without the administrator. */
  async halt(reason: Halted): Promise<void> {
    await this.#inTurn(() => Promise.reject(reason)).catch(() => {});
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(async () => {
      this.#tools.givenUp.throwIfAborted();
      if (this.#ended !== null) throw this.#ended;
      try {
        await work();
      } catch (error) {
        this.#tools.givenUp.throwIfAborted();
        this.#ended = error instanceof Error ? error : new Error(String(error));
        this.#flushes.failed(error);
        if (error instanceof Halted) await noteHalt(this.#tools, this.#stream, this.#claim, this.#withSnapshots(error));
        this.#failed.resolve(this.#ended);
        throw error;
      }
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Flushes what is folded now, unless another flush includes it first. */
  #flushLater(ms: Millis): void {
    const folded = this.#folded;
    void this.#tools.clock
      .sleep(ms, this.#tools.givenUp)
      .then(() => this.#inTurn(async () => (this.committed < folded ? await this.#flush() : undefined)))
      .catch(() => {});
  }

  async #foldAll(records: readonly DeliveredRecord[]): Promise<void> {
    if (records.length === 0) return;
    const again = this.#caughtUp ? 0 : records.findIndex((record) => record.offset >= this.#claim.nextOffset);
    const committed = again < 0 ? records.length : again;
    if (committed > 0) await this.#fold(records.slice(0, committed), false);
    // What stood just below the checkpoint may have been compacted away since.
    if (committed < records.length) this.#folded = Math.max(this.#folded, this.#claim.nextOffset);
    await this.#finishCatchUp();
    if (committed === records.length) return;
    await this.#fold(committed === 0 ? records : records.slice(committed), true);
    this.#tools.crash('projector:folded');
  }

  /**
   * `fresh`: not committed yet. Flushes early if much was folded: the objects that records refer to may be many times larger than the
   * records.
   */
  async #fold(records: readonly DeliveredRecord[], fresh: boolean): Promise<void> {
    const projector = this.#projector;
    const orders = (record: DeliveredRecord) => projector.ordersRebuild?.(record) ?? false;
    const order = records.findIndex(orders);
    if (order >= 0 && order < records.length - 1) {
      await this.#fold(records.slice(0, order + 1), fresh);
      return this.#fold(records.slice(order + 1), fresh);
    }
    const objects = patientStore(this.#tools, this.#tools.objects);
    const attachment = (record: DeliveredRecord) => projector.attachment?.(record) ?? null;
    for await (const run of withAttachments(objects, attachment, records)) {
      if (fresh && this.#pace.isLarge(projector.weight)) await this.#flush();
      if (fresh) await within(this.#flushes.folding(run), () => this.#runTask(projector.folding(run)));
      else await this.#runTask(projector.refolding(run));
      this.#folded = (run.at(-1)?.offset ?? this.#folded) + 1;
      const bytes = run.reduce((sum, each) => sum + sizeOf(each), 0);
      if (fresh) this.#pace.folded(run);
      this.#flushes.folded(bytes, fresh ? run : []);
    }
    const last = records.at(-1);
    if (order >= 0 && last !== undefined) await this.#rebuild(last, fresh);
  }

  /**
   * Lets the projector carry out the order that it folded last. A flush with a snapshot follows, so that no later owner repeats it, or carries out
   * what this one could not: that depends on what the log and the archive still have at the moment.
   */
  async #rebuild(order: DeliveredRecord, fresh: boolean): Promise<void> {
    const [tools, flushes, { partition }] = [this.#tools, this.#flushes, this.#stream];
    const done = await carryOut(tools, this.#runTask, this.#projector, this.#stream, order, fresh ? flushes : null);
    if (!fresh) return;
    await this.#pace.flushing((began) => flushes.flush(this.#folded, began, true));
    if (done) tools.log.info('log rebuilt', { partition, game: order.key });
  }

  async #finishCatchUp(): Promise<void> {
    if (this.#caughtUp || this.#folded < this.#claim.nextOffset) return;
    const [tools, version] = [this.#tools, this.#logVersion];
    const sameVersion = version === null || version === this.#claim.logVersion;
    const beside = { sameVersion, fellBack: this.#unusable.length > 0 };
    const found = await takeOver(tools, this.#stream, this.#claim, this.#projector, beside);
    if (version !== null && found !== 'differs')
      await startOver(tools, this.#projector, this.#flushes, this.#pace, this.#folded, version);
    if (this.#flushes.owesSnapshot)
      await this.#pace.flushing((began) => this.#flushes.flush(this.#folded, began, true));
    this.#caughtUp = true;
  }

  /** What is missing of the log while it is folded in the place of a snapshot is mended by that snapshot too. */
  #withSnapshots(halted: Halted): Halted {
    const { message, remedy, cause } = halted;
    if (this.#caughtUp || this.#unusable.length === 0) return halted;
    const keys = this.#unusable.map(({ key }) => key).join(' or ');
    return new Halted(message, `bring back ${keys} as it was; or ${remedy}`, { cause });
  }

  async #flush(closing = false): Promise<void> {
    if (!this.#caughtUp) return;
    const withSnapshot = this.#flushes.needsSnapshot(this.#folded, closing);
    if (this.#folded === this.committed && !withSnapshot) return;
    await this.#pace.flushing((began) => this.#flushes.flush(this.#folded, began, withSnapshot));
  }
}
