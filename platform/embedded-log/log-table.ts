// The log's statements. Offsets are assigned under the topic's row lock, held until the commit, so batches become visible in offset order:
// a reader that sees offset n has seen everything before it.
import type { Ends, Forgettable } from '../../core/ports/broker.ts';
import type { Micros } from '../../core/units.ts';
import type { Sql, SqlRow } from '../postgres/sql.ts';
import { timestampText } from '../postgres/values.ts';
import { frameBatch, type StoredRecord } from './batch-frame.ts';

export const notices = 'sds_log';

type TopicRow = { id: number; partitions: number };
export type PlacedRecord = StoredRecord & { partition: number };
export type StoredBatch = { firstOffset: number; records: number; at: Micros; bytes: Buffer };
type PartitionRange = { partition: number; low: number; high: number };

/** Records per row: few enough that a reader who starts in the middle wastes little. */
const maxRowRecords = 1_000;
const maxRowBytes = 1024 * 1024;
/** Most that one read returns, beyond its first row. */
export const maxReadRecords = 1_000;
const maxReadBytes = 256 * 1024;
const maxReadRows = 256;

export async function findTopic(sql: Sql, name: string): Promise<TopicRow | null> {
  const { rows } = await sql.query('select id, partitions from log_topics where name = $1', [name]);
  const [row] = rows;
  return row === undefined ? null : { id: Number(row.id), partitions: Number(row.partitions) };
}

/** Creates the topic if it is missing. An existing one keeps its number of partitions, which `addPartitions` alone changes. */
export async function createTopic(sql: Sql, name: string, partitions: number): Promise<void> {
  await sql.query(
    `with made as (
       insert into log_topics (name, partitions) values ($1, $2) on conflict (name) do nothing returning id, partitions
     )
     insert into log_partitions (topic_id, partition)
     select made.id, generate_series(0, made.partitions - 1) from made`,
    [name, partitions],
  );
}

/** Adds partitions until the topic has `partitions`, and their claims to its groups, whose members find them at their next poll. */
export async function addPartitions(sql: Sql, topicId: number, partitions: number): Promise<void> {
  await sql.query(
    `with grown as (
       update log_topics set partitions = $2 where id = $1 and partitions < $2 returning id
     ), added as (
       insert into log_partitions (topic_id, partition)
       select id, generate_series(0, $2::integer - 1) from grown on conflict do nothing
     )
     insert into log_claims (group_id, partition)
     select g.id, generate_series(0, $2::integer - 1) from log_groups g join grown on g.topic_id = grown.id
     on conflict do nothing`,
    [topicId, partitions],
  );
}

/** The schema's id, assigned on first use. */
export async function registerSchema(sql: Sql, subject: string, schema: string): Promise<number> {
  await sql.query('insert into log_schemas (subject, schema) values ($1, $2) on conflict do nothing', [
    subject,
    schema,
  ]);
  const { rows } = await sql.query('select id from log_schemas where subject = $1 and md5(schema) = md5($2)', [
    subject,
    schema,
  ]);
  return Number(rows[0]?.id);
}

export async function findSchema(sql: Sql, id: number): Promise<string | null> {
  if (id > 0x7fffffff) return null;
  const { rows } = await sql.query('select schema from log_schemas where id = $1', [id]);
  const schema = rows[0]?.schema;
  return typeof schema === 'string' ? schema : null;
}

const append = `
with wanted as (
  select ord, partition, records, start, length,
         sum(records) over (partition by partition order by ord) - records as ahead
  from unnest($2::integer[], $3::integer[], $4::integer[], $5::integer[])
       with ordinality as w (partition, records, start, length, ord)
),
locked as (
  select id from log_topics where id = $1 for no key update
),
moved as (
  update log_partitions p
  set next_offset = p.next_offset + total.records, newest_at = greatest(p.newest_at, clock_timestamp())
  from (select partition, sum(records) as records from wanted group by partition) total, locked
  where p.topic_id = locked.id and p.partition = total.partition
  returning p.partition, p.next_offset, p.next_offset - total.records as base, p.newest_at as at
),
written as (
  insert into log_batches (topic_id, partition, first_offset, records, at, bytes)
  select $1, w.partition, m.base + w.ahead, w.records, m.at, substring($6::bytea from w.start for w.length)
  from wanted w join moved m using (partition)
  returning partition
)
select count(*) as rows, (select jsonb_object_agg(partition, next_offset) from moved) as ends,
  (select jsonb_object_agg(partition, (extract(epoch from at) * 1000000)::bigint) from moved) as times,
  pg_notify('${notices}', $1::text || ':' || string_agg(distinct partition::text, ',') || ',' || $7::text)
from written`;

export type AppendedRows = { ends: Ends; rows: readonly { partition: number; row: StoredBatch }[] };

/**
 * Appends the records, each to its partition, in the given order. Once it resolves they are durable; returns the ends of the partitions and
 * the rows in log order. `author`: who appends, for the listeners to the notice.
 */
export async function appendRecords(
  sql: Sql,
  topicId: number,
  records: readonly PlacedRecord[],
  author: string,
): Promise<AppendedRows> {
  const rows = intoRows(records);
  const frames = rows.map((row) => frameBatch(row.records));
  let start = 1;
  const starts = frames.map((frame) => {
    start += frame.length;
    return start - frame.length;
  });
  const values = [
    topicId,
    rows.map((row) => row.partition),
    rows.map((row) => row.records.length),
    starts,
    frames.map((frame) => frame.length),
    Buffer.concat(frames),
    author,
  ];
  const answer = await sql.query(append, values, 'log_append');
  if (Number(answer.rows[0]?.rows) !== rows.length) throw new Error('the log lacks a partition of the topic');
  const { ends, times } = answer.rows[0] as { ends: OfPartitions; times: OfPartitions };
  const next = new Map<number, number>();
  for (const { partition, records } of rows)
    next.set(partition, (next.get(partition) ?? (ends[partition] as number)) - records.length);
  return {
    ends: new Map(Object.entries(ends).map(([partition, end]) => [Number(partition), end])),
    rows: rows.map(({ partition, records: { length } }, index) => {
      const firstOffset = next.get(partition) as number;
      next.set(partition, firstOffset + length);
      const bytes = frames[index] as Buffer;
      return { partition, row: { firstOffset, records: length, at: times[partition] as Micros, bytes } };
    }),
  };
}

type OfPartitions = Readonly<Record<number, number>>;

/** Groups consecutive records of a partition into rows. */
function intoRows(records: readonly PlacedRecord[]): { partition: number; records: PlacedRecord[]; bytes: number }[] {
  const rows: { partition: number; records: PlacedRecord[]; bytes: number }[] = [];
  const open = new Map<number, { partition: number; records: PlacedRecord[]; bytes: number }>();
  for (const record of records) {
    let row = open.get(record.partition);
    if (row === undefined || row.records.length >= maxRowRecords || row.bytes + record.value.length > maxRowBytes) {
      row = { partition: record.partition, records: [], bytes: 0 };
      open.set(record.partition, row);
      rows.push(row);
    }
    row.records.push(record);
    row.bytes += record.value.length;
  }
  return rows;
}

const readFrom = `
select p.first_offset as low, p.next_offset as high, b.first_offset, b.records, b.at, b.bytes
from log_partitions p
left join lateral (
  select held.*,
         sum(held.records) over rows_before as records_before,
         sum(octet_length(held.bytes)) over rows_before as bytes_before
  from (
    select first_offset, records, at, bytes from log_batches
    where topic_id = $1 and partition = $2
      and first_offset >= coalesce(
        (select max(first_offset) from log_batches where topic_id = $1 and partition = $2 and first_offset <= $3), 0)
    order by first_offset limit ${maxReadRows}
  ) held
  window rows_before as (order by first_offset rows between unbounded preceding and 1 preceding)
) b on b.first_offset + b.records > $3
   and coalesce(records_before, 0) < ${maxReadRecords} and coalesce(bytes_before, 0) < ${maxReadBytes}
where p.topic_id = $1 and p.partition = $2
order by b.first_offset`;

/** The next rows of the partition with records at or after `offset`, and the offsets that the partition holds. */
export async function readBatches(
  sql: Sql,
  topicId: number,
  partition: number,
  offset: number,
): Promise<{ low: number; high: number; batches: StoredBatch[] }> {
  const { rows } = await sql.query(readFrom, [topicId, partition, offset], 'log_read');
  const [first] = rows;
  if (first === undefined) throw new Error(`the log has no partition ${partition} of topic ${topicId}`);
  const batches = rows.filter((row) => row.bytes !== null).map(batchOf);
  return { low: Number(first.low), high: Number(first.high), batches };
}

function batchOf(row: SqlRow): StoredBatch {
  return {
    firstOffset: Number(row.first_offset),
    records: Number(row.records),
    at: Number(row.at),
    bytes: row.bytes as Buffer,
  };
}

export async function readRanges(sql: Sql, topicId: number): Promise<PartitionRange[]> {
  const { rows } = await sql.query(
    'select partition, first_offset, next_offset from log_partitions where topic_id = $1 order by partition',
    [topicId],
  );
  return rows.map((row) => ({
    partition: Number(row.partition),
    low: Number(row.first_offset),
    high: Number(row.next_offset),
  }));
}

/** The first offset held of records appended at `time` or later, else the partition's end. */
export async function findOffset(sql: Sql, topicId: number, partition: number, time: Micros): Promise<number> {
  const { rows } = await sql.query(
    `select greatest(p.first_offset, coalesce(
       (select min(b.first_offset) from log_batches b where b.topic_id = $1 and b.partition = $2 and b.at >= $3),
       p.next_offset)) as found
     from log_partitions p where p.topic_id = $1 and p.partition = $2`,
    [topicId, partition, timestampText(time)],
  );
  if (rows[0] === undefined) throw new Error(`the log has no partition ${partition} of topic ${topicId}`);
  return Number(rows[0].found);
}

/** Most rows deleted in one step: appends have to wait for it. */
const maxForgottenRows = 500;

// The times of a partition's rows never decrease, so old rows come first. The row that contains the new first offset stays.
const forget = `
with oldest as (
  select first_offset, records, at from log_batches
  where topic_id = $1 and partition = $2 order by first_offset limit ${maxForgottenRows}
),
forgettable as (
  select case when count(*) > 0 then least(max(first_offset + records), $4::bigint) end as until, count(*) as rows
  from oldest where $3::timestamptz is null or at < $3
),
moved as (
  update log_partitions p set first_offset = least(f.until, p.next_offset) from forgettable f
  where p.topic_id = $1 and p.partition = $2 and p.first_offset < f.until
  returning p.first_offset
),
forgotten as (
  delete from log_batches b using moved
  where b.topic_id = $1 and b.partition = $2
    and b.first_offset < moved.first_offset and b.first_offset + b.records <= moved.first_offset
)
select exists (select from moved) and rows = ${maxForgottenRows} and until < $4 as more from forgettable`;

/** Deletes the partition's oldest records, as many as one statement takes. */
export async function forgetOldest(
  sql: Sql,
  topicId: number,
  partition: number,
  { before, below }: Forgettable,
): Promise<{ more: boolean }> {
  const values = [topicId, partition, before === null ? null : timestampText(before), below];
  const { rows } = await sql.query(forget, values, 'log_forget');
  return { more: rows[0]?.more === true };
}
