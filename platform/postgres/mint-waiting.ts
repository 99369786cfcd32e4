// Mints games that were founded with an unknown team name, once that name becomes known. Call it under the lock of the games.
import { nextPublicId, publicIdBase, publicIdOf } from '../../core/games/public-id.ts';
import { knownGameColumns, toStoredGame } from './games-rows.ts';
import type { Sql } from './sql.ts';
import { readDirectories, type SourceTeamName } from './teams-store.ts';

/** Mints the games whose founding source now knows both teams, oldest first; returns the ids. `founder` null: of every source. */
export async function mintWaiting(tx: Sql, league: string, founder: string | null): Promise<string[]> {
  const { rows } = await tx.query(
    `select ${knownGameColumns} from games g
     where g.league = $1 and g.public_id is null and ($2::text is null or g.founder_source = $2)
       and exists (select from game_events e where e.game_uuid = g.id)
     order by g.created_at, g.id`,
    [league, founder],
  );
  const waiting = rows.map(toStoredGame);
  if (waiting.length === 0) return [];
  const names = new Map<string, SourceTeamName[]>();
  for (const { founderSource, homeName, awayName } of waiting) {
    const used = names.get(founderSource) ?? [];
    used.push({ league, name: homeName }, { league, name: awayName });
    names.set(founderSource, used);
  }
  const directories = await readDirectories(tx, names);
  const minted: string[] = [];
  for (const game of waiting) {
    const directory = directories.get(game.founderSource);
    const home = directory?.find(league, game.homeName) ?? null;
    const away = directory?.find(league, game.awayName) ?? null;
    if (home === null || away === null || home.id === away.id) continue;
    const base = publicIdBase(league, away.abbreviation, home.abbreviation, game.scheduledStart);
    const publicId = await freePublicId(tx, base);
    await tx.query(
      `update games set public_id = $2, home_team_id = $3, away_team_id = $4, home_name = $5, away_name = $6 where id = $1`,
      [game.uuid, publicId, home.id, away.id, home.name, away.name],
    );
    minted.push(publicId);
  }
  return minted;
}

/** Ids looked up at once; teams seldom play more than two games on a day. */
const firstIds = 10;

/** The first free id of these teams and date. Looks whole ids up, because an index finds a prefix in some collations only. */
async function freePublicId(tx: Sql, base: string): Promise<string> {
  for (let many = firstIds; ; many *= 10) {
    const ids = Array.from({ length: many }, (_, index) => publicIdOf(base, index + 1));
    const { rows } = await tx.query('select public_id from games where public_id = any ($1::text[])', [ids]);
    const taken = new Set(rows.map((row) => row.public_id));
    const { publicId, count } = nextPublicId(base, 0, (id) => taken.has(id));
    if (count <= many) return publicId;
  }
}
