// How many games sources and feed keys have founded on a UTC day, by the database's clock.
import { foundingsLeft } from '../../core/games/founding.ts';
import type { Founder } from '../../core/ports/catalog/games.ts';
import type { Sql } from './sql.ts';

/** How many games the source and its key may still found today. */
export async function foundingsLeftOf(tx: Sql, { source, key }: Founder) {
  const { rows } = await tx.query(
    `select coalesce((select games from games_founded where source = $1 and day = today), 0) as by_source,
       coalesce((select amount from feed_key_days
         where feed_key_id = $2 and day = today and kind = 'used' and name = 'games'), 0) as by_key
     from (select (now() at time zone 'utc')::date as today) as clock`,
    [source, key?.id ?? null],
    'games_founded_today',
  );
  const { by_source, by_key } = rows[0] as { by_source: number; by_key: number };
  return foundingsLeft(by_source, key === null ? null : { games: by_key, most: key.most });
}

export async function noteFounded(tx: Sql, { source, key }: Founder, games: number): Promise<void> {
  if (games === 0) return;
  if (key !== null) {
    await tx.query(
      `insert into feed_key_days (feed_key_id, day, kind, name, amount)
       values ($1, (now() at time zone 'utc')::date, 'used', 'games', $2)
       on conflict (feed_key_id, day, kind, name) do update set amount = feed_key_days.amount + excluded.amount`,
      [key.id, games],
      'note_games_of_key',
    );
  }
  await tx.query(
    `insert into games_founded (source, day, games) values ($1, (now() at time zone 'utc')::date, $2)
     on conflict (source) do update set day = excluded.day,
       games = excluded.games + case when games_founded.day = excluded.day then games_founded.games else 0 end`,
    [source, games],
  );
}
