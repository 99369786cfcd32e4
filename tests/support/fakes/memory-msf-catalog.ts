// The revision projector's side of the catalog in memory: the fence and one all-or-nothing commit, with a real
// database's faults on demand. On every commit of any owner it asserts what must always hold.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
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
  GameMove,
  MsfCommit,
  PublishedRevision,
  PublishedStream,
  StreamPublication,
} from '../../../core/ports/catalog/msf.ts';
import type { ReceiptFold } from '../../../core/ports/catalog/pushes.ts';
import type { RevisionsCatalog } from '../../../projectors/revisions/revisions-projector.ts';
import type { CommitFault } from './memory-live-catalog.ts';

type Archive = StreamPublication['archives'][number];

/** A published stream with all its epochs. */
export type MemoryStream = {
  current: Omit<StreamPublication, 'revisions' | 'archives' | 'replaces'>;
  /** In the order of their commits. */
  revisions: PublishedRevision[];
  archives: Archive[];
  replaced: string[];
};

export class MemoryMsfCatalog implements CheckpointsCatalog, RevisionsCatalog {
  /** By `<dataset> <scope uuid>`. */
  readonly streams = new Map<string, MemoryStream>();
  readonly moves: GameMove[] = [];
  readonly deadLetters: DeadLetter[] = [];
  readonly receipts: ReceiptFold[] = [];
  readonly objects = new Map<string, number>();
  ownerEpoch = 0;
  nextOffset = 0;
  foldDigest: string | null = null;
  snapshot: Snapshot | null = null;
  commits = 0;
  /** Why the owner had to stop. */
  halted: string | null = null;
  fault: () => CommitFault = () => 'none';

  async claim(_stream: StreamKey, _ownerId: string): Promise<Claim> {
    this.ownerEpoch += 1;
    this.halted = null;
    const { ownerEpoch, nextOffset, foldDigest, snapshot } = this;
    return { ownerEpoch, nextOffset, foldDigest, snapshot, logVersion: null };
  }

  async halt(_stream: StreamKey, ownerEpoch: number, reason: string): Promise<void> {
    if (ownerEpoch === this.ownerEpoch) this.halted = reason;
  }

  async position(): Promise<StoredCheckpoint> {
    const { ownerEpoch, nextOffset, foldDigest } = this;
    return { ownerEpoch, nextOffset, foldDigest };
  }

  async publishedIn(): Promise<readonly PublishedStream[]> {
    return [...this.streams.values()].map(({ current, revisions, archives }) => {
      const { scopeUuid, dataset, epoch, head } = current;
      const archived = Math.max(0, ...archives.filter((each) => each.epoch === epoch).map(({ last }) => last));
      const ofEpoch = revisions.filter((each) => each.epoch === epoch);
      const unarchived = ofEpoch.filter((each) => each.revision > archived);
      return { scopeUuid, dataset, epoch, head, digest: ofEpoch.at(-1)?.snapshotDigest ?? null, unarchived };
    });
  }

  async commit(commit: MsfCommit): Promise<CommitAnswer> {
    const fault = this.fault();
    if (fault === 'unavailable') throw new CatalogUnavailable('planned outage');
    if (fault === 'lost-before') throw new UnknownCommit('planned loss before COMMIT');
    if (commit.ownerEpoch !== this.ownerEpoch || commit.from !== this.nextOffset) return 'fenced';
    this.#apply(commit);
    if (fault === 'lost-after') throw new UnknownCommit('planned loss after COMMIT');
    return 'committed';
  }

  #apply(commit: MsfCommit): void {
    this.commits += 1;
    this.nextOffset = commit.to;
    this.foldDigest = commit.foldDigest;
    if (commit.snapshot !== null) this.snapshot = commit.snapshot;
    for (const object of commit.objects) this.objects.set(object.key, object.files);
    const names = commit.streams.map(({ dataset, scopeUuid }) => `${dataset} ${scopeUuid}`);
    assert.equal(new Set(names).size, names.length, 'a stream is published once in a commit');
    for (const stream of commit.streams) this.#publish(stream);
    for (const { key, files } of commit.released) {
      const left = (this.objects.get(key) ?? 0) - files;
      assert.ok(left >= 0, `object ${key} released more often than it was used`);
      this.objects.set(key, left);
    }
    this.moves.push(...commit.moves);
    this.deadLetters.push(...commit.deadLetters);
    this.receipts.push(...commit.receipts);
  }

  #publish({ revisions, archives, replaces, ...current }: StreamPublication): void {
    const name = `${current.dataset} ${current.scopeUuid}`;
    const before = this.streams.get(name);
    assert.equal(
      replaces,
      before === undefined || before.current.epoch === current.epoch ? null : before.current.epoch,
    );
    const stream: MemoryStream = {
      current,
      revisions: [...(before?.revisions ?? []), ...revisions],
      archives: [...(before?.archives ?? []), ...archives],
      replaced: [...(before?.replaced ?? []), ...(replaces === null ? [] : [replaces])],
    };
    this.streams.set(name, stream);
    const heads = new Map<string, number>();
    for (const { epoch, revision, changeFiles, snapshotFiles } of stream.revisions) {
      assert.equal(
        revision,
        (heads.get(epoch) ?? 0) + 1,
        'the revisions of an epoch are contiguous, and none is cut twice',
      );
      heads.set(epoch, revision);
      for (const { file } of [...changeFiles, ...snapshotFiles])
        assert.ok((this.objects.get(file.key) ?? 0) > 0, `object ${file.key} is current and counted`);
    }
    assert.equal(
      current.head,
      heads.get(current.epoch) ?? null,
      'the head is the newest revision of the current epoch',
    );
    const lasts = new Map<string, number>();
    for (const archive of stream.archives) {
      assert.equal(archive.first, (lasts.get(archive.epoch) ?? 0) + 1, 'the archives of an epoch are contiguous');
      lasts.set(archive.epoch, archive.last);
      const held = stream.revisions.filter(
        (each) => each.epoch === archive.epoch && each.revision >= archive.first && each.revision <= archive.last,
      );
      assert.deepEqual(
        archive.changes,
        held.map(({ revision, changeFiles: files }) => ({ revision, files })),
      );
      assert.deepEqual(archive.baseline, held[0]?.snapshotFiles);
      assert.ok(archive.baseline.length > 0 && archive.baseline.every(({ file }) => file.key.endsWith('.kept')));
      assert.equal(createHash('sha256').update(archive.document, 'utf8').digest('hex'), archive.documentSha256);
    }
    for (const epoch of stream.replaced)
      assert.equal(lasts.get(epoch), heads.get(epoch), 'an epoch that has ended is archived to its end');
  }
}
