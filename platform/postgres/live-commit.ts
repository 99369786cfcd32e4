// The commit of a flush: one statement, so one round trip and one transaction. Everything hangs on `fence`: its UPDATE takes the stream's
// row lock and, after waiting for whoever holds it, tests its WHERE again on the row as it then is; every other part joins what it
// returned, and nothing happens when that is nothing. What the parts read besides is the state before the statement.
import {
  type CommitAnswer,
  type GamePublication,
  type LiveCommit,
  UnknownCommit,
} from '../../core/ports/catalog/live.ts';
import type { FileRef } from '../../core/ports/object-store.ts';
import { topics } from '../../schemas/events/topics.ts';
import { deadLettersParameter, insertDeadLetters } from './dead-letters.ts';
import { connectionBroke } from './failures.ts';
import { indexSetText } from './index-set.ts';
import type { Sql } from './sql.ts';
import { jsonParameter, timestampOrNull, timestampText } from './values.ts';

/** A receipt is ours and short; a hostile record's may be anything, and is then nobody's. (Two that the database spells alike would clash.) */
const receiptForm = /^[\x21-\x7e]{1,100}$/;

/** Games whose notices go together: a payload holds 8,000 bytes. */
const gamesPerNotice = 100;

/** Performs the commit, whole or not at all. @throws UnknownCommit when the connection broke under it. */
export async function commitLive(sql: Sql, commit: LiveCommit): Promise<CommitAnswer> {
  const plain = commit.deadLetters.length === 0 && commit.receipts.length === 0;
  try {
    const { rows } = plain
      ? await sql.query(plainCommit, parametersOf(commit), 'commit_live')
      : await sql.query(
          fullCommit,
          [...parametersOf(commit), deadLettersParameter(commit.deadLetters), receiptsOf(commit)],
          'commit_live_full',
        );
    return rows[0]?.committed === true ? 'committed' : 'fenced';
  } catch (error) {
    if (error instanceof Error && connectionBroke(error.cause)) {
      throw new UnknownCommit('the connection broke under the commit', { cause: error.cause });
    }
    throw error;
  }
}

const fence = `
  with fence as (
    update stream_state set next_offset = $6, fold_digest = decode($7, 'hex'), updated_at = now(),
      snapshot_key = coalesce($8, snapshot_key), snapshot_offset = coalesce($9, snapshot_offset)
    where projector = $1 and topic = $2 and partition = $3 and owner_epoch = $4 and next_offset = $5
    returning owner_epoch
  )`;

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
  ), begun as (
    insert into objects (key, size, files, released_at)
    select o.key, o.size, o.files, case when o.files = 0 then now() end
    from jsonb_to_recordset($13::jsonb) as o (key text, size bigint, files integer), fence
  ), released as (
    update objects set files = objects.files - o.files,
      released_at = case when objects.files <= o.files then now() end
    from jsonb_to_recordset($14::jsonb) as o (key text, files integer), fence
    where objects.key = o.key
  ), moved as (
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

const refuse = `
  , letters as (
    ${insertDeadLetters(16, 'fence')}
  ), folds as (
    insert into receipt_folds (receipt, source, topic, partition, next_offset, applied, duplicates, refused, records)
    select r.receipt, r.source, $2, $3, $6, r.applied, r.duplicates, r.refused, r.records
    from jsonb_to_recordset($17::jsonb) as r (receipt text, source text, applied int8multirange, duplicates int8multirange,
      refused int8multirange, records jsonb), fence
  )`;

// A CTE that only selects runs when it is asked for: `notices` has to be.
const answer = `
  select exists (select from fence) as committed, (select count(*) from notices) as notices`;

const plainCommit = fence + publish + answer;
const fullCommit = fence + publish + refuse + answer;

function parametersOf(commit: LiveCommit): unknown[] {
  const { stream, games } = commit;
  const of = (game: GamePublication) => ({ game_uuid: game.gameUuid, generation: game.generation });
  return [
    stream.projector,
    stream.topic,
    stream.partition,
    commit.ownerEpoch,
    commit.from,
    commit.to,
    commit.foldDigest,
    commit.snapshot?.key ?? null,
    commit.snapshot?.offset ?? null,
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
    jsonParameter(objectsBegun(commit)),
    jsonParameter(objectsReleased(commit)),
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

/** New objects. What this very commit releases again is taken off here: one statement does not see its own rows. */
function objectsBegun({ objects, released }: LiveCommit) {
  return objects.map((object) => ({ ...object, files: object.files - filesReleased(released, object.key) }));
}

/** Releases of older objects, one entry a key. */
function objectsReleased({ objects, released }: LiveCommit) {
  const begun = new Set(objects.map((object) => object.key));
  const keys = new Set(released.map((each) => each.key).filter((key) => !begun.has(key)));
  return [...keys].map((key) => ({ key, files: filesReleased(released, key) }));
}

function filesReleased(released: LiveCommit['released'], key: string): number {
  return released.reduce((sum, each) => (each.key === key ? sum + each.files : sum), 0);
}

function receiptsOf(commit: LiveCommit): string {
  const folds = commit.receipts.filter((fold) => receiptForm.test(fold.receipt));
  return jsonParameter(
    folds.map((fold) => ({
      ...fold,
      applied: indexSetText(fold.applied),
      duplicates: indexSetText(fold.duplicates),
      refused: indexSetText(fold.refused),
    })),
  );
}
