// Leases by name, for work that one process does at a time. The holder renews its lease, which expires a few seconds after the last
// renewal.
import type {
  HeldLeases,
  InstancesCatalog,
  LeasedWork,
  LeaseName,
  LeasesCatalog,
} from '../../core/ports/catalog/leases.ts';
import { newUuid } from '../process/ids.ts';
import type { Sql } from './sql.ts';

const usualSeconds = 5;

/**
 * Longer than an append can take, so that an append begun under the lease ends before the next holder begins to append, or to discard what
 * is being appended: an unresponsive log fails within nine seconds, and its driver stops retrying a few seconds later.
 */
const secondsOf: Readonly<Record<string, number>> = { forwarder: 15, 'dead-letters': 15 } satisfies {
  [Name in LeaseName]?: number;
};

/** The holder is this catalog object: a process that opens several has several holders. */
export function openLeasesCatalog(sql: Sql): LeasesCatalog & LeasedWork & HeldLeases & InstancesCatalog {
  const holder = newUuid();
  return {
    async hold(name) {
      const { rows } = await sql.query(
        `insert into leases (name, holder, held_until) values ($1, $2, now() + make_interval(secs => $3))
         on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
           where leases.holder = excluded.holder or leases.held_until < now()
         returning name`,
        [name, holder, secondsOf[name] ?? usualSeconds],
        'hold_lease',
      );
      return rows.length > 0;
    },
    async release(name) {
      await sql.query('delete from leases where name = $1 and holder = $2', [name, holder]);
    },
    async worked(name) {
      await sql.query(
        'update leases set worked_at = now() where name = $1 and holder = $2',
        [name, holder],
        'note_work_of_lease',
      );
    },
    async isHeld(name) {
      const { rows } = await sql.query(
        'select exists (select from leases where name = $1 and held_until > now()) as held',
        [name],
        'held_lease',
      );
      return rows[0]?.held as boolean;
    },
    async countInstances(group) {
      const { rows } = await sql.query('select join_group($1, $2) as members', [group, holder], 'join_group');
      return rows[0]?.members as number;
    },
  };
}
