// Names for the administrator: those that sources have reported for teams, and the games whose names identify no team.
import type { ReportedName, UnresolvedGame } from '../../core/ports/catalog/games.ts';
import type { Micros } from '../../core/units.ts';
import type { Sql, SqlRow } from './sql.ts';

/**
 * Reported names other than the team's own, by league and name, once per source. `waiting`: only those that apply to their source alone.
 */
export async function reportedNames(sql: Sql, league: string | null, waiting: boolean): Promise<ReportedName[]> {
  const { rows } = await sql.query(
    `select distinct on (n.league, n.name, n.source, t.abbreviation) n.league, n.written, n.source, t.abbreviation, a.abbreviation as for_all
     from told_team_names n
     join teams t on t.id = n.team_id
     left join lateral (
       select o.abbreviation from team_names s join teams o on o.id = s.team_id
       where s.league = n.league and s.name = n.name order by s.is_alias limit 1
     ) a on true
     where ($1::text is null or n.league = $1)
       and not exists (select from team_names own where own.team_id = n.team_id and own.name = n.name and not own.is_alias)
       and not ($2 and a.abbreviation is not distinct from t.abbreviation)
     order by n.league, n.name, n.source, t.abbreviation`,
    [league, waiting],
  );
  return rows.map(toReportedName);
}

function toReportedName(row: SqlRow): ReportedName {
  return {
    league: row.league as string,
    name: row.written as string,
    source: row.source as string,
    abbreviation: row.abbreviation as string,
    forAll: row.for_all as string | null,
  };
}

/** Games without a public id, because their founding source calls a team by a name that identifies none; oldest first. */
export async function unresolvedGames(sql: Sql, league: string | null, limit: number): Promise<UnresolvedGame[]> {
  const { rows } = await sql.query(
    `select g.id, g.league, g.home_name, g.away_name, g.founder_source, g.scheduled_start from games g
     where g.public_id is null and ($1::text is null or g.league = $1) order by g.created_at, g.id limit $2`,
    [league, limit],
  );
  return rows.map((row) => ({
    uuid: row.id as string,
    league: row.league as string,
    homeName: row.home_name as string,
    awayName: row.away_name as string,
    founderSource: row.founder_source as string,
    scheduledStart: row.scheduled_start as Micros,
  }));
}
