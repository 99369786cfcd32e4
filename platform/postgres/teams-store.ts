// Stores teams and the names that find them. core/games folds the names, so that stored and searched ones compare. Reads only the teams
// that are named: there may be any number of colleges.
import { foldTeamName, TeamDirectory, teamId } from '../../core/games/team-directory.ts';
import { abbreviationFromName, abbreviationsOf } from '../../core/games/teams.ts';
import { teamsAppear } from '../../core/league-code.ts';
import type { CatalogTeam } from '../../core/ports/catalog/games.ts';
import { teamColumns, toTeam } from './games-rows.ts';
import type { Sql } from './sql.ts';
import { jsonParameter, textParameter } from './values.ts';

/** A name that a source uses. */
export type SourceTeamName = { league: string; name: string };

/** The teams that these names identify for `source`. */
export async function readDirectory(
  sql: Sql,
  source: string,
  names: readonly SourceTeamName[],
): Promise<TeamDirectory> {
  return (await readDirectories(sql, new Map([[source, names]]))).get(source) as TeamDirectory;
}

/** The teams that the names of several sources identify, per source. */
export async function readDirectories(
  sql: Sql,
  used: ReadonlyMap<string, readonly SourceTeamName[]>,
): Promise<ReadonlyMap<string, TeamDirectory>> {
  const wanted = [...used].flatMap(([source, names]) => {
    return names.map(({ league, name }) => ({ source, league, name: foldTeamName(textParameter(name)) }));
  });
  const { rows } = await sql.query(
    `with wanted as (select distinct * from jsonb_to_recordset($1::jsonb) as w (source text, league text, name text)),
     found as (
       select n.league, n.name, n.team_id, n.is_alias, null as source from team_names n
       join (select distinct league, name from wanted) w using (league, name)
       union all
       select n.league, n.name, n.team_id, null, n.source from told_team_names n join wanted w using (source, league, name)
     )
     select found.name as called, found.is_alias, found.source, ${teamColumns} from found join teams t on t.id = found.team_id`,
    [jsonParameter(wanted)],
    'teams_named',
  );
  const all = new TeamDirectory();
  const directories = new Map([...used.keys()].map((source) => [source, new TeamDirectory(all)]));
  for (const row of rows) {
    const team = toTeam(row);
    if (row.source !== null) {
      directories.get(row.source as string)?.addReported(row.called as string, team);
      continue;
    }
    addUnderItsNames(all, team);
    if (row.is_alias === true) all.addAlias(row.called as string, team);
  }
  return directories;
}

/** In a league with a reference table, a team outside the table is found only by the names that its founder reports. */
function addUnderItsNames(directory: TeamDirectory, team: CatalogTeam): void {
  if (teamsAppear(team.league)) directory.addAppeared(team);
  else if (team.id === teamId(team.league, team.abbreviation)) directory.add(team);
  else directory.addFounded(team);
}

/**
 * Loads which abbreviations are taken, of those that new colleges with these names could get: two queries, however many there are and
 * however many are taken.
 */
export async function addTakenAbbreviations(
  sql: Sql,
  directory: TeamDirectory,
  names: readonly SourceTeamName[],
): Promise<void> {
  const unknown = new Map<string, SourceTeamName>();
  const crowded: SourceTeamName[] = [];
  const firsts = new Map<string, Abbreviation>();
  for (const used of names) {
    const { league, name } = used;
    const key = `${league} ${foldTeamName(name)}`;
    if (!teamsAppear(league) || unknown.has(key) || directory.find(league, name) !== null) continue;
    unknown.set(key, used);
    const first = firstOf(used);
    if (firsts.has(keyOf(first))) crowded.push(used);
    firsts.set(keyOf(first), first);
  }
  const taken = await takenOf(sql, firsts.values());
  const takenKeys = new Set(taken.map(keyOf));
  for (const used of unknown.values()) if (takenKeys.has(keyOf(firstOf(used)))) crowded.push(used);
  const numbered = await takenOf(
    sql,
    crowded.flatMap(({ league, name }) => abbreviationsOf(name).map((abbreviation) => ({ league, abbreviation }))),
  );
  for (const { league, abbreviation } of [...taken, ...numbered]) directory.addAbbreviation(league, abbreviation);
}

type Abbreviation = { league: string; abbreviation: string };

function firstOf({ league, name }: SourceTeamName): Abbreviation {
  return { league, abbreviation: abbreviationFromName(name) };
}

function keyOf({ league, abbreviation }: Abbreviation): string {
  return `${league} ${abbreviation}`;
}

/** Names share most of the abbreviations they could get; each is queried once. */
async function takenOf(sql: Sql, wanted: Iterable<Abbreviation>): Promise<readonly Abbreviation[]> {
  const distinct = [...new Map(Array.from(wanted, (each) => [keyOf(each), each])).values()];
  if (distinct.length === 0) return [];
  const { rows } = await sql.query(
    `select t.league, t.abbreviation from unnest($1::text[], $2::text[]) as w (league, abbreviation)
     join teams t using (league, abbreviation)`,
    [distinct.map(({ league }) => league), distinct.map(({ abbreviation }) => abbreviation)],
    'taken_abbreviations',
  );
  return rows as Abbreviation[];
}

/** A team with the additional names that find it for every source. */
type NamedTeam = { team: CatalogTeam; aliases: readonly string[] };

/** Stores teams with their names; existing ones get the given facts. */
export async function storeTeams(sql: Sql, entries: readonly NamedTeam[]): Promise<void> {
  await storeUnnamedTeams(
    sql,
    entries.map(({ team }) => team),
  );
  const names = entries.flatMap(({ team, aliases }) => [
    { league: team.league, name: foldTeamName(team.name), is_alias: false, team_id: team.id },
    { league: team.league, name: foldTeamName(team.abbreviation), is_alias: false, team_id: team.id },
    ...aliases.map((alias) => ({ league: team.league, name: foldTeamName(alias), is_alias: true, team_id: team.id })),
  ]);
  if (names.length === 0) return;
  // An alias that the administrator has added stays as it is.
  await sql.query(
    `insert into team_names (league, name, is_alias, team_id)
     select * from jsonb_to_recordset($1::jsonb) as n (league text, name text, is_alias boolean, team_id uuid)
     on conflict (league, name, is_alias) do nothing`,
    [jsonParameter(names)],
  );
}

/** Teams founded by sources give up abbreviations that these teams need: any release may add a team to the reference table. */
export async function yieldAbbreviations(sql: Sql, entries: readonly NamedTeam[]): Promise<void> {
  await sql.query(
    `update teams t set abbreviation = left(t.abbreviation, 6) || upper(left(md5(t.id::text), 6))
     from jsonb_to_recordset($1::jsonb) as o (id uuid, league text, abbreviation text)
     where (t.league, t.abbreviation) = (o.league, o.abbreviation) and t.id <> o.id`,
    [jsonParameter(entries.map(({ team }) => team))],
  );
}

/** Stores teams without names; existing ones get the given facts. */
export async function storeUnnamedTeams(sql: Sql, teams: readonly CatalogTeam[]): Promise<void> {
  if (teams.length === 0) return;
  await sql.query(
    `insert into teams (id, league, abbreviation, name, city, nickname, conference, division, is_active)
     select id, league, abbreviation, name, city, nickname, conference, division, is_active
     from jsonb_to_recordset($1::jsonb) as t (id uuid, league text, abbreviation text, name text, city text, nickname text,
       conference text, division text, is_active boolean)
     on conflict (id) do update set name = excluded.name, city = excluded.city, nickname = excluded.nickname,
       conference = excluded.conference, division = excluded.division, is_active = excluded.is_active
     where (teams.name, teams.city, teams.nickname, teams.conference, teams.division, teams.is_active) is distinct from
       (excluded.name, excluded.city, excluded.nickname, excluded.conference, excluded.division, excluded.is_active)`,
    [jsonParameter(teams)],
  );
}

/** Gives a team another name for all sources, even if it identified another team before. */
export async function storeAlias(sql: Sql, league: string, alias: string, teamId: string): Promise<void> {
  await sql.query(
    `insert into team_names (league, name, is_alias, team_id) values ($1, $2, true, $3)
     on conflict (league, name, is_alias) do update set team_id = excluded.team_id`,
    [league, foldTeamName(alias), teamId],
  );
}

/** The names that a source reports for a team, by the source's id of it. */
type ReportedNames = {
  source: string;
  league: string;
  sourceId: string;
  teamId: string;
  names: readonly string[];
};

/** Stores the names that sources report: each of their ids gets these names and loses the earlier ones. */
export async function storeReportedNames(sql: Sql, reported: readonly ReportedNames[]): Promise<void> {
  if (reported.length === 0) return;
  const newest = [
    ...new Map(reported.map((each) => [`${each.source} ${each.league} ${each.sourceId}`, each])).values(),
  ];
  const names = newest.flatMap(({ source, league, sourceId, teamId, names: written }) => {
    const folded = new Map(written.map((name) => [foldTeamName(name), name]));
    return [...folded].map(([name, text]) => ({
      source,
      league,
      source_id: sourceId,
      name,
      written: text,
      team_id: teamId,
    }));
  });
  await sql.query(
    `delete from told_team_names n using jsonb_to_recordset($1::jsonb) as t (source text, league text, source_id text)
     where (n.source, n.league, n.source_id) = (t.source, t.league, t.source_id)`,
    [jsonParameter(newest.map(({ source, league, sourceId }) => ({ source, league, source_id: sourceId })))],
  );
  await sql.query(
    `insert into told_team_names (source, league, source_id, name, written, team_id)
     select * from jsonb_to_recordset($1::jsonb) as n (source text, league text, source_id text, name text, written text, team_id uuid)`,
    [jsonParameter(names)],
  );
}
