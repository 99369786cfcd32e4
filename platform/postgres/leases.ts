// Work that one process does at a time: a lease by name, which its holder renews and which runs out a few seconds after it stops.
import type { CompanyCatalog, LeasesCatalog } from '../../core/ports/catalog/leases.ts';
import { newUuid } from '../process/ids.ts';
import type { Sql } from './sql.ts';

/** Takes or keeps the lease for so many seconds by the database's clock; false while another holds it. */
export async function holdLease(sql: Sql, name: string, holder: string, seconds = 5): Promise<boolean> {
  const { rows } = await sql.query(
    `insert into leases (name, holder, held_until) values ($1, $2, now() + make_interval(secs => $3))
     on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
       where leases.holder = excluded.holder or leases.held_until < now()
     returning name`,
    [name, holder, seconds],
    'hold_lease',
  );
  return rows.length > 0;
}

/** Gives the lease up, unless another holds it. */
export async function releaseLease(sql: Sql, name: string, holder: string): Promise<void> {
  await sql.query('delete from leases where name = $1 and holder = $2', [name, holder]);
}

export function openLeasesCatalog(sql: Sql): LeasesCatalog & CompanyCatalog {
  const holder = newUuid();
  return {
    hold: (name) => holdLease(sql, name, holder),
    release: (name) => releaseLease(sql, name, holder),
    async company(group) {
      const { rows } = await sql.query(
        `with own as (
           insert into leases (name, holder, held_until) values ($1 || $2, $2, now() + interval '5 seconds')
           on conflict (name) do update set held_until = excluded.held_until
         ), gone as (
           delete from leases where starts_with(name, $1) and held_until < now() - interval '1 minute'
         )
         select 1 + count(*)::integer as members from leases
         where starts_with(name, $1) and holder <> $2 and held_until >= now()`,
        [`${group} `, holder],
        'company',
      );
      return rows[0]?.members as number;
    },
  };
}
