// The parts that the commits of several projectors share: the use of objects, dead letters of refused records, and receipts.
import type { Fence, FlushCommit } from '../../core/ports/catalog/checkpoints.ts';
import type { ObjectMoves } from '../../core/ports/catalog/objects.ts';
import type { CommitPart } from './commit-statement.ts';
import { deadLettersParameter, isReceipt, keepingDeadLettersOfFold } from './dead-letters.ts';
import { indexSetText } from './index-set.ts';
import { jsonParameter, textParameter } from './values.ts';

/** Precedes a trace in a payload; the notices after it belong to that trace. */
export const tracedNotice = 'traceparent';

/** The traces of games or scopes by their UUIDs as text; no row where nothing is traced. */
export const traces: CommitPart<Pick<Fence, 'traces'>> = {
  ctes: (parameter) => `traces as (
    select key, value as traceparent from jsonb_each_text(${parameter(({ traces }) => tracesParameter(traces))}::jsonb)
  )`,
};

function tracesParameter(traces: Fence['traces']): string | null {
  return traces === undefined || traces.size === 0 ? null : jsonParameter(Object.fromEntries(traces));
}

/**
 * Sends the notices in `rows` (columns `notice` and `traceparent`), in payloads of at most 8,000 bytes. A trace applies to all notices after
 * it, so those without one come first.
 */
export function notifying(channel: string, rows: string): string {
  return `notices as (
    select pg_notify('${channel}', string_agg(concat('${tracedNotice} ' || traceparent || ',', notice), ','
      order by traceparent nulls first)) from (
      select notice, traceparent, row_number() over () / case when exists (select from traces) then ${tracedPerNotice} else ${perNotice} end
        as part from (${rows}) as each
    ) as each group by part
  )`;
}

/** How many notices fit into a payload. */
const perNotice = 100;
const tracedPerNotice = 50;

/**
 * Starts using new objects and releases files that are no longer current. Releases are passed as arrays: for an array the planner expects
 * few elements and uses the key. For a JSON list it expects a hundred and would scan the whole table at each commit.
 */
export const movedObjects: CommitPart<ObjectMoves> = {
  ctes: (parameter) => `begun as (
    insert into objects (key, size, files, released_at)
    select o.key, o.size, o.files, case when o.files = 0 then now() end
    from jsonb_to_recordset(${parameter((commit) => jsonParameter(objectsBegun(commit)))}::jsonb)
      as o (key text, size bigint, files integer), fence
  ), released as (
    update objects set files = objects.files - o.files,
      released_at = case when objects.files <= o.files then now() end
    from unnest(${parameter((commit) => objectsReleased(commit).map(({ key }) => textParameter(key)))}::text[],
      ${parameter((commit) => objectsReleased(commit).map(({ files }) => files))}::integer[]) as o (key, files), fence
    where objects.key = o.key
  )`,
};

/** Stores the dead letters that their sources' daily quota still allows. */
export const keptDeadLetters: CommitPart<Pick<FlushCommit, 'deadLetters'>> = {
  ctes: (parameter) =>
    keepingDeadLettersOfFold(
      parameter(({ deadLetters }) => deadLettersParameter(deadLetters)),
      'fence',
    ),
};

/** Adds the outcome of records to their receipts. */
export const foldedReceipts: CommitPart<Pick<FlushCommit, 'receipts'>> = {
  ctes: (parameter) => `folds as (
    insert into receipt_folds (receipt, source, topic, partition, next_offset, applied, duplicates, refused, records)
    select r.receipt, r.source, fence.topic, fence.partition, fence.next_offset, r.applied, r.duplicates, r.refused, r.records
    from jsonb_to_recordset(${parameter(({ receipts }) => foldsParameter(receipts))}::jsonb) as r (receipt text, source text,
      applied int8multirange, duplicates int8multirange, refused int8multirange, records jsonb), fence
  )`,
};

function foldsParameter(receipts: FlushCommit['receipts']): string {
  const folds = receipts.filter((fold) => isReceipt(fold.receipt));
  return jsonParameter(
    folds.map((fold) => ({
      ...fold,
      applied: indexSetText(fold.applied),
      duplicates: indexSetText(fold.duplicates),
      refused: indexSetText(fold.refused),
    })),
  );
}

/** New objects. Subtracts what this same commit releases, because one statement does not see its own rows. */
function objectsBegun({ objects, released }: ObjectMoves) {
  return objects.map((object) => ({ ...object, files: object.files - filesReleased(released, object.key) }));
}

/** Releases of existing objects, one entry per key, in the order in which all who release lock them (objects-catalog.ts). */
function objectsReleased({ objects, released }: ObjectMoves) {
  const begun = new Set(objects.map((object) => object.key));
  const keys = new Set(released.map((each) => each.key).filter((key) => !begun.has(key)));
  return [...keys].sort().map((key) => ({ key, files: filesReleased(released, key) }));
}

function filesReleased(released: ObjectMoves['released'], key: string): number {
  return released.reduce((sum, each) => (each.key === key ? sum + each.files : sum), 0);
}
