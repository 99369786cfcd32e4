// One authority per league for MSF bodies. A claim is one statement: a concurrent one waits for the row and then decides on its new state.
import type { MsfAuthoritiesCatalog, MsfAuthority, MsfClaim } from '../../core/ports/catalog/msf-authorities.ts';
import type { Micros } from '../../core/units.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import { inTransaction } from './retryable.ts';
import type { Sql, SqlRow } from './sql.ts';

export function openMsfAuthoritiesCatalog(sql: Sql): MsfAuthoritiesCatalog {
  return {
    claim: (league, source) => claim(sql, league, source),
    assign: (league, source) => assign(sql, league, source),
    list: () => list(sql),
  };
}

/** A source without a rank has rank 0. */
const ranks = {
  claimant: 'coalesce((select s.rank from sources s where s.source = excluded.source), 0)',
  authority: 'coalesce((select s.rank from sources s where s.source = a.source), 0)',
};

async function claim(sql: Sql, league: League, source: string): Promise<MsfClaim> {
  const held = await sql.query(
    `insert into msf_authorities as a (league, source, heard_at) values ($1, $2, now())
     on conflict (league) do update set source = excluded.source, heard_at = greatest(a.heard_at, excluded.heard_at)
     where a.source = excluded.source
       or ${ranks.claimant} > ${ranks.authority}
       or (${ranks.claimant} = ${ranks.authority} and a.heard_at <= now() - interval '10 minutes')
     returning a.source`,
    [league, source],
    'claim_msf_league',
  );
  if (held.rows.length > 0) return { kind: 'held' };
  const { rows } = await sql.query(
    `with told as (
       insert into msf_refused_sources as r (league, source, told_at) values ($1, $2, now())
       on conflict (league, source) do update set told_at = now() where date_trunc('hour', r.told_at) < date_trunc('hour', now())
       returning r.source
     )
     select a.source, a.heard_at, exists (select from told) as is_news from msf_authorities a where a.league = $1`,
    [league, source],
    'refuse_msf_source',
  );
  const row = rows[0] as SqlRow;
  return {
    kind: 'other-source',
    authority: row.source as string,
    heardAt: row.heard_at as Micros,
    isNews: row.is_news as boolean,
  };
}

async function assign(sql: Sql, league: League, source: string): Promise<MsfAuthority | null> {
  return inTransaction(sql, async (tx) => {
    const { rows } = await tx.query(
      'select league, source, heard_at from msf_authorities where league = $1 for update',
      [league],
    );
    await tx.query(
      `insert into msf_authorities (league, source, heard_at) values ($1, $2, now())
       on conflict (league) do update set source = excluded.source, heard_at = excluded.heard_at`,
      [league, source],
    );
    return rows[0] === undefined ? null : toAuthority(rows[0]);
  });
}

async function list(sql: Sql): Promise<MsfAuthority[]> {
  const { rows } = await sql.query('select league, source, heard_at from msf_authorities order by league');
  return rows.map(toAuthority);
}

function toAuthority(row: SqlRow): MsfAuthority {
  return { league: row.league as League, source: row.source as string, heardAt: row.heard_at as Micros };
}
