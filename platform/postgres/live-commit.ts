// The commit of a flush of the live projector: one statement, so one round trip and one transaction, whose parts all hang on the fence.
import type { CommitAnswer, GamePublication, LiveCommit } from '../../core/ports/catalog/live.ts';
import type { FileRef } from '../../core/ports/object-store.ts';
import { topics } from '../../schemas/events/topics.ts';
import {
  answer,
  commitAnswer,
  fence,
  fenceParameters,
  moveObjects,
  objectParameters,
  refuse,
  refuseParameters,
} from './commit-parts.ts';
import type { Sql } from './sql.ts';
import { jsonParameter, timestampOrNull, timestampText } from './values.ts';

/** Games whose notices go together: a payload holds 8,000 bytes. */
const gamesPerNotice = 100;

/** Performs the commit, whole or not at all. @throws UnknownCommit, CatalogRefused as `commitAnswer` does. */
export function commitLive(sql: Sql, commit: LiveCommit): Promise<CommitAnswer> {
  const plain = commit.deadLetters.length === 0 && commit.receipts.length === 0;
  return commitAnswer(() =>
    plain
      ? sql.query(plainCommit, parametersOf(commit), 'commit_live')
      : sql.query(fullCommit, [...parametersOf(commit), ...refuseParameters(commit)], 'commit_live_full'),
  );
}

const publish = `
  , logs as (
    insert into live_logs (game_uuid, generation, version, partition, first_seq, rows, applied_through, log_time, updated_at,
      owner_epoch, tail, boards, operators, open_offer, receive_timed)
    select g.game_uuid, g.generation, 1, $3, g.first_seq, g.rows, g.applied_through, g.log_time, now(),
      fence.owner_epoch, nullif(g.tail, 'null'), g.boards, g.operators, g.open_offer, g.receive_timed
    from jsonb_to_recordset($10::jsonb) as g (game_uuid uuid, generation integer, first_seq integer, rows bigint,
      applied_through timestamptz, log_time timestamptz, tail jsonb, boards jsonb, operators jsonb, open_offer boolean,
      receive_timed boolean), fence
    on conflict (game_uuid, generation) do update set
      version = live_logs.version + 1, partition = excluded.partition, first_seq = excluded.first_seq, rows = excluded.rows,
      applied_through = excluded.applied_through, log_time = excluded.log_time, updated_at = excluded.updated_at,
      owner_epoch = excluded.owner_epoch, tail = excluded.tail, boards = excluded.boards, operators = excluded.operators,
      open_offer = excluded.open_offer, receive_timed = excluded.receive_timed
    returning game_uuid, generation, version, rows, tail
  ), segments as (
    insert into live_segments (game_uuid, generation, seq, rows, min_timestamp, max_timestamp, key, size, sha256)
    select s.* from jsonb_to_recordset($11::jsonb) as s (game_uuid uuid, generation integer, seq integer, rows integer,
      min_timestamp timestamptz, max_timestamp timestamptz, key text, size integer, sha256 text), fence
  ), tails as (
    insert into live_tail_versions (game_uuid, generation, seq, rows, key, byte_offset, size, sha256)
    select t.* from jsonb_to_recordset($12::jsonb) as t (game_uuid uuid, generation integer, seq integer, rows integer, key text,
      byte_offset integer, size integer, sha256 text), fence
    on conflict (game_uuid, generation, seq, rows) do nothing
  )${moveObjects(13)}, moved as (
    update games set scheduled_start = s.scheduled_start
    from jsonb_to_recordset($15::jsonb) as s (game_uuid uuid, scheduled_start timestamptz), fence
    where games.id = s.game_uuid and not games.from_schedule and games.scheduled_start is distinct from s.scheduled_start
  ), outgoing as (
    insert into outbox (topic, key, value)
    select '${topics.publications}', game_uuid::text, jsonb_build_object('game_uuid', game_uuid, 'kind', 'live',
      'generation', generation, 'version', version, 'rows', rows, 'seq', tail -> 'seq')
    from logs
  ), notices as (
    select pg_notify('serving', string_agg(notice, ',')) from (
      select game_uuid || ' ' || generation || ' ' || version as notice, row_number() over () / ${gamesPerNotice} as part from logs
    ) as each group by part
  )`;

const plainCommit = fence + publish + answer;
const fullCommit = fence + publish + refuse(16) + answer;

function parametersOf(commit: LiveCommit): unknown[] {
  const { games } = commit;
  const of = (game: GamePublication) => ({ game_uuid: game.gameUuid, generation: game.generation });
  return [
    ...fenceParameters(commit),
    jsonParameter(
      games.map((game) => ({
        ...of(game),
        first_seq: game.firstSeq,
        rows: game.rows,
        applied_through: timestampOrNull(game.appliedThrough),
        log_time: timestampOrNull(game.logTime),
        tail: game.tail,
        boards: game.boards,
        operators: game.operators,
        open_offer: game.openOffer,
        receive_timed: game.receiveTimed,
      })),
    ),
    jsonParameter(
      games.flatMap((game) =>
        game.closed.map((segment) => ({
          ...of(game),
          ...segment,
          min_timestamp: timestampText(segment.min_timestamp),
          max_timestamp: timestampText(segment.max_timestamp),
        })),
      ),
    ),
    jsonParameter(
      games.flatMap((game) =>
        game.superseded === null
          ? []
          : [{ ...of(game), ...withoutFile(game.superseded), ...fileColumns(game.superseded.file) }],
      ),
    ),
    ...objectParameters(commit),
    jsonParameter(
      games.flatMap((game) =>
        game.scheduledStart === null
          ? []
          : [{ game_uuid: game.gameUuid, scheduled_start: timestampText(game.scheduledStart) }],
      ),
    ),
  ];
}

function withoutFile({ seq, rows }: { seq: number; rows: number }) {
  return { seq, rows };
}

function fileColumns({ key, offset, size, sha256 }: FileRef) {
  return { key, byte_offset: offset, size, sha256 };
}
