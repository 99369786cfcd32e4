// The commit of the live projector's flush, part by part: what is served of its games, their starts, and the notices.
import type { GamePublication, LiveCommit, SettlementMove } from '../../core/ports/catalog/live.ts';
import type { FileRef } from '../../core/ports/object-store.ts';
import { topics } from '../../schemas/events/topics.ts';
import { foldedReceipts, keptDeadLetters, movedObjects, notifying, traces } from './commit-parts.ts';
import { type CommitPart, commitStatement } from './commit-statement.ts';
import { sharedFacts } from './operator-facts.ts';
import type { Sql } from './sql.ts';
import { jsonParameter, timestampOrNull, timestampText } from './values.ts';

type LivePart = CommitPart<LiveCommit>;

/** The newest facts of each game's log. */
const logs: LivePart = {
  ctes: (parameter) => `logs as (
    insert into live_logs (game_uuid, generation, version, partition, first_seq, rows, applied_through, log_time, updated_at,
      owner_epoch, tail, operators, open_offer, receive_timed, log_version)
    select g.game_uuid, g.generation, 1, fence.partition, g.first_seq, g.rows, g.applied_through, g.log_time, now(),
      fence.owner_epoch, nullif(g.tail, 'null'), g.operators, g.open_offer, g.receive_timed, g.log_version
    from jsonb_to_recordset(${parameter(({ games }) => jsonParameter(games.map(logColumns)))}::jsonb) as g (game_uuid uuid,
      generation integer, first_seq integer, rows bigint, applied_through timestamptz, log_time timestamptz, tail jsonb, operators jsonb,
      open_offer boolean, receive_timed boolean, log_version text), fence
    on conflict (game_uuid, generation) do update set
      version = live_logs.version + 1, partition = excluded.partition, first_seq = excluded.first_seq, rows = excluded.rows,
      applied_through = excluded.applied_through, log_time = excluded.log_time, updated_at = excluded.updated_at,
      owner_epoch = excluded.owner_epoch, tail = excluded.tail, operators = excluded.operators,
      open_offer = excluded.open_offer, receive_timed = excluded.receive_timed, log_version = excluded.log_version
    returning game_uuid, generation, version, rows, tail
  )`,
};

/** The boards that the flush has written. */
const boards: LivePart = {
  ctes: (parameter) => `boards as (
    insert into live_boards (game_uuid, generation, operator, rows, key, byte_offset, size, sha256)
    select b.* from jsonb_to_recordset(${parameter(({ games }) => jsonParameter(games.flatMap(boardColumns)))}::jsonb)
      as b (game_uuid uuid, generation integer, operator text, rows integer, key text, byte_offset integer, size integer, sha256 text), fence
    on conflict (game_uuid, generation, operator) do update set
      rows = excluded.rows, key = excluded.key, byte_offset = excluded.byte_offset, size = excluded.size, sha256 = excluded.sha256
  )`,
};

/** Removes logs that a rebuilt log replaces. The versions of their tails expire by age, as for any log. */
const formerLogs: LivePart = {
  ctes(parameter) {
    const restarted = parameter(({ games }) => jsonParameter(games.filter((game) => game.restarted).map(logOf)));
    const given = `jsonb_to_recordset(${restarted}::jsonb) as r (game_uuid uuid, generation integer), fence`;
    return `former as (
    delete from live_logs l using ${given} where l.game_uuid = r.game_uuid and l.generation < r.generation
  ), former_boards as (
    delete from live_boards b using ${given} where b.game_uuid = r.game_uuid and b.generation < r.generation
  ), former_segments as (
    delete from live_segments s using ${given} where s.game_uuid = r.game_uuid and s.generation < r.generation
  )`;
  },
};

/** Segments closed by a cut. */
const segments: LivePart = {
  ctes: (parameter) => `segments as (
    insert into live_segments (game_uuid, generation, seq, rows, min_timestamp, max_timestamp, key, size, sha256)
    select s.* from jsonb_to_recordset(${parameter(({ games }) => jsonParameter(games.flatMap(closedColumns)))}::jsonb)
      as s (game_uuid uuid, generation integer, seq integer, rows integer, min_timestamp timestamptz, max_timestamp timestamptz, key text,
        size integer, sha256 text), fence
  )`,
};

/** Superseded versions of open segments; listed until they are collected. */
const tails: LivePart = {
  ctes: (parameter) => `tails as (
    insert into live_tail_versions (game_uuid, generation, seq, rows, key, byte_offset, size, sha256)
    select t.* from jsonb_to_recordset(${parameter(({ games }) => jsonParameter(games.flatMap(supersededColumns)))}::jsonb)
      as t (game_uuid uuid, generation integer, seq integer, rows integer, key text, byte_offset integer, size integer, sha256 text), fence
    on conflict (game_uuid, generation, seq, rows) do nothing
  )`,
};

/** Starts from records, for games without a start from a schedule. In arrays, so that games are found by their ids (see `movedObjects`). */
const starts: LivePart = {
  ctes: (parameter) => `moved as (
    update games set scheduled_start = s.scheduled_start
    from unnest(${parameter(({ games }) => startsOf(games).map(({ gameUuid }) => gameUuid))}::uuid[],
      ${parameter(({ games }) => startsOf(games).map(({ start }) => start))}::timestamptz[]) as s (game_uuid, scheduled_start), fence
    where games.id = s.game_uuid and not games.from_schedule and games.scheduled_start is distinct from s.scheduled_start
  )`,
};

/** Games that wait for their close, and closed games: a closed game never reopens. */
const settlements: LivePart = {
  ctes: (parameter) => `settling as (
    insert into settlements (game_uuid, partition, ticked, closed, closed_at)
    select s.game_uuid, fence.partition, s.ticked, nullif(s.closed, 'null'), case when s.closed <> 'null' then now() end
    from jsonb_to_recordset(${parameter((commit) => jsonParameter(commit.settlements.map(settlementColumns)))}::jsonb)
      as s (game_uuid uuid, ticked boolean, closed jsonb), fence
    on conflict (game_uuid) do update set partition = excluded.partition, ticked = excluded.ticked, closed = excluded.closed,
      closed_at = excluded.closed_at
      where settlements.closed is null
  )`,
};

const publications: LivePart = {
  ctes: () => `outgoing as (
    insert into outbox (topic, key, value, traceparent)
    select '${topics.publications}', game_uuid::text, jsonb_build_object('game_uuid', game_uuid, 'kind', 'live',
      'generation', generation, 'version', version, 'rows', rows, 'seq', tail -> 'seq'), traceparent
    from logs left join traces on key = game_uuid::text
  )`,
};

/** An older release takes a trace for a game without a version, and passes over it. */
const notices: LivePart = {
  ctes: () =>
    notifying(
      'serving',
      `select game_uuid || ' ' || generation || ' ' || version as notice, traceparent
       from logs left join traces on key = game_uuid::text`,
    ),
  asked: 'notices',
};

const published: readonly LivePart[] = [
  traces,
  logs,
  boards,
  segments,
  tails,
  movedObjects,
  starts,
  settlements,
  publications,
  notices,
];
const commitPlain = commitStatement('commit_live', published);
const full: readonly LivePart[] = [...published, keptDeadLetters, foldedReceipts];
const commitFull = commitStatement('commit_live_full', full);
const commitRestarts = commitStatement('commit_live_restarts', [...full, formerLogs]);

/** Performs the commit, whole or not at all. @throws UnknownCommit, CatalogRefused as `commitStatement` does. */
export function commitLive(sql: Sql, commit: LiveCommit) {
  if (commit.games.some(({ restarted }) => restarted)) return commitRestarts(sql, commit);
  const isPlain = commit.deadLetters.length === 0 && commit.receipts.length === 0;
  return (isPlain ? commitPlain : commitFull)(sql, commit);
}

function settlementColumns({ gameUuid, ticked, closed }: SettlementMove) {
  return { game_uuid: gameUuid, ticked, closed };
}

function logOf({ gameUuid, generation }: GamePublication) {
  return { game_uuid: gameUuid, generation };
}

function logColumns(game: GamePublication) {
  return {
    ...logOf(game),
    first_seq: game.firstSeq,
    rows: game.rows,
    applied_through: timestampOrNull(game.appliedThrough),
    log_time: timestampOrNull(game.logTime),
    tail: game.tail,
    operators: sharedFacts(game.operators),
    open_offer: game.openOffer,
    receive_timed: game.receiveTimed,
    log_version: game.logVersion,
  };
}

function boardColumns(game: GamePublication) {
  return game.boards.map(({ operator, rows, file }) => ({ ...logOf(game), operator, rows, ...fileColumns(file) }));
}

function closedColumns(game: GamePublication) {
  return game.closed.map((segment) => ({
    ...logOf(game),
    ...segment,
    min_timestamp: timestampText(segment.min_timestamp),
    max_timestamp: timestampText(segment.max_timestamp),
  }));
}

function supersededColumns(game: GamePublication) {
  if (game.superseded === null) return [];
  const { seq, rows, file } = game.superseded;
  return [{ ...logOf(game), seq, rows, ...fileColumns(file) }];
}

function startsOf(games: readonly GamePublication[]): { gameUuid: string; start: string }[] {
  return games.flatMap(({ gameUuid, scheduledStart }) =>
    scheduledStart === null ? [] : [{ gameUuid, start: timestampText(scheduledStart) }],
  );
}

function fileColumns({ key, offset, size, sha256 }: FileRef) {
  return { key, byte_offset: offset, size, sha256 };
}
