// The live projector's side of the catalog in memory: the fence and one all-or-nothing commit, with a real database's
// faults on demand. On every commit of any owner it asserts what must always hold.
import assert from 'node:assert/strict';
import type {
  CheckpointsCatalog,
  Claim,
  CommitAnswer,
  Snapshot,
  StoredCheckpoint,
  StreamKey,
} from '../../../core/ports/catalog/checkpoints.ts';
import type { DeadLetter } from '../../../core/ports/catalog/dead-letters.ts';
import { CatalogUnavailable, UnknownCommit } from '../../../core/ports/catalog/errors.ts';
import type {
  GamePublication,
  LiveCommit,
  PublishedLog,
  PublishedTail,
  ServedLog,
} from '../../../core/ports/catalog/live.ts';
import type { ReceiptFold } from '../../../core/ports/catalog/pushes.ts';
import type { ClosedGame } from '../../../core/settlement/closed-game.ts';
import type { LiveProjectorCatalog } from '../../../projectors/live/live-projector.ts';

/** How the next commit ends. */
export type CommitFault = 'none' | 'unavailable' | 'lost-before' | 'lost-after';

export class MemoryLiveCatalog implements CheckpointsCatalog, LiveProjectorCatalog {
  readonly logs = new Map<string, ServedLog & { logVersion: string | null }>();
  readonly deadLetters: DeadLetter[] = [];
  readonly receipts: ReceiptFold[] = [];
  readonly objects = new Map<string, number>();
  /** The closed games. */
  readonly closed = new Map<string, ClosedGame>();
  readonly tailVersions: { gameUuid: string; firstSeq: number; tail: PublishedTail }[] = [];
  ownerEpoch = 0;
  nextOffset = 0;
  foldDigest: string | null = null;
  snapshot: Snapshot | null = null;
  logVersion: string | null = null;
  commits = 0;
  /** How many logs were restarted. */
  restarts = 0;
  /** Why the owner had to stop. */
  halted: string | null = null;
  fault: () => CommitFault = () => 'none';

  /** Another catalog that holds the same; what is committed to one does not touch the other. */
  copy(): MemoryLiveCatalog {
    return Object.assign(new MemoryLiveCatalog(), this, {
      logs: new Map(this.logs),
      deadLetters: [...this.deadLetters],
      receipts: [...this.receipts],
      objects: new Map(this.objects),
      closed: new Map(this.closed),
      tailVersions: [...this.tailVersions],
    });
  }

  async claim(_stream: StreamKey, _ownerId: string): Promise<Claim> {
    this.ownerEpoch += 1;
    this.halted = null;
    return {
      ownerEpoch: this.ownerEpoch,
      nextOffset: this.nextOffset,
      foldDigest: this.foldDigest,
      snapshot: this.snapshot,
      logVersion: this.logVersion,
    };
  }

  async halt(_stream: StreamKey, ownerEpoch: number, reason: string): Promise<void> {
    if (ownerEpoch === this.ownerEpoch) this.halted = reason;
  }

  async position(): Promise<StoredCheckpoint> {
    const { ownerEpoch, nextOffset, foldDigest } = this;
    return { ownerEpoch, nextOffset, foldDigest };
  }

  async publishedIn(): Promise<readonly PublishedLog[]> {
    return [...this.logs.values()].filter(({ gameUuid }) => !this.closed.has(gameUuid));
  }

  /** The fakes keep every record. */
  async knownSince(): Promise<null> {
    return null;
  }

  async closedIn(): Promise<readonly string[]> {
    return [...this.closed.keys()];
  }

  async servedLog(gameUuid: string): Promise<ServedLog | null> {
    return this.logs.get(gameUuid) ?? null;
  }

  async commit(commit: LiveCommit): Promise<CommitAnswer> {
    const fault = this.fault();
    if (fault === 'unavailable') throw new CatalogUnavailable('planned outage');
    if (fault === 'lost-before') throw new UnknownCommit('planned loss before COMMIT');
    if (commit.ownerEpoch !== this.ownerEpoch || commit.from !== this.nextOffset) return 'fenced';
    this.#apply(commit);
    if (fault === 'lost-after') throw new UnknownCommit('planned loss after COMMIT');
    return 'committed';
  }

  #apply(commit: LiveCommit): void {
    this.commits += 1;
    this.nextOffset = commit.to;
    this.foldDigest = commit.foldDigest;
    if (commit.snapshot !== null) this.snapshot = commit.snapshot;
    this.logVersion = commit.logVersion ?? this.logVersion;
    for (const object of commit.objects) this.objects.set(object.key, object.files);
    for (const game of commit.games) this.#publish(game);
    for (const { gameUuid, closed } of commit.settlements)
      if (closed !== null && !this.closed.has(gameUuid)) this.closed.set(gameUuid, closed);
    for (const { key, files } of commit.released) {
      const left = (this.objects.get(key) ?? 0) - files;
      assert.ok(left >= 0, `object ${key} released more often than it was used`);
      this.objects.set(key, left);
    }
    this.deadLetters.push(...commit.deadLetters);
    this.receipts.push(...commit.receipts);
  }

  #publish(game: GamePublication): void {
    const known = this.logs.get(game.gameUuid);
    const before = this.#continued(game, known);
    const closed = [...(before?.closed ?? []), ...game.closed];
    for (const [index, segment] of closed.entries()) {
      assert.equal(segment.seq, game.firstSeq + index, 'closed segments are contiguous');
    }
    const rows = closed.reduce((sum, segment) => sum + segment.rows, 0) + (game.tail?.rows ?? 0);
    assert.equal(rows, game.rows, 'the rows of the segments are the rows of the log');
    if (game.tail !== null) assert.equal(game.tail.seq, game.firstSeq + closed.length, 'only the last segment is open');
    if (game.tail !== null)
      this.tailVersions.push({ gameUuid: game.gameUuid, firstSeq: game.firstSeq, tail: game.tail });
    const changed = new Set(game.boards.map(({ operator }) => operator));
    const left = (before?.boards ?? []).filter(({ operator }) => !changed.has(operator));
    const boards = [...left, ...game.boards].sort((a, b) => (a.operator < b.operator ? -1 : 1));
    for (const file of [...boards.map((board) => board.file), ...(game.tail === null ? [] : [game.tail.file])]) {
      assert.ok((this.objects.get(file.key) ?? 0) > 0, `object ${file.key} is current and counted`);
    }
    const version = (before?.version ?? 0) + 1;
    const { gameUuid, generation, logVersion, firstSeq, appliedThrough, tail, operators } = game;
    this.logs.set(gameUuid, {
      gameUuid,
      generation,
      logVersion,
      version,
      firstSeq,
      rows: game.rows,
      appliedThrough,
      updatedAt: 0,
      tail,
      closed,
      boards,
      operators,
    });
  }

  /** The log that a publication continues; null if it begins a log, as the game's first or in place of another. */
  #continued(game: GamePublication, known: (ServedLog & { logVersion: string | null }) | undefined) {
    if (known === undefined && game.restarted) return undefined;
    if (known === undefined || known.generation === game.generation) {
      assert.equal(game.restarted, false);
      assert.equal(game.logVersion, known?.logVersion ?? game.logVersion, 'a log is of one version');
      return known;
    }
    assert.deepEqual([game.generation, game.restarted], [known.generation + 1, true]);
    this.restarts += 1;
    assert.ok(game.firstSeq > (known.tail?.seq ?? 0), 'every seq is above all used before');
    assert.ok(game.rows >= known.rows, 'no row is lost');
    return undefined;
  }
}
