// One stream's part of a flush: the files of the revisions that were cut and, once they are written, what the catalog says of the stream.
// Changes, and the snapshot that an archive begins with, stay for ever; every other snapshot goes when its revision is forgotten: so each
// kind shares an object with its like. Keeps I12: what was published of a revision is never planned again, and a game that was minted meanwhile
// is called in each file and archive what it was called when that was cut, wherever the flush fell.

import { dueAt } from '../../core/msf/streams/archive.ts';
import type { ScopeState, StreamState } from '../../core/msf/streams/scope-state.ts';
import type { ChangedRow, CutRevision, Scope } from '../../core/msf/types.ts';
import { fileMetadata } from '../../core/parquet/file-metadata.ts';
import type { FilePart, PublishedRevision, StreamPublication } from '../../core/ports/catalog/msf.ts';
import type { ParquetRow, PlannedFile, WrittenFile } from '../../core/ports/parquet.ts';
import { changeFileName } from '../../schemas/datasets/change-file.ts';
import { archivesOf } from './archives.ts';
import type { DatedCut, StreamChanges } from './changes.ts';
import type { Published } from './published.ts';

/** Rows of one file of a revision (docs/revisions.md#revision-rules). */
const rowsPerFile = 64_000;

type PlannedRevision = {
  cut: Omit<CutRevision, 'scopeId' | 'change' | 'snapshot'>;
  changeFiles: string[];
  snapshotFiles: string[];
};

export type StreamPlan = {
  scope: Scope;
  files: readonly PlannedFile[];
  revisions: readonly PlannedRevision[];
  archives: readonly DatedCut[];
  facts: Omit<StreamPublication, 'revisions' | 'archives' | 'replaces'>;
};

/** What has to be written of `stream` for what folding changed. */
export function planStream(
  scope: ScopeState,
  stream: StreamState,
  { revisions, archives }: StreamChanges,
  published: Published | null,
): StreamPlan {
  const files: PlannedFile[] = [];
  const beginArchives = firstsOf(archives, published);
  const planned = revisions.map((cut): PlannedRevision => {
    const begins = cut.revision === 1 || beginArchives.has(placeOf(cut));
    const isKept = cut.epoch === stream.epoch && cut.revision >= stream.deletedBelow;
    const whose = { ...scope.scope, id: cut.scopeId };
    const change = filesOf(whose, cut, 'change', 'kept', cut.change.map(changedRow), null);
    const snapshot = begins || isKept ? snapshotOf(whose, stream, cut, begins ? 'kept' : 'shared') : [];
    files.push(...change, ...snapshot);
    const { change: _change, snapshot: _snapshot, scopeId: _scopeId, ...facts } = cut;
    return { cut: facts, changeFiles: change.map(({ name }) => name), snapshotFiles: snapshot.map(({ name }) => name) };
  });
  const { epoch, head, freshness, listedFrom, deletedBelow } = stream;
  return {
    scope: scope.scope,
    files,
    revisions: planned,
    archives,
    facts: {
      scopeUuid: scope.scope.uuid,
      dataset: stream.dataset,
      scopeId: scope.scope.id,
      league: scope.scope.league,
      epoch,
      head: head === 0 ? null : head,
      freshness,
      listedFrom,
      deletedBelow,
      ticksFrom: dueAt(stream, scope),
    },
  };
}

/** The revisions with which archives begin, cut already or not: archives follow one another without a gap. */
function firstsOf(archives: readonly DatedCut[], published: Published | null): ReadonlySet<string> {
  const firsts = new Set(archives.map(({ epoch, last }) => placeOf({ epoch, revision: last + 1 })));
  if (published !== null) {
    const { epoch, head, unarchived } = published;
    firsts.add(placeOf({ epoch, revision: unarchived[0]?.revision ?? (head ?? 0) + 1 }));
  }
  return firsts;
}

function placeOf({ epoch, revision }: { epoch: string; revision: number }): string {
  return `${epoch}/${revision}`;
}

/** The rows of the snapshot that was planned last of a stream: those of the next are mostly the same. */
const snapshotRows = new WeakMap<StreamState, readonly ParquetRow[]>();

function snapshotOf(scope: Scope, stream: StreamState, cut: CutRevision, form: PlannedFile['form']): PlannedFile[] {
  const like = snapshotRows.get(stream) ?? null;
  const rows = cut.snapshot.map(({ row }) => row);
  snapshotRows.set(stream, rows);
  return filesOf(scope, cut, 'snapshot', form, rows, like);
}

/** The change or the snapshot of a revision as files; one without rows where there are none, so that a reader finds its columns. */
function filesOf(
  scope: Scope,
  { dataset, epoch, revision, snapshotDigest: digest }: CutRevision,
  of: 'change' | 'snapshot',
  form: PlannedFile['form'],
  rows: readonly ParquetRow[],
  like: readonly ParquetRow[] | null,
): PlannedFile[] {
  const whose = scope.kind === 'game' ? { gameId: scope.id } : {};
  const metadata = fileMetadata({
    dataset,
    schemaVersion: 'v1',
    file: of,
    ...whose,
    league: scope.league,
    streamEpoch: epoch,
    revision,
    digest,
  });
  const parts = Math.max(1, Math.ceil(rows.length / rowsPerFile));
  return Array.from({ length: parts }, (_, part) => ({
    name: `revisions/${scope.uuid}/${dataset}/${epoch}/${revision}/${of}/${part}`,
    dataset: of === 'change' ? changeFileName(dataset) : dataset,
    rows: parts === 1 ? rows : rows.slice(part * rowsPerFile, (part + 1) * rowsPerFile),
    metadata,
    onto: null,
    form,
    like: parts === 1 ? like : null,
  }));
}

function changedRow({ row, op }: ChangedRow): ParquetRow {
  return { ...row, _op: op };
}

/** What the catalog publishes of the stream once the planned files are where `written` says. */
export function publicationOf(
  plan: StreamPlan,
  published: Published | null,
  written: ReadonlyMap<string, WrittenFile>,
): StreamPublication {
  const partOf = (name: string): FilePart => {
    const file = written.get(name);
    if (file === undefined) throw new Error(`planned file ${name} was not written`);
    return { rows: file.rows, file: file.ref };
  };
  const revisions = plan.revisions.map(
    ({ cut, changeFiles, snapshotFiles }): PublishedRevision => ({
      ...cut,
      changeFiles: changeFiles.map(partOf),
      snapshotFiles: snapshotFiles.map(partOf),
    }),
  );
  const known = [...(published?.unarchived ?? []), ...revisions];
  const { epoch } = plan.facts;
  return {
    ...plan.facts,
    replaces: published !== null && published.epoch !== epoch ? published.epoch : null,
    revisions,
    archives: archivesOf(plan.scope, plan.archives, known),
  };
}
