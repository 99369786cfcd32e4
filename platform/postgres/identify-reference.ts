// Resolves the subjects of a push of reference data: loads what the catalog knows, calls the pure `identifyElements`, stores new ids and
// teams. Creates teams under the lock of the games, so that two pushes create one team once.
import type { TeamDirectory } from '../../core/games/team-directory.ts';
import { isCanonicalUuid } from '../../core/games/uuid.ts';
import { teamsAppear } from '../../core/league-code.ts';
import { identifyElements, nameOf, namesOf, type ReferenceIdentity } from '../../core/reference/identify.ts';
import type { ReferenceElement } from '../../core/reference/types.ts';
import { teamColumns, toTeam } from './games-rows.ts';
import { lockGames } from './resolve-games.ts';
import { inTransaction } from './retryable.ts';
import type { Sql } from './sql.ts';
import {
  addTakenAbbreviations,
  readDirectory,
  type SourceTeamName,
  storeReportedNames,
  storeTeams,
  storeUnnamedTeams,
} from './teams-store.ts';
import { jsonParameter } from './values.ts';

type SourceName = { kind: string; league: string; source_id: string };

export function identifyReference(
  sql: Sql,
  source: string,
  elements: readonly ReferenceElement[],
): Promise<readonly ReferenceIdentity[]> {
  return inTransaction(sql, async (tx) => {
    if (elements.some(({ kind }) => kind === 'team')) await lockGames(tx);
    const names = elements.flatMap(teamNamesIn);
    const teams = await readDirectory(tx, source, names);
    await addNamedTeams(tx, teams, elements);
    if (elements.some(({ kind }) => kind === 'team')) await addTakenAbbreviations(tx, teams, names);
    const identities = identifyElements(source, elements, {
      teams,
      ids: await readIds(tx, source, elements.flatMap(namesIn)),
      playerLeagues: await readPlayers(tx, elements),
    });
    await storeNewTeams(tx, source, elements, identities);
    await storeIds(
      tx,
      elements.flatMap((element, index) => {
        const identity = identities[index] as ReferenceIdentity;
        if (identity.kind === 'refused') return [];
        return [{ kind: element.kind, source, league: element.league, source_id: element.sourceId, id: identity.id }];
      }),
    );
    return identities;
  });
}

/** The names of teams in an element; for a college also the abbreviation, from which MSF makes its name. */
function teamNamesIn(element: ReferenceElement): SourceTeamName[] {
  const { league } = element;
  const names = element.kind === 'team' ? [...namesOf(league, element.facts), element.facts.abbreviation ?? ''] : [];
  if (element.kind === 'player' && element.team?.by === 'name') names.push(element.team.name);
  return names.map((name) => ({ league, name }));
}

/** Adds teams that players name by canonical ids, and teams with an abbreviation that a new team would take. */
async function addNamedTeams(tx: Sql, teams: TeamDirectory, elements: readonly ReferenceElement[]): Promise<void> {
  const ids = elements.flatMap((element) =>
    element.kind === 'player' && element.team?.by === 'id' ? [element.team.id.toLowerCase()] : [],
  );
  const abbreviations = elements.flatMap((element) =>
    element.kind === 'team' ? [(element.facts.abbreviation ?? '').toUpperCase()] : [],
  );
  if (ids.length === 0 && abbreviations.every((abbreviation) => abbreviation === '')) return;
  const { rows } = await tx.query(
    `select ${teamColumns} from teams t where t.id = any ($1::uuid[]) or (t.league, t.abbreviation) in (
       select l.league, a.abbreviation from unnest($2::text[]) as l (league), unnest($3::text[]) as a (abbreviation))`,
    [ids.filter(isCanonicalUuid), [...new Set(elements.map(({ league }) => league))], [...new Set(abbreviations)]],
    'teams_of_elements',
  );
  for (const team of rows.map(toTeam)) teams.addFounded(team);
}

/** Colleges are found by their names, other new teams only by the names that their founder reports. */
async function storeNewTeams(
  tx: Sql,
  source: string,
  elements: readonly ReferenceElement[],
  identities: readonly ReferenceIdentity[],
): Promise<void> {
  const founded = identities.flatMap((each, index) => {
    const element = elements[index] as ReferenceElement;
    if (each.kind === 'refused' || each.newTeam === null || element.kind !== 'team') return [];
    return [{ element, team: each.newTeam }];
  });
  const appeared = founded.filter(({ team }) => teamsAppear(team.league));
  await storeTeams(
    tx,
    appeared.map(({ team }) => ({ team, aliases: [] })),
  );
  const others = founded.filter(({ team }) => !teamsAppear(team.league));
  await storeUnnamedTeams(
    tx,
    others.map(({ team }) => team),
  );
  await storeReportedNames(
    tx,
    others.map(({ team, element: { league, sourceId, facts } }) => {
      return { source, league, sourceId, teamId: team.id, names: namesOf(league, facts) };
    }),
  );
}

/** The source's id of an element, and of its team if that is given by the source's id. */
function namesIn(element: ReferenceElement): SourceName[] {
  const { kind, league } = element;
  const own = { kind, league, source_id: element.sourceId };
  if (element.kind !== 'player' || element.team?.by !== 'id') return [own];
  return [own, { kind: 'team', league, source_id: element.team.id }];
}

/** The canonical ids of a source's ids, by `nameOf`. */
export async function readIds(
  sql: Sql,
  source: string,
  names: readonly SourceName[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql.query(
    `select s.kind, s.league, s.source_id, s.id from source_ids s
     join (select distinct * from jsonb_to_recordset($2::jsonb) as n (kind text, league text, source_id text)) n
       on s.source = $1 and s.kind = n.kind and s.league = n.league and s.source_id = n.source_id`,
    [source, jsonParameter(names)],
  );
  return new Map(
    (rows as (SourceName & { kind: ReferenceElement['kind']; id: string })[]).map(({ kind, league, source_id, id }) => [
      nameOf(kind, league, source_id),
      id,
    ]),
  );
}

async function readPlayers(tx: Sql, elements: readonly ReferenceElement[]): Promise<ReadonlyMap<string, string>> {
  const named = elements.flatMap((element) => (element.kind === 'player' ? [element.playerId ?? ''] : []));
  const asked = named.filter(isCanonicalUuid);
  if (asked.length === 0) return new Map();
  const { rows } = await tx.query('select id, league from players where id = any ($1::uuid[])', [asked]);
  return new Map(rows.map((row) => [row.id as string, row.league as string]));
}

/** Stores a source's ids, in a fixed order: it waits for an id that another transaction is storing. An existing id keeps its meaning. */
export async function storeIds(tx: Sql, ids: readonly (SourceName & { source: string; id: string })[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    `insert into source_ids (kind, source, league, source_id, id)
     select * from jsonb_to_recordset($1::jsonb) as i (kind text, source text, league text, source_id text, id uuid)
     order by 1, 2, 3, 4
     on conflict do nothing`,
    [jsonParameter(ids)],
  );
}
