// Verifies the MSF streams of a scope: rebuilds each epoch from its archives — baseline, then changes — and from the revisions not yet
// archived, up to its head. After each revision the state must have the published digest and row count; so must the snapshot of every
// listed revision (I12, I14).
import { createHash } from 'node:crypto';
import { RebuiltState } from '../../core/msf/published/rebuild.ts';
import type { Revision } from '../../core/msf/types.ts';
import type { FilePart, MsfCatalog, PublishedRevision, StoredArchive } from '../../core/ports/catalog/msf.ts';
import type { Epoch, MsfHistoryCatalog, StreamHistory } from '../../core/ports/catalog/msf-history.ts';
import type { ParquetRow } from '../../core/ports/parquet.ts';
import type { Column, Dataset } from '../../schemas/datasets/column.ts';
import { datasetNamed } from '../../schemas/datasets/registry.ts';
import { type CommandProgress, counted, type OpenProgress, openProgress } from '../session/progress.ts';
import { readOwnColumns, type VerifyTools } from './read-rows.ts';

export type StreamTools = VerifyTools & { msf: Pick<MsfCatalog, 'revisions'>; history: MsfHistoryCatalog };

type EpochTools = StreamTools & { progress: CommandProgress };

/** Checks every stream of the scope, or of all scopes if null. */
export async function verifyStreams(
  tools: StreamTools,
  scopeUuid: string | null,
  open: OpenProgress = openProgress,
): Promise<void> {
  const streams = await tools.history.histories(scopeUuid);
  const all = streams.flatMap(({ epochs }) => epochs).reduce((sum, epoch) => sum + statesOf(epoch), 0);
  using progress = open({ unit: 'states', all });
  for (const stream of streams) {
    tools.report.count('streams');
    for (const epoch of stream.epochs) await verifyEpoch({ ...tools, progress }, stream, epoch);
  }
}

/** One after the change of each revision, and one in the snapshot of each listed one. */
function statesOf({ current, head, listedFrom }: Epoch): number {
  return head === null ? 0 : head + (current ? head - listedFrom + 1 : 0);
}

async function verifyEpoch(tools: EpochTools, stream: StreamHistory, epoch: Epoch): Promise<void> {
  tools.report.count('epochs');
  const rebuilding = new Rebuilding(tools, stream, epoch.epoch);
  const seen = new Set<string>();
  const readArchives = async () => {
    const archives = (await tools.history.archives(stream, epoch.epoch)).filter(({ id }) => !seen.has(id));
    for (const archive of archives) {
      seen.add(archive.id);
      await rebuilding.archive(archive);
    }
    return archives.length > 0;
  };
  await readArchives();
  const head = epoch.head ?? 0;
  while (rebuilding.reached < head) {
    const { scopeUuid, dataset } = stream;
    const query = { scopeUuid, dataset, epoch: epoch.epoch, after: rebuilding.reached, through: head, limit: 100 };
    const revisions = await tools.msf.revisions(query);
    // The epoch may have ended since its archives were read; its last revisions are then in a later one.
    if (revisions.length === 0 && (await readArchives())) continue;
    if (revisions.length === 0) {
      const from = rebuilding.reached + 1;
      tools.report.violated('I12', rebuilding.subject, `revisions ${from} to ${head} are neither archived nor kept`);
      return;
    }
    for (const revision of revisions) await rebuilding.unarchived(revision, revision.revision === head);
  }
  if (epoch.current) await verifySnapshots(tools, stream, epoch, rebuilding);
}

/** The snapshots that the rebuild has not read: those for readers of earlier revisions. */
async function verifySnapshots(
  { msf, progress }: EpochTools,
  { scopeUuid, dataset }: StreamHistory,
  { epoch, head, listedFrom }: Epoch,
  rebuilding: Rebuilding,
): Promise<void> {
  const query = { scopeUuid, dataset, epoch, through: head ?? 0, limit: 100 };
  for (let after = listedFrom - 1; after < query.through; ) {
    const revisions = await msf.revisions({ ...query, after });
    for await (const revision of counted(progress, revisions)) await rebuilding.listed(revision);
    after = revisions.at(-1)?.revision ?? query.through;
  }
}

/** The rebuild of one epoch, from its first revision to its head. */
class Rebuilding {
  readonly subject: string;
  readonly #tools: EpochTools;
  readonly #dataset: Dataset;
  /** The columns of the epoch's files; the dataset's may differ by now. Null before the first file. */
  #columns: readonly Column[] | null = null;
  /** Null after an unreadable file until the next snapshot, so that one error is not reported for every later revision. */
  #state: RebuiltState | null = null;
  #reached = 0;
  /** Revisions whose snapshot was read. */
  readonly #read = new Set<number>();

  constructor(tools: EpochTools, { scopeId, dataset }: StreamHistory, epoch: string) {
    this.#tools = tools;
    this.#dataset = datasetNamed(dataset);
    this.subject = `${scopeId} ${dataset} ${epoch}`;
  }

  get reached(): number {
    return this.#reached;
  }

  async archive(archive: StoredArchive): Promise<void> {
    const { report } = this.#tools;
    report.count('archives');
    const subject = `${this.subject} archive ${archive.id}`;
    const { document, documentSha256 } = archive;
    const sha256 = createHash('sha256').update(document).digest('hex');
    if (sha256 !== documentSha256) return report.violated('I4', subject, 'its document is not the committed one');
    const { revisions } = JSON.parse(document) as { revisions: readonly ArchivedRevision[] };
    const spans = `${revisions[0]?.revision}-${revisions.at(-1)?.revision}`;
    report.expect(
      spans === `${archive.first}-${archive.last}`,
      'I12',
      subject,
      `its document describes revisions ${spans}`,
    );
    for (const revision of revisions) {
      const files = archive.changes.find((change) => change.revision === revision.revision)?.files ?? [];
      await this.#apply(revision, files);
      this.#tools.progress.add(1);
      if (revision.revision === archive.first) await this.#startFrom(revision, archive.baseline);
    }
  }

  async unarchived(revision: PublishedRevision, isHead: boolean): Promise<void> {
    const facts = factsOf(revision);
    await this.#apply(facts, revision.changeFiles);
    this.#tools.progress.add(1);
    if (isHead) await this.#startFrom(facts, revision.snapshotFiles);
  }

  async listed(revision: PublishedRevision): Promise<void> {
    if (!this.#read.has(revision.revision)) await this.#snapshotOf(factsOf(revision), revision.snapshotFiles);
  }

  /** Applies the change of the next revision. */
  async #apply(revision: ArchivedRevision, files: readonly FilePart[]): Promise<void> {
    const { report } = this.#tools;
    report.count('revisions');
    const subject = `${this.subject} revision ${revision.revision}`;
    const next = this.#reached + 1;
    report.expect(revision.revision === next, 'I12', subject, `revision ${next} should come here`);
    this.#reached = revision.revision;
    const change = await this.#rowsOf(subject, 'change', files);
    if (change === null) this.#state = null;
    else if (revision.revision_kind === 'replace' || next === 1) this.#state ??= this.#rebuilt([]);
    if (change === null || this.#state === null) return;
    for (const fault of this.#state.apply(revision.revision_kind, change)) report.violated('I12', subject, fault);
    this.#compare(subject, this.#state, revision);
  }

  /** Continues from the snapshot of a revision, however the state was reached. */
  async #startFrom(revision: ArchivedRevision, files: readonly FilePart[]): Promise<void> {
    this.#state = (await this.#snapshotOf(revision, files)) ?? this.#state;
  }

  /** The state in the snapshot of a revision; null if it cannot be read. */
  async #snapshotOf(revision: ArchivedRevision, files: readonly FilePart[]): Promise<RebuiltState | null> {
    this.#read.add(revision.revision);
    const subject = `${this.subject} revision ${revision.revision}, its snapshot`;
    const rows = await this.#rowsOf(subject, 'snapshot', files);
    if (rows === null) return null;
    const state = this.#rebuilt(rows);
    this.#compare(subject, state, revision);
    return state;
  }

  #compare(subject: string, state: RebuiltState, revision: ArchivedRevision): void {
    const { report } = this.#tools;
    const { snapshot_digest: digest, snapshot_row_count: rows } = revision;
    report.expect(state.rowCount === rows, 'I12', subject, `${state.rowCount} rows, ${rows} were published`);
    report.expect(state.digest === digest, 'I12', subject, `digest ${state.digest}, ${digest} was published`);
  }

  async #rowsOf(subject: string, kind: string, files: readonly FilePart[]): Promise<readonly ParquetRow[] | null> {
    const parts = [];
    for (const [index, { rows, file }] of files.entries()) {
      const expected = { subject: `${subject}, ${kind} file ${index}`, rows, file };
      const read = await readOwnColumns(this.#tools, expected);
      const isOfEpoch = read !== null && this.#areOfEpoch(expected.subject, kind, read.columns);
      parts.push(isOfEpoch ? read.rows : null);
    }
    return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
  }

  /** Other columns require a new epoch (docs/revisions.md#epochs). */
  #areOfEpoch(subject: string, kind: string, all: readonly Column[]): boolean {
    const { report } = this.#tools;
    const columns = kind === 'change' ? all.filter(({ name }) => name !== '_op') : all;
    const isKeyed = this.#dataset.primaryKey.every((key) => columns.some(({ name }) => name === key));
    report.expect(isKeyed, 'I5', subject, 'its columns lack the key of the dataset');
    if (!isKeyed) return false;
    this.#columns ??= columns;
    const isSame = namesAndTypes(columns) === namesAndTypes(this.#columns);
    report.expect(isSame, 'I5', subject, 'its columns are not those of its epoch');
    return isSame;
  }

  #rebuilt(rows: readonly ParquetRow[]): RebuiltState {
    const { columns, primaryKey } = this.#dataset;
    return new RebuiltState({ columns: this.#columns ?? columns, primaryKey }, rows);
  }
}

function namesAndTypes(columns: readonly Column[]): string {
  return JSON.stringify(columns.map(({ name, type, nullable }) => [name, type, nullable]));
}

function factsOf({ revision, kind, snapshotDigest, snapshotRows }: PublishedRevision): ArchivedRevision {
  return { revision, revision_kind: kind, snapshot_digest: snapshotDigest, snapshot_row_count: snapshotRows };
}

/** The parts of a revision record that a rebuild needs (docs/interface.md#archive). */
type ArchivedRevision = {
  revision: number;
  revision_kind: Revision['kind'];
  snapshot_digest: string;
  snapshot_row_count: number;
};
