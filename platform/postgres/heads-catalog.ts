// The heads of games, many in one statement.
import type { GameHeads, HeadsCatalog, LiveHead, StreamHead } from '../../core/ports/catalog/heads.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import type { Sql } from './sql.ts';

export function openHeadsCatalog(sql: Sql): HeadsCatalog {
  return {
    heads: (gameUuids) => headsOf(sql, gameUuids),
    openGames: (league) => openGames(sql, league),
  };
}

const finalLines = `select from artifacts f where f.game_uuid = g.id and f.dataset = '${sportsbookLines.name}'`;
const isFinal = `exists (${finalLines})`;
const isLongFinal = `exists (${finalLines} and f.landed_at < now() - interval '15 minutes')`;

/** A log without an open segment ends with its last closed one. */
async function headsOf(sql: Sql, gameUuids: readonly string[]): Promise<GameHeads[]> {
  const { rows } = await sql.query(
    `select g.id, coalesce(g.public_id, g.id::text) as game_id, g.league, ${isFinal} as final,
       case when log.generation is not null then json_build_object('generation', log.generation, 'version', log.version,
         'seq', coalesce((log.tail ->> 'seq')::integer, last.seq, 0),
         'rowsOfSegment', coalesce((log.tail ->> 'rows')::integer, last.rows, 0), 'rows', log.rows) end as live,
       (select coalesce(json_agg(json_build_object('dataset', s.dataset, 'epoch', s.epoch, 'revision', coalesce(s.head, 0),
         'version', s.version)), '[]') from msf_streams s where s.scope_uuid = g.id) as streams
     from games g
     left join lateral (
       select l.generation, l.version, l.rows, l.tail from live_logs l where l.game_uuid = g.id order by l.generation desc limit 1
     ) as log on true
     left join lateral (
       select s.seq, s.rows from live_segments s where log.tail is null and s.game_uuid = g.id and s.generation = log.generation
       order by s.seq desc limit 1
     ) as last on true
     where g.id = any ($1::uuid[])`,
    [gameUuids],
    'game_heads',
  );
  return rows.map((row) => ({
    gameUuid: row.id as string,
    gameId: row.game_id as string,
    league: row.league as League,
    final: row.final as boolean,
    live: row.live as LiveHead | null,
    streams: row.streams as StreamHead[],
  }));
}

async function openGames(sql: Sql, league: League): Promise<string[]> {
  const { rows } = await sql.query(
    `select g.id from games g
     where g.league = $1 and not ${isLongFinal}
       and g.game_date between (now() at time zone 'America/New_York')::date - 3 and (now() at time zone 'America/New_York')::date + 30
       and (exists (select from live_logs l where l.game_uuid = g.id) or exists (select from msf_streams s where s.scope_uuid = g.id))
     order by g.id`,
    [league],
    'open_games',
  );
  return rows.map((row) => row.id as string);
}
