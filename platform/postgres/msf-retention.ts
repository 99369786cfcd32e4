// Deletes MSF revisions past retention, or of a replaced epoch, once an archive holds them (docs/revisions.md#retention). Runs outside the
// commits: it depends only on committed data and is idempotent.
import type { Sql } from './sql.ts';

/** Streams or epochs per statement, so that each is bounded. Skips rows locked by a commit or by another run; a later call handles them. */
const batch = 50;

/** Deletes everything that may be deleted. Returns the number of revisions. */
export async function forgetRevisions(sql: Sql): Promise<number> {
  let forgotten = 0;
  for (const [text, name] of [
    [deleted, 'forget_deleted_revisions'],
    [replaced, 'forget_replaced_epochs'],
  ] as const) {
    for (;;) {
      const { rows } = await sql.query(text, [], name);
      const { candidates, revisions } = rows[0] as { candidates: number; revisions: number };
      forgotten += revisions;
      if (candidates < batch) break;
    }
  }
  return forgotten;
}

/** An archive's first revision stays with the archive; a revision in no archive stays until it is archived. */
const inArchive = `exists (
      select from msf_archives a where a.scope_uuid = r.scope_uuid and a.dataset = r.dataset and a.epoch = r.epoch
        and a.first < r.revision and a.last >= r.revision)`;

/** Releases the snapshots of `gone`; its change files stay with their archives. */
const release = `
  , uses as (
    select f.value #>> '{file,key}' as key, count(*)::integer as files
    from gone, jsonb_array_elements(gone.snapshot_files) as f group by 1 order by 1
  ), released as (
    update objects set files = objects.files - uses.files, released_at = case when objects.files <= uses.files then now() end
    from uses where objects.key = uses.key
  )
  select (select count(*) from due)::integer as candidates, (select count(*) from gone)::integer as revisions`;

const deleted = `
  with due as (
    select scope_uuid, dataset, epoch, forgotten_below, deleted_below from msf_streams
    where forgotten_below < deleted_below order by scope_uuid, dataset limit ${batch} for update skip locked
  ), gone as (
    delete from msf_revisions r using due
    where r.scope_uuid = due.scope_uuid and r.dataset = due.dataset and r.epoch = due.epoch
      and r.revision >= due.forgotten_below and r.revision < due.deleted_below and ${inArchive}
    returning r.snapshot_files
  ), noted as (
    update msf_streams s set forgotten_below = due.deleted_below from due
    where s.scope_uuid = due.scope_uuid and s.dataset = due.dataset
  )${release}`;

const replaced = `
  with due as (
    select scope_uuid, dataset, epoch from msf_epochs
    where replaced_at is not null and not forgotten order by scope_uuid, dataset, epoch limit ${batch} for update skip locked
  ), gone as (
    delete from msf_revisions r using due
    where r.scope_uuid = due.scope_uuid and r.dataset = due.dataset and r.epoch = due.epoch and ${inArchive}
    returning r.snapshot_files
  ), noted as (
    update msf_epochs e set forgotten = true from due
    where e.scope_uuid = due.scope_uuid and e.dataset = due.dataset and e.epoch = due.epoch
  )${release}`;
