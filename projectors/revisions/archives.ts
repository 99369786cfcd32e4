// Archives as the catalog keeps them, from the revisions that they hold: the document that is served, its hash, and the files.
import { createHash } from 'node:crypto';
import { archiveDocument, archiveId, sourceSpan } from '../../core/msf/streams/archive-document.ts';
import type { Scope } from '../../core/msf/types.ts';
import type { FilePart, PublishedRevision, StreamPublication } from '../../core/ports/catalog/msf.ts';
import type { DatedCut } from './changes.ts';

type NewArchive = StreamPublication['archives'][number];

/** The archives that were cut in a scope, by whatever name it had then, each of revisions that `known` has. */
export function archivesOf(
  { kind, uuid, league }: Scope,
  cuts: readonly DatedCut[],
  known: readonly PublishedRevision[],
): readonly NewArchive[] {
  return cuts.map((cut) => {
    const { scopeId, dataset, epoch, first, last, freshness } = cut;
    const scope: Scope = { kind, uuid, id: scopeId, league };
    const held = known.filter((each) => each.epoch === epoch && each.revision >= first && each.revision <= last);
    const [begin, ...more] = held;
    if (begin === undefined || begin.revision !== first || held.length !== last - first + 1)
      throw new Error(`the revisions of archive ${archiveId(cut)} of ${dataset} ${scope.id} are not all known`);
    const document = JSON.stringify(archiveDocument(scope, [begin, ...more], freshness));
    const changes = held.map(({ revision, changeFiles: files }) => ({ revision, files }));
    const files: FilePart[] = [...begin.snapshotFiles, ...held.flatMap(({ changeFiles }) => changeFiles)];
    const { start, end } = sourceSpan(held);
    return {
      id: archiveId(cut),
      scopeUuid: scope.uuid,
      scopeId: scope.id,
      league: scope.league,
      dataset,
      epoch,
      first,
      last,
      sourceStart: start,
      sourceEnd: end,
      rows: files.reduce((sum, { rows }) => sum + rows, 0),
      bytes: files.reduce((sum, { file }) => sum + file.size, 0),
      document,
      documentSha256: createHash('sha256').update(document, 'utf8').digest('hex'),
      baseline: begin.snapshotFiles,
      changes,
    };
  });
}
