// The catalog of live data: what is served, and which games get ticks. The commit is in its own file.
import type {
  ClosedSegment,
  LiveCatalog,
  PublishedBoard,
  PublishedLog,
  PublishedTail,
  ServedLog,
  ServingHandlers,
} from '../../core/ports/catalog/live.ts';
import type { FileRef, ObjectKey } from '../../core/ports/object-store.ts';
import type { Micros } from '../../core/units.ts';
import { tracedNotice } from './commit-parts.ts';
import { commitLive } from './live-commit.ts';
import { factsOfEach, type SharedFacts } from './operator-facts.ts';
import type { Sql, SqlRow } from './sql.ts';
import { textParameter } from './values.ts';

export function openLiveCatalog(sql: Sql): LiveCatalog {
  return {
    commit: (commit) => commitLive(sql, commit),
    publishedIn: (partition) => publishedIn(sql, partition),
    knownSince: (gameUuid) => knownSince(sql, gameUuid),
    closedIn: (partition) => closedIn(sql, partition),
    servedLog: (gameUuid) => servedLog(sql, gameUuid),
    tailVersion: (gameUuid, generation, seq, rows) => smallestVersion(sql, gameUuid, generation, seq, rows),
    watchServing: (handlers) => watchServing(sql, handlers),
    tickingPartitions: () => tickingPartitions(sql),
    closesByTicks: (gameUuid) => closesByTicks(sql, gameUuid),
    gamesOpenFor: (source) => gamesOpenFor(sql, source),
    gamesWithoutTicks: (source, eventIds) => gamesWithoutTicks(sql, source, eventIds),
    now: () => databaseNow(sql),
  };
}

export const micros = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint`;

/**
 * The boards of the log `l`, as JSON of plain rows. A game with hundreds of boards is read at every change, and JSON objects would cost
 * four times as much.
 */
const boardsOfLog = `(select json_agg(b) from (
      select operator, rows, key, byte_offset, size, sha256 from live_boards
      where game_uuid = l.game_uuid and generation = l.generation order by operator) as b) as boards`;

/** A log with its boards and closed segments: one statement, so one snapshot, so one commit. */
export const logWithSegments = `
  select l.game_uuid, l.generation, l.version, l.first_seq, l.rows, l.applied_through, l.updated_at, l.tail, l.operators,
    ${boardsOfLog},
    (select coalesce(jsonb_agg(jsonb_build_object('seq', s.seq, 'rows', s.rows, 'min_timestamp', ${micros('s.min_timestamp')},
        'max_timestamp', ${micros('s.max_timestamp')}, 'key', s.key, 'size', s.size, 'sha256', s.sha256) order by s.seq), '[]')
      from live_segments s where s.game_uuid = l.game_uuid and s.generation = l.generation) as closed
  from live_logs l`;

/** Without the closed segments: they never change, and a partition may hold a season's. */
async function publishedIn(sql: Sql, partition: number): Promise<PublishedLog[]> {
  const { rows } = await sql.query(
    `select l.game_uuid, l.generation, l.tail, ${boardsOfLog}, l.log_version from live_logs l
     where l.partition = $1 and ${isNewest('l')}
       and not exists (select from settlements c where c.game_uuid = l.game_uuid and c.closed is not null)
     order by l.game_uuid`,
    [partition],
  );
  return rows.map((row) => ({
    gameUuid: row.game_uuid as string,
    generation: row.generation as number,
    tail: row.tail as PublishedTail | null,
    boards: boardsOf(row.boards as BoardRow[] | null),
    logVersion: row.log_version as string | null,
  }));
}

async function knownSince(sql: Sql, gameUuid: string): Promise<Micros | null> {
  const { rows } = await sql.query('select created_at from games where id = $1', [gameUuid]);
  return (rows[0]?.created_at as Micros | undefined) ?? null;
}

async function closedIn(sql: Sql, partition: number): Promise<string[]> {
  const { rows } = await sql.query(
    'select game_uuid from settlements where partition = $1 and closed is not null order by game_uuid',
    [partition],
  );
  return rows.map((row) => row.game_uuid as string);
}

async function servedLog(sql: Sql, gameUuid: string): Promise<ServedLog | null> {
  const { rows } = await sql.query(
    `${logWithSegments} where l.game_uuid = $1 order by l.generation desc limit 1`,
    [gameUuid],
    'served_log',
  );
  return rows[0] === undefined ? null : toServedLog(rows[0]);
}

/** Superseded tails, the current tail and the closed segment are all versions of one segment. */
async function smallestVersion(
  sql: Sql,
  gameUuid: string,
  generation: number,
  seq: number,
  rows: number,
): Promise<{ rows: number; file: FileRef } | null> {
  const answer = await sql.query(
    `select * from (
       select rows, key, byte_offset, size, sha256 from live_tail_versions
       where game_uuid = $1 and generation = $2 and seq = $3 and rows >= $4
       union all
       select (tail ->> 'rows')::integer, tail -> 'file' ->> 'key', (tail -> 'file' ->> 'offset')::integer,
         (tail -> 'file' ->> 'size')::integer, tail -> 'file' ->> 'sha256'
       from live_logs where game_uuid = $1 and generation = $2 and (tail ->> 'seq')::integer = $3 and (tail ->> 'rows')::integer >= $4
       union all
       select rows, key, 0, size, sha256 from live_segments
       where game_uuid = $1 and generation = $2 and seq = $3 and rows >= $4
     ) as versions order by rows limit 1`,
    [gameUuid, generation, seq, rows],
    'tail_version',
  );
  const row = answer.rows[0];
  if (row === undefined) return null;
  return { rows: row.rows as number, file: fileOf(row as FileRow) };
}

type FileRow = { key: string; byte_offset: number; size: number; sha256: string };

function fileOf({ key, byte_offset: offset, size, sha256 }: FileRow): FileRef {
  return { key: key as ObjectKey, offset, size, sha256 };
}

/** Replaces the version in a notice when final files of the game have landed. */
export const landedNotice = 'landed';

/**
 * A notice names games, each with the current version of its log, or with `landed` when files of it have landed. Those that are traced follow a
 * trace each.
 */
function watchServing(sql: Sql, handlers: ServingHandlers): Promise<() => Promise<void>> {
  const onNotice = (payload: string) => {
    let trace: { traceparent?: string } = {};
    for (const text of payload.split(',')) {
      const [gameUuid, generation, version] = text.split(' ');
      if (gameUuid === undefined || generation === undefined) continue;
      if (gameUuid === tracedNotice) trace = { traceparent: generation };
      else if (generation === landedNotice) handlers.landed?.(gameUuid);
      else if (version !== undefined) {
        handlers.moved({ gameUuid, generation: Number(generation), version: Number(version), ...trace });
      }
    }
  };
  return sql.listen('serving', onNotice, () => handlers.lost());
}

const gameColumns = 'g.id as game_uuid, coalesce(g.public_id, g.id::text) as game_id, g.league';

async function tickingPartitions(sql: Sql): Promise<number[]> {
  const { rows } = await sql.query(
    `select distinct ticking.partition from (
       select l.partition from live_logs l where l.open_offer and l.receive_timed and ${isNewest('l')}
       union all
       select w.partition from settlements w where w.closed is null and w.ticked
     ) ticking order by ticking.partition`,
    [],
    'ticking_partitions',
  );
  return rows.map((row) => row.partition as number);
}

/** Until the fold has said of a game whether ticks close it, its status and its log tell. */
async function closesByTicks(sql: Sql, gameUuid: string): Promise<boolean> {
  const { rows } = await sql.query(
    `select coalesce(s.closed is null and s.ticked, g.status in ('COMPLETED', 'CANCELLED') and coalesce(l.receive_timed, true)) as ticked
     from games g left join settlements s on s.game_uuid = g.id
       left join live_logs l on l.game_uuid = g.id and ${isNewest('l')}
     where g.id = $1`,
    [gameUuid],
  );
  return rows[0]?.ticked === true;
}

/**
 * A game without a log is one whose first records are being folded, so only games of about one day are searched, not those of all seasons.
 */
async function gamesOpenFor(sql: Sql, source: string) {
  const bound = (game: string) => `exists (select from game_events e where e.game_uuid = ${game} and e.source = $1)`;
  const { rows } = await sql.query(
    `select ${gameColumns} from games g where g.id in (
       select l.game_uuid from live_logs l
       where l.open_offer and ${isNewest('l')}
         and (${bound('l.game_uuid')} or exists (select from jsonb_array_elements(l.operators) o where o ->> 'source' = $1))
       union all
       select n.id from games n
       where n.created_at > now() - interval '1 day' and ${bound('n.id')}
         and not exists (select from live_logs l where l.game_uuid = n.id)
       union all
       select e.game_uuid from game_events e join games o on o.id = e.game_uuid
       where e.source = $1 and o.status in ('COMPLETED', 'CANCELLED')
         and not exists (select from settlements c where c.game_uuid = o.id and c.closed is not null))
     order by g.id`,
    [textParameter(source)],
    'games_open_for',
  );
  return rows.map(toGame);
}

/** Of the games that wait for time, those that `tickingPartitions` leaves out. */
async function gamesWithoutTicks(sql: Sql, source: string, eventIds: readonly string[]) {
  const { rows } = await sql.query(
    `select ${gameColumns} from games g
     where g.id in (select e.game_uuid from game_events e where e.source = $1 and e.event_id = any($2::text[]))
       and not exists (select from settlements c where c.game_uuid = g.id and c.closed is not null)
       and (exists (select from settlements w where w.game_uuid = g.id and not w.ticked)
         or exists (select from live_logs l
           where l.game_uuid = g.id and l.open_offer and not l.receive_timed and ${isNewest('l')}))
     order by g.id`,
    [textParameter(source), eventIds.map(textParameter)],
    'games_without_ticks',
  );
  return rows.map(toGame);
}

async function databaseNow(sql: Sql): Promise<Micros> {
  const { rows } = await sql.query('select clock_timestamp() as now');
  return rows[0]?.now as Micros;
}

/** Whether no log of the same game follows the log `log`. */
export function isNewest(log: string): string {
  return `not exists (select from live_logs n where n.game_uuid = ${log}.game_uuid and n.generation > ${log}.generation)`;
}

function toGame(row: SqlRow): { gameUuid: string; gameId: string; league: string } {
  return { gameUuid: row.game_uuid as string, gameId: row.game_id as string, league: row.league as string };
}

type BoardRow = FileRow & { operator: string; rows: number };

/** Null if the log has none. */
function boardsOf(boards: readonly BoardRow[] | null): PublishedBoard[] {
  return (boards ?? []).map((board) => ({ operator: board.operator, rows: board.rows, file: fileOf(board) }));
}

export function toServedLog(row: SqlRow): ServedLog {
  return {
    gameUuid: row.game_uuid as string,
    generation: row.generation as number,
    version: row.version as number,
    firstSeq: row.first_seq as number,
    rows: row.rows as number,
    appliedThrough: row.applied_through as Micros | null,
    updatedAt: row.updated_at as Micros,
    tail: row.tail as PublishedTail | null,
    closed: row.closed as ClosedSegment[],
    boards: boardsOf(row.boards as BoardRow[] | null),
    operators: factsOfEach(row.operators as SharedFacts[]),
  };
}
