// Converts rows of `msf_archives` to the port's types.
import type { MsfDataset } from '../../core/msf/types.ts';
import type { Archive, FilePart, StoredArchive } from '../../core/ports/catalog/msf.ts';
import type { Micros } from '../../core/units.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import type { SqlRow } from './sql.ts';

/** Columns of an archive `a` in a listing. */
export const archiveColumns = `a.id, a.scope_uuid, a.scope_id, a.league, a.dataset, a.epoch, a.first, a.last, a.source_start, a.source_end,
  a.rows, a.bytes, a.committed_at`;

/** The additional columns for a single archive. */
export const documentColumns = 'a.document, a.document_sha256, a.baseline, a.changes';

export function toArchive(row: SqlRow): Archive {
  return {
    scopeUuid: row.scope_uuid as string,
    dataset: row.dataset as MsfDataset,
    id: row.id as string,
    scopeId: row.scope_id as string,
    league: row.league as League,
    epoch: row.epoch as string,
    first: row.first as number,
    last: row.last as number,
    sourceStart: row.source_start as Micros,
    sourceEnd: row.source_end as Micros,
    rows: row.rows as number,
    bytes: row.bytes as number,
    committedAt: row.committed_at as Micros,
  };
}

export function toStoredArchive(row: SqlRow): StoredArchive {
  return {
    ...toArchive(row),
    document: row.document as string,
    documentSha256: row.document_sha256 as string,
    baseline: row.baseline as FilePart[],
    changes: row.changes as StoredArchive['changes'],
  };
}
