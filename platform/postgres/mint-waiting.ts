// Games that were founded before both of their teams were known get their ids when a name becomes known. To be called under the lock of the
// games.
import { nextPublicId, publicIdBase } from '../../core/games/public-id.ts';
import { knownGameColumns, toStoredGame } from './games-rows.ts';
import type { Sql } from './sql.ts';
import { readDirectory } from './teams-store.ts';

/** Gives ids to the games whose teams are both known now, oldest first; answers the ids. */
export async function mintWaiting(tx: Sql, league: string): Promise<string[]> {
  const waiting = await tx.query(
    `select ${knownGameColumns} from games g where g.league = $1 and g.public_id is null order by g.created_at, g.id`,
    [league],
  );
  if (waiting.rows.length === 0) return [];
  const directory = await readDirectory(tx, [league]);
  const minted: string[] = [];
  for (const game of waiting.rows.map(toStoredGame)) {
    const home = directory.find(league, game.homeName);
    const away = directory.find(league, game.awayName);
    if (home === null || away === null || home.id === away.id) continue;
    const base = publicIdBase(league, away.abbreviation, home.abbreviation, game.scheduledStart);
    const taken = await tx.query('select public_id from games where public_id = $1 or starts_with(public_id, $2)', [
      base,
      `${base}_`,
    ]);
    const ids = new Set(taken.rows.map((row) => row.public_id));
    const { publicId } = nextPublicId(base, 0, (id) => ids.has(id));
    await tx.query(
      `update games set public_id = $2, home_team_id = $3, away_team_id = $4, home_name = $5, away_name = $6 where id = $1`,
      [game.uuid, publicId, home.id, away.id, home.name, away.name],
    );
    minted.push(publicId);
  }
  return minted;
}
