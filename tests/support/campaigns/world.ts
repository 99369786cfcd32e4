// The world of a campaign: a database, log and object store of its own, the API in this process, and the settings of
// the programs that the campaign kills. The database keeps a journal of claims and commits, written by triggers with
// their creator's rights.
import { openPool, type Sql } from '../../../platform/postgres/sql.ts';
import { type Edition, startEdition } from '../editions/edition.ts';
import { type EditionName, type OwnServices, openPlace, type PlaceOptions } from './place.ts';

export type World = {
  edition: EditionName;
  /** The API, and the drivers to read back the log and the objects. */
  api: Edition;
  sql: Sql;
  /** The settings of a program, by the name that the journal uses for it. */
  environmentOf(program: string): Record<string, string>;
  gatewayUrl: string;
  /** The world's own services, if it was opened with `own`. */
  own: OwnServices;
  close(): Promise<void>;
};

/** Opens an empty world; a string says which service is missing. */
export async function openWorld(edition: EditionName, options: PlaceOptions = {}): Promise<World | string> {
  await using closing = new AsyncDisposableStack();
  const place = await openPlace(edition, options);
  if (typeof place === 'string') return place;
  closing.defer(() => place.close());
  const { environment, databaseUrl, own, gatewayUrl } = place;
  const sql = openPool({ connection: databaseUrl, maxConnections: 4, applicationName: 'campaign' });
  closing.defer(() => sql.close());
  const api = await startEdition({
    roles: ['api'],
    environment: { ...environment, DATABASE_URL: named(databaseUrl, 'api') },
  });
  closing.defer(() => api.stop());
  await keepJournal(sql);
  const opened = closing.move();
  return {
    edition,
    api,
    sql,
    environmentOf: (program) => ({ ...environment, DATABASE_URL: named(databaseUrl, program) }),
    own,
    gatewayUrl,
    close: () => opened.disposeAsync(),
  };
}

/** The URL of the database for one program: its connections carry the program's name. */
function named(url: string, program: string): string {
  const own = new URL(url);
  own.searchParams.set('options', `-c TimeZone=UTC -c campaign.program=${program}`);
  return own.href;
}

/**
 * Records each change of a checkpoint of quotes or revisions as a row of `campaign_journal`, in the same transaction: a
 * claim raises the epoch, a commit moves the offset. An update that changed no row is recorded too: a commit that the
 * fence refused.
 */
async function keepJournal(sql: Sql): Promise<void> {
  await sql.query(`create table campaign_journal (id bigserial primary key, program text not null, kind text not null,
    projector text, partition integer, epoch bigint, owner text, from_offset bigint, to_offset bigint)`);
  await sql.query(`create function campaign_note() returns trigger language plpgsql security definer as $$
    begin
      insert into campaign_journal (program, kind, projector, partition, epoch, owner, from_offset, to_offset) values (
        coalesce(current_setting('campaign.program', true), ''),
        case when tg_op = 'INSERT' or new.owner_epoch <> old.owner_epoch then 'claim' else 'commit' end,
        new.projector, new.partition, new.owner_epoch, new.owner_id,
        case when tg_op = 'INSERT' then new.next_offset else old.next_offset end, new.next_offset);
      return null;
    end $$`);
  await sql.query(`create trigger campaign_note after insert or update on stream_state
    for each row when (new.projector in ('live', 'revisions')) execute function campaign_note()`);
  await sql.query(
    `create view campaign_streams as select * from stream_state where projector in ('live', 'revisions')`,
  );
  await sql.query(`create function campaign_refusal() returns trigger language plpgsql security definer as $$
    begin
      if not exists (select from moved) then
        insert into campaign_journal (program, kind) values (coalesce(current_setting('campaign.program', true), ''), 'refused');
      end if;
      return null;
    end $$`);
  await sql.query(`create trigger campaign_refusal after update on stream_state
    referencing new table as moved for each statement execute function campaign_refusal()`);
}
