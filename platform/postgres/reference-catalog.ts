// Reference data in PostgreSQL. This file lists teams and players, page by page; resolving and storing them have their own files.
import type { CatalogTeam } from '../../core/ports/catalog/games.ts';
import type { CatalogPlayer, PlayersQuery, ReferenceCatalog, TeamsQuery } from '../../core/ports/catalog/reference.ts';
import { teamColumns, toTeam } from './games-rows.ts';
import { identifyReference } from './identify-reference.ts';
import { KnownPlayers } from './known-players.ts';
import { commitReference } from './reference-commit.ts';
import type { Sql } from './sql.ts';

export function openReferenceCatalog(sql: Sql): ReferenceCatalog {
  const players = new KnownPlayers(sql);
  return {
    playersCalled: (source, names) => players.called(source, names),
    identify: (source, elements) => identifyReference(sql, source, elements),
    commit: (commit) => commitReference(sql, commit),
    teams: (query) => listTeams(sql, query),
    players: (query) => listPlayers(sql, query),
  };
}

async function listTeams(sql: Sql, { league, after, limit }: TeamsQuery): Promise<CatalogTeam[]> {
  const { rows } = await sql.query(
    `select ${teamColumns} from teams t
     where ($1::text is null or t.league = $1)
       and ($2::text is null or (t.league collate "C", t.abbreviation collate "C") > ($2, $3))
     order by t.league collate "C", t.abbreviation collate "C" limit $4`,
    [league, after?.league ?? null, after?.abbreviation ?? null, limit],
  );
  return rows.map(toTeam);
}

async function listPlayers(sql: Sql, { league, teamId, after, limit }: PlayersQuery): Promise<CatalogPlayer[]> {
  const { rows } = await sql.query(
    `select p.id, p.league, p.first_name, p.last_name, p.position, p.jersey_number, p.current_team_id, p.is_active from players p
     where ($1::text is null or p.league = $1) and ($2::uuid is null or p.current_team_id = $2) and ($3::uuid is null or p.id > $3)
     order by p.id limit $4`,
    [league, teamId, after, limit],
  );
  return rows as CatalogPlayer[];
}
