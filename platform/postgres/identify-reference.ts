// Whom a push of reference data is about: loads what the catalog knows of it, asks the pure `identifyElements`, stores the ids and the new
// teams. Teams come into being under the lock of the games, so that two pushes make one team once.
import { isCanonicalUuid } from '../../core/games/uuid.ts';
import type { CatalogTeam } from '../../core/ports/catalog/games.ts';
import { type Identity, identifyElements, nameOf } from '../../core/reference/identify.ts';
import type { ReferenceElement } from '../../core/reference/types.ts';
import { lockGames } from './resolve-games.ts';
import { inTransaction } from './retryable.ts';
import type { Sql } from './sql.ts';
import { readDirectory, storeTeams } from './teams-store.ts';
import { jsonParameter } from './values.ts';

type SourceName = { kind: string; league: string; source_id: string };

export function identifyReference(
  sql: Sql,
  source: string,
  elements: readonly ReferenceElement[],
): Promise<readonly Identity[]> {
  return inTransaction(sql, async (tx) => {
    if (elements.some(({ kind }) => kind === 'team')) await lockGames(tx);
    const identities = identifyElements(source, elements, {
      teams: await readDirectory(tx, [...new Set(elements.map(({ league }) => league))]),
      ids: await readIds(tx, source, elements.flatMap(namesIn)),
      playerLeagues: await readPlayers(tx, elements),
    });
    const teams = identities.flatMap((each): CatalogTeam[] =>
      each.kind === 'identified' && each.newTeam !== null ? [each.newTeam] : [],
    );
    await storeTeams(
      tx,
      teams.map((team) => ({ team, aliases: [] })),
    );
    await storeIds(
      tx,
      elements.flatMap((element, index) => {
        const identity = identities[index] as Identity;
        if (identity.kind === 'refused') return [];
        return [{ kind: element.kind, source, league: element.league, source_id: element.sourceId, id: identity.id }];
      }),
    );
    return identities;
  });
}

/** What the source calls an element, and the team that it names by an id of its own. */
function namesIn(element: ReferenceElement): SourceName[] {
  const { kind, league } = element;
  const own = { kind, league, source_id: element.sourceId };
  if (element.kind !== 'player' || element.team?.by !== 'id') return [own];
  return [own, { kind: 'team', league, source_id: element.team.id }];
}

/** The canonical ids of what a source names, by `nameOf`. */
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

/** Stores by which ids a source names what, in one order for all: an id that is stored meanwhile is waited for. One in use stays as it is. */
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
