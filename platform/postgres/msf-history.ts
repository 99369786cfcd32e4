// The catalog of whole MSF streams: their epochs and archives, for verification and for new epochs.
import type { MsfDataset } from '../../core/msf/types.ts';
import type { StoredArchive, StreamName } from '../../core/ports/catalog/msf.ts';
import type { Epoch, MsfHistoryCatalog, StreamHistory } from '../../core/ports/catalog/msf-history.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import { archiveColumns, documentColumns, toStoredArchive } from './msf-archive-rows.ts';
import type { Sql, SqlRow } from './sql.ts';

export function openMsfHistoryCatalog(sql: Sql): MsfHistoryCatalog {
  return {
    histories: (scopeUuid) => histories(sql, scopeUuid),
    archives: (name, epoch) => archivesOf(sql, name, epoch),
  };
}

/** The head of an ended epoch is the last revision in its archives, whose first revisions are kept; ULIDs sort by time. */
async function histories(sql: Sql, scopeUuid: string | null): Promise<StreamHistory[]> {
  const { rows } = await sql.query(
    `select s.scope_uuid, s.dataset, s.scope_id, s.league, (
       select jsonb_agg(jsonb_build_object('epoch', e.epoch, 'current', e.epoch = s.epoch,
           'head', case when e.epoch = s.epoch then s.head else (
             select max(a.last) from msf_archives a
             where a.scope_uuid = s.scope_uuid and a.dataset = s.dataset and a.epoch = e.epoch) end,
           'listedFrom', case when e.epoch = s.epoch then s.listed_from else 1 end) order by e.epoch)
       from msf_epochs e where e.scope_uuid = s.scope_uuid and e.dataset = s.dataset) as epochs, (
       select (r.facts #>> '{coverage,coverage_start}')::bigint from msf_revisions r
       where r.scope_uuid = s.scope_uuid and r.dataset = s.dataset and r.revision = 1 order by r.epoch limit 1) as known_since
     from msf_streams s where $1::uuid is null or s.scope_uuid = $1 order by s.scope_uuid, s.dataset`,
    [scopeUuid],
  );
  return rows.map((row) => ({
    scopeUuid: row.scope_uuid as string,
    dataset: row.dataset as MsfDataset,
    scopeId: row.scope_id as string,
    league: row.league as League,
    epochs: (row.epochs ?? []) as Epoch[],
    knownSince: row.known_since as number | null,
  }));
}

async function archivesOf(sql: Sql, { scopeUuid, dataset }: StreamName, epoch: string): Promise<StoredArchive[]> {
  const { rows } = await sql.query(
    `select ${archiveColumns}, ${documentColumns} from msf_archives a
     where a.scope_uuid = $1 and a.dataset = $2 and a.epoch = $3 order by a.first`,
    [scopeUuid, dataset, epoch],
  );
  return rows.map((row: SqlRow) => toStoredArchive(row));
}
