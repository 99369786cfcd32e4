// One partition in the hands of this process: claim → catch up → fold → flush. It owns the durability order: objects are put, then one
// catalog transaction moves pointers, refusals and the checkpoint, guarded by the owner epoch; the broker's offset is a hint.
// Whatever goes wrong after a claim ends in one of three ways: it is tried again, the partition is fenced, or it is halted — which is
// noted in the catalog, for a person —; nothing is skipped and no state survives a fence (I3, I18, I19).
import { type DeliveredBatch, type DeliveredRecord, Halted } from '../../core/ports/broker.ts';
import type { Claim, StreamKey } from '../../core/ports/catalog/live.ts';
import type { PlannedFile } from '../../core/ports/parquet.ts';
import type { Micros, Millis } from '../../core/units.ts';
import { withAttachments } from './attachments.ts';
import { commitFlush } from './commit-flush.ts';
import { type FoldTurns, openFoldTurns } from './fold-turns.ts';
import { freshRecords } from './fresh-records.ts';
import { noteHalt } from './note-halt.ts';
import { type Fence, Fenced, type PartitionTools } from './partition-tools.ts';
import { type Patience, patientStore, untilCatalogAnswers } from './patience.ts';
import type { Projector } from './projector.ts';
import { loadSnapshot, putSnapshot } from './snapshots.ts';
import { placeOf, type WriteTools, writeFiles } from './write-files.ts';

type OwnTools<Facts, Published> = PartitionTools<Facts, Published> & Required<Patience>;

/**
 * A flush writes the tails and boards of its games anew, so it costs little more for many records than for few. While so many records are
 * left to read, all of it is late anyway: then a flush waits for so many bytes of records, or so many times the usual pause.
 */
const backlog = { records: 1_000, bytes: 4 * 1024 * 1024, pauses: 20 };

export class Partition<State, Changes, Plan extends { files: readonly PlannedFile[] }, Facts, Published> {
  readonly #projector: Projector<State, Changes, Plan, Facts, Published>;
  readonly #tools: OwnTools<Facts, Published>;
  readonly #stream: StreamKey;
  readonly #claim: Claim;
  readonly #state: State;
  readonly #files: WriteTools;
  readonly #turns: FoldTurns;
  #changes: Changes;
  #caughtUp = false;
  #folded: number;
  #committed: number;
  #snapshot: { key: string; offset: number } | null;
  #snapshotAt: Micros;
  #flushedAt: Micros = 0;
  /** Of the records folded since the last flush. */
  #foldedBytes = 0;
  /** Of those folded since the last snapshot, or that have to be folded again. */
  #bytesSinceSnapshot = 0;
  #turn: Promise<void> = Promise.resolve();
  #ended: Error | null = null;
  readonly #failed = Promise.withResolvers<Error>();

  private constructor(
    projector: Projector<State, Changes, Plan, Facts, Published>,
    tools: OwnTools<Facts, Published>,
    stream: StreamKey,
    claim: Claim,
    state: State,
  ) {
    this.#projector = projector;
    this.#tools = tools;
    this.#stream = stream;
    this.#claim = claim;
    this.#state = state;
    this.#changes = projector.noChanges();
    this.#turns = tools.turns ?? openFoldTurns(tools.clock);
    this.#files = {
      objects: patientStore(tools, tools.objects),
      parquet: tools.parquet,
      tails: new Map(),
      pause: () => tools.clock.sleep(0),
    };
    this.#snapshot = claim.snapshot;
    this.#folded = claim.snapshot?.offset ?? 0;
    this.#committed = claim.nextOffset;
    this.#snapshotAt = tools.clock.now();
  }

  /**
   * Claims the partition, which fences whoever held it, and loads the newest snapshot. `givenUp` ends whatever it does, or waits for, at
   * once, with the signal's reason: what was under way is either committed or an orphan.
   */
  static async open<State, Changes, Plan extends { files: readonly PlannedFile[] }, Facts, Published>(
    projector: Projector<State, Changes, Plan, Facts, Published>,
    given: PartitionTools<Facts, Published>,
    partition: number,
    givenUp: AbortSignal = new AbortController().signal,
  ): Promise<Partition<State, Changes, Plan, Facts, Published>> {
    const tools = { ...given, givenUp };
    const stream = { projector: projector.name, topic: projector.topic, partition };
    const claim = await untilCatalogAnswers(tools, () => tools.catalog.claim(stream, tools.ownerId));
    tools.crash('projector:claimed');
    try {
      const objects = patientStore(tools, tools.objects);
      const state = await loadSnapshot(objects, claim.snapshot, (saved) => projector.start(partition, saved));
      const opened = new Partition(projector, tools, stream, claim, state);
      await opened.#finishCatchUp();
      const { ownerEpoch: epoch, nextOffset: next } = claim;
      tools.log.info('partition claimed', { projector: projector.name, partition, epoch, from: opened.#folded, next });
      return opened;
    } catch (error) {
      if (error instanceof Halted) await noteHalt(tools, stream, claim, error);
      throw error;
    }
  }

  /** Resolves when the partition has failed, also in a flush that nobody waited for. Never when it was given up. */
  get failed(): Promise<Error> {
    return this.#failed.promise;
  }

  /** The offset to read from: behind the checkpoint by what has to be folded again. */
  get readFrom(): number {
    return this.#folded;
  }

  /** Next offset that is not yet committed. */
  get committed(): number {
    return this.#committed;
  }

  /** Folds a batch and flushes when that is due. Rejects with Fenced or Halted, and then for ever. */
  handle(batch: DeliveredBatch): Promise<void> {
    return this.#inTurn(async () => {
      const records = freshRecords(batch, this.#folded);
      await this.#foldAll(records);
      const left = batch.highWatermark - this.#folded;
      const wait = this.#pauseMs(left >= backlog.records);
      if (wait > 0 && left > 0) return this.#flushLater(wait);
      if (wait > 0) await this.#tools.clock.sleep(wait);
      await this.#flush();
    });
  }

  /** Flushes what is folded and, so that the next owner has little to fold again, writes a snapshot. */
  close(): Promise<void> {
    return this.#inTurn(() => this.#flush(true));
  }

  /** Ends the partition as one that cannot go on without a person. */
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
        if (error instanceof Halted) await noteHalt(this.#tools, this.#stream, this.#claim, error);
        this.#failed.resolve(this.#ended);
        throw error;
      }
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** What is left of the least time between two flushes; a wall clock that steps back never makes it longer. */
  #pauseMs(onBacklog: boolean): Millis {
    if (this.#isLargeFlush()) return 0;
    const since = (this.#tools.clock.now() - this.#flushedAt) / 1_000;
    const least = this.#tools.flushEveryMs * (onBacklog ? backlog.pauses : 1);
    return since < 0 ? 0 : Math.max(0, least - since);
  }

  /** Whether so much is folded that its flush should not grow: records, or letters of what they lost. */
  #isLargeFlush(): boolean {
    return this.#foldedBytes + (this.#projector.weight?.(this.#changes) ?? 0) >= backlog.bytes;
  }

  /** Flushes what is folded by now, unless that has been done by then. */
  #flushLater(ms: Millis): void {
    const folded = this.#folded;
    void this.#tools.clock
      .sleep(ms, this.#tools.givenUp)
      .then(() => this.#inTurn(async () => (this.#committed < folded ? await this.#flush() : undefined)))
      .catch(() => {});
  }

  async #foldAll(records: readonly DeliveredRecord[]): Promise<void> {
    if (records.length === 0) return;
    const again = this.#caughtUp ? 0 : records.findIndex((record) => record.offset >= this.#claim.nextOffset);
    const silent = again < 0 ? records.length : again;
    if (silent > 0) await this.#fold(records.slice(0, silent), false);
    // What stood just below the checkpoint may have been compacted away since.
    if (silent < records.length) this.#folded = Math.max(this.#folded, this.#claim.nextOffset);
    await this.#finishCatchUp();
    if (silent === records.length) return;
    await this.#fold(silent === 0 ? records : records.slice(silent), true);
    this.#tools.crash('projector:folded');
  }

  /**
   * `fresh`: not committed yet. Between two runs others have their turn (fold-turns.ts), and what is folded is flushed where it is a lot:
   * objects that records refer to may be many times larger than those.
   */
  async #fold(records: readonly DeliveredRecord[], fresh: boolean): Promise<void> {
    const projector = this.#projector;
    const attachment = projector.attachment?.bind(projector);
    for await (const run of withAttachments(this.#files.objects, attachment, records, projector.atOnce)) {
      if (fresh && this.#isLargeFlush()) await this.#flush();
      const fold = (): void => projector.fold(this.#state, fresh ? this.#changes : projector.noChanges(), run);
      await this.#turns(fold, run[0] === records[0]);
      this.#folded = (run.at(-1)?.offset ?? this.#folded) + 1;
      const bytes = run.reduce((sum, each) => sum + each.bytes.length + (each.attached?.length ?? 0), 0);
      if (fresh) this.#foldedBytes += bytes;
      this.#bytesSinceSnapshot += bytes;
    }
  }

  async #finishCatchUp(): Promise<void> {
    if (this.#caughtUp || this.#folded < this.#claim.nextOffset) return;
    const { foldDigest } = this.#claim;
    const differs = foldDigest !== null && foldDigest !== this.#projector.digest(this.#state);
    if (differs && this.#projector.mends !== true) {
      throw new Halted(
        `partition ${this.#stream.partition}: the state folded up to ${this.#claim.nextOffset} is not the committed one`,
        `bring back ${this.#claim.snapshot?.key ?? 'the log'} and the records behind it as they were, then restart the projectors`,
      );
    }
    const { catalog } = this.#tools;
    const published = await untilCatalogAnswers(this.#tools, () => catalog.published(this.#stream.partition));
    const position = await untilCatalogAnswers(this.#tools, () => catalog.position(this.#stream));
    if (position?.ownerEpoch !== this.#claim.ownerEpoch) {
      throw new Fenced('another owner took the partition over: what is published need not be what this one folds');
    }
    if (differs) this.#tools.log.error('state is not the committed one', { partition: this.#stream.partition });
    this.#projector.adopt(this.#state, published, differs);
    this.#caughtUp = true;
  }

  async #flush(closing = false): Promise<void> {
    if (!this.#caughtUp) return;
    const due = closing ? this.#snapshot?.offset !== this.#folded : this.#snapshotIsDue();
    if (this.#folded === this.#committed && !due) return;
    this.#flushedAt = this.#tools.clock.now();
    const { crash } = this.#tools;
    const attempt = `${String(this.#folded).padStart(12, '0')}-e${this.#claim.ownerEpoch}`;
    const plan = this.#projector.plan(this.#state, this.#changes);
    this.#changes = this.#projector.noChanges();
    this.#foldedBytes = 0;
    crash('projector:before-put');
    const written = await writeFiles(this.#files, plan.files, this.#folder('flushes'), attempt);
    crash('projector:after-put');
    const snapshot = due ? await this.#putSnapshot(attempt) : null;
    const facts = this.#projector.facts(this.#state, plan, written.files);
    const fence: Fence = {
      stream: this.#stream,
      ownerEpoch: this.#claim.ownerEpoch,
      from: this.#committed,
      to: this.#folded,
      foldDigest: this.#projector.digest(this.#state),
      snapshot: snapshot === null ? null : { key: snapshot.key, offset: this.#folded },
      objects: snapshot === null ? written.objects : [...written.objects, snapshot],
      released: snapshot === null || this.#snapshot === null ? [] : [{ key: this.#snapshot.key, files: 1 }],
    };
    crash('projector:before-commit');
    await commitFlush(this.#tools, fence, facts, this.#flushedAt);
    crash('projector:after-commit');
    this.#committed = fence.to;
    this.#snapshot = fence.snapshot ?? this.#snapshot;
    this.#projector.committed(this.#state, facts);
    for (const file of plan.files) if (file.onto !== null) this.#files.tails.delete(placeOf(file.onto));
    for (const [place, bytes] of written.tails) this.#files.tails.set(place, bytes);
  }

  #snapshotIsDue(): boolean {
    const since = this.#folded - (this.#snapshot?.offset ?? 0);
    if (since === 0) return false;
    const { records, ms, bytes = Number.POSITIVE_INFINITY } = this.#tools.snapshotEvery;
    if (this.#bytesSinceSnapshot >= bytes) return true;
    return since >= records || this.#tools.clock.now() - this.#snapshotAt >= ms * 1_000;
  }

  async #putSnapshot(attempt: string): Promise<{ key: string; size: number; files: number }> {
    const put = await putSnapshot(
      this.#files.objects,
      `${this.#folder('states')}/${attempt}`,
      this.#projector.save(this.#state),
    );
    this.#tools.crash('projector:snapshot-put');
    this.#snapshotAt = this.#tools.clock.now();
    this.#bytesSinceSnapshot = 0;
    return put;
  }

  #folder(kind: string): string {
    return `${kind}/${this.#projector.name}/p${this.#stream.partition}`;
  }
}
