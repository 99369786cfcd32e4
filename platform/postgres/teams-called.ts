// Finds the teams that the `team` parameter of `/v1/games` matches (docs/interface.md#list-games), in any league.
import { foldTeamName } from '../../core/games/team-directory.ts';
import { referenceTeams } from '../../core/games/teams.ts';
import { isCanonicalUuid } from '../../core/games/uuid.ts';
import { leagues } from '../../schemas/reference/leagues.ts';
import type { Sql } from './sql.ts';
import { textParameter } from './values.ts';

/** Ids of the teams with this canonical name; if there are none, with this id, abbreviation or nickname. Case does not matter. */
export async function teamsCalled(sql: Sql, called: string): Promise<string[]> {
  const folded = foldTeamName(textParameter(called));
  const { rows } = await sql.query(
    `select t.id, t.name from teams t where t.id in (
       select team_id from team_names where league = any ($2::text[]) and name = $1 and not is_alias
       union all select team_id from told_team_names where league = any ($2) and name = $1)`,
    [folded, leagues],
  );
  const named = rows.filter((row) => foldTeamName(row.name as string) === folded).map((row) => row.id as string);
  return named.length > 0 ? named : teamsOtherwiseCalled(sql, folded);
}

async function teamsOtherwiseCalled(sql: Sql, folded: string): Promise<string[]> {
  if (isCanonicalUuid(folded)) return [folded];
  const { rows } = await sql.query(
    'select id from teams where league = any ($2::text[]) and abbreviation = $1',
    [folded.toUpperCase(), leagues],
    'teams_abbreviated',
  );
  return [...new Set([...rows.map((row) => row.id as string), ...(nicknamed().get(folded) ?? [])])];
}

let nicknames: ReadonlyMap<string, readonly string[]> | null = null;

/** Ids of teams by their nicknames, which only the teams of the reference table have. */
function nicknamed(): ReadonlyMap<string, readonly string[]> {
  if (nicknames !== null) return nicknames;
  const found = new Map<string, string[]>();
  for (const { team } of referenceTeams()) {
    const name = foldTeamName(team.nickname ?? '');
    if (name !== '') found.set(name, [...(found.get(name) ?? []), team.id]);
  }
  nicknames = found;
  return nicknames;
}
