// Teams and the names by which they are found, as they are stored: names folded by core/games, so that both sides of a comparison are.
import { foldTeamName, TeamDirectory } from '../../core/games/team-directory.ts';
import type { CatalogTeam } from '../../core/ports/catalog/games.ts';
import { teamColumns, toTeam } from './games-rows.ts';
import type { Sql } from './sql.ts';
import { jsonParameter } from './values.ts';

/** All teams of the leagues, under every name. */
export async function readDirectory(sql: Sql, leagues: readonly string[]): Promise<TeamDirectory> {
  const { rows } = await sql.query(
    `select ${teamColumns}, (select coalesce(array_agg(n.name), '{}') from team_names n where n.team_id = t.id and n.is_alias) as aliases
     from teams t where t.league = any ($1::text[])`,
    [leagues],
    'teams_of_leagues',
  );
  const directory = new TeamDirectory();
  for (const row of rows) {
    const team = toTeam(row);
    directory.add(team);
    for (const alias of row.aliases as string[]) directory.addAlias(alias, team);
  }
  return directory;
}

/** Stores teams with their names; those that exist get the given facts. */
export async function storeTeams(
  sql: Sql,
  entries: readonly { team: CatalogTeam; aliases: readonly string[] }[],
): Promise<void> {
  if (entries.length === 0) return;
  await sql.query(
    `insert into teams (id, league, abbreviation, name, city, nickname, conference, division, is_active)
     select id, league, abbreviation, name, city, nickname, conference, division, is_active
     from jsonb_to_recordset($1::jsonb) as t (id uuid, league text, abbreviation text, name text, city text, nickname text,
       conference text, division text, is_active boolean)
     on conflict (id) do update set name = excluded.name, city = excluded.city, nickname = excluded.nickname,
       conference = excluded.conference, division = excluded.division, is_active = excluded.is_active
     where (teams.name, teams.city, teams.nickname, teams.conference, teams.division, teams.is_active) is distinct from
       (excluded.name, excluded.city, excluded.nickname, excluded.conference, excluded.division, excluded.is_active)`,
    [jsonParameter(entries.map((entry) => entry.team))],
  );
  const names = entries.flatMap(({ team, aliases }) => [
    { league: team.league, name: foldTeamName(team.name), is_alias: false, team_id: team.id },
    { league: team.league, name: foldTeamName(team.abbreviation), is_alias: false, team_id: team.id },
    ...aliases.map((alias) => ({ league: team.league, name: foldTeamName(alias), is_alias: true, team_id: team.id })),
  ]);
  // An alias that an operator has added meanwhile stays as it is.
  await sql.query(
    `insert into team_names (league, name, is_alias, team_id)
     select * from jsonb_to_recordset($1::jsonb) as n (league text, name text, is_alias boolean, team_id uuid)
     on conflict (league, name, is_alias) do nothing`,
    [jsonParameter(names)],
  );
}

/** Gives a team another name; one that another team had goes over to it. */
export async function storeAlias(sql: Sql, league: string, alias: string, teamId: string): Promise<void> {
  await sql.query(
    `insert into team_names (league, name, is_alias, team_id) values ($1, $2, true, $3)
     on conflict (league, name, is_alias) do update set team_id = excluded.team_id`,
    [league, foldTeamName(alias), teamId],
  );
}
