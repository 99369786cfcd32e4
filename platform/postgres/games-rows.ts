// Converts rows of games and teams to the port's types. Runs no queries.
import type { KnownGame } from '../../core/games/push-facts.ts';
import type { CatalogGame, CatalogTeam } from '../../core/ports/catalog/games.ts';
import type { Micros } from '../../core/units.ts';
import type { SqlRow } from './sql.ts';

/** Columns of a team, from table `t`. */
export const teamColumns =
  't.id, t.league, t.name, t.abbreviation, t.city, t.nickname, t.conference, t.division, t.is_active';

/** Whether the log of a game is closed, from table `g`. */
export const isSettled = 'exists (select from settlements c where c.game_uuid = g.id and c.closed is not null)';

/** Columns of a game as resolution needs it, from table `g`. */
export const knownGameColumns = `g.id, g.public_id, g.league, g.home_name, g.away_name, g.home_team_id, g.away_team_id, g.first_start, g.scheduled_start,
  g.start_logged, g.founder_source, ${isSettled} as settled,
  (select jsonb_build_object('source', e.source, 'eventId', e.event_id) from game_events e where e.game_uuid = g.id
   order by e.source <> g.founder_source, e.source, e.event_id limit 1) as bound_by`;

/** Selects whole games, with their teams and the log time of their newest log; the text after it may use `g`, `h`, `a`, `l` and `s`. */
export const selectGames = `
  select g.id, g.public_id, g.league, g.game_date, g.first_start, g.scheduled_start, g.from_schedule, g.status, g.founder_source,
    g.home_name, g.away_name, to_jsonb(h) as home, to_jsonb(a) as away, l.log_time, s.closed is not null as settled
  from games g
  left join teams h on h.id = g.home_team_id
  left join teams a on a.id = g.away_team_id
  left join lateral (
    select log_time from live_logs where game_uuid = g.id order by generation desc limit 1
  ) l on true
  left join settlements s on s.game_uuid = g.id`;

/** A game's id for readers: its public id, or its UUID if it has none. */
export const gameIdOf = 'coalesce(g.public_id, g.id::text) collate "C"';

export function toGame(row: SqlRow): CatalogGame {
  const publicId = row.public_id as string | null;
  return {
    uuid: row.id as string,
    gameId: publicId ?? (row.id as string),
    minted: publicId !== null,
    league: row.league as string,
    gameDate: row.game_date as string,
    firstStart: row.first_start as Micros,
    scheduledStart: row.scheduled_start as Micros,
    fromSchedule: row.from_schedule as boolean,
    status: row.status as string,
    settled: row.settled as boolean,
    logTime: row.log_time as Micros | null,
    founderSource: row.founder_source as string,
    homeName: row.home_name as string,
    awayName: row.away_name as string,
    home: row.home as CatalogTeam | null,
    away: row.away as CatalogTeam | null,
  };
}

export function toTeam(row: SqlRow): CatalogTeam {
  return {
    id: row.id as string,
    league: row.league as string,
    name: row.name as string,
    abbreviation: row.abbreviation as string,
    city: row.city as string | null,
    nickname: row.nickname as string | null,
    conference: row.conference as string | null,
    division: row.division as string | null,
    is_active: row.is_active as boolean,
  };
}

export type StoredGame = KnownGame & { startLogged: boolean; settled: boolean };

export function toStoredGame(row: SqlRow): StoredGame {
  return {
    uuid: row.id as string,
    publicId: row.public_id as string | null,
    league: row.league as string,
    homeName: row.home_name as string,
    awayName: row.away_name as string,
    homeTeamId: row.home_team_id as string | null,
    awayTeamId: row.away_team_id as string | null,
    firstStart: row.first_start as Micros,
    scheduledStart: row.scheduled_start as Micros,
    startLogged: row.start_logged as boolean,
    settled: row.settled as boolean,
    founderSource: row.founder_source as string,
    boundBy: row.bound_by as KnownGame['boundBy'],
  };
}
