// What the commits of all projectors have in common, as parts of one statement. Everything hangs on `fence`: its UPDATE takes the stream's
// row lock and, after waiting for whoever holds it, tests its WHERE again on the row as it then is; every other part joins what it
// returned, and nothing happens when that is nothing. What the parts read besides is the state before the statement.
import { type CommitAnswer, type LiveCommit, UnknownCommit } from '../../core/ports/catalog/live.ts';
import { deadLettersParameter, insertDeadLetters, isReceipt } from './dead-letters.ts';
import { asRefusal, connectionBroke } from './failures.ts';
import { indexSetText } from './index-set.ts';
import type { SqlResult } from './sql.ts';
import { jsonParameter } from './values.ts';

/** What any projector's commit has beside its facts. */
export type FencedCommit = Omit<LiveCommit, 'games'>;

/** The first part, over `fenceParameters` as the statement's first. */
export const fence = `
  with fence as (
    update stream_state set next_offset = $6, fold_digest = decode($7, 'hex'), updated_at = now(),
      snapshot_key = coalesce($8, snapshot_key), snapshot_offset = coalesce($9, snapshot_offset)
    where projector = $1 and topic = $2 and partition = $3 and owner_epoch = $4 and next_offset = $5
    returning owner_epoch
  )`;

/** $1 to $9. */
export function fenceParameters({ stream, ownerEpoch, from, to, foldDigest, snapshot }: FencedCommit): unknown[] {
  const { projector, topic, partition } = stream;
  return [
    projector,
    topic,
    partition,
    ownerEpoch,
    from,
    to,
    foldDigest,
    snapshot?.key ?? null,
    snapshot?.offset ?? null,
  ];
}

/** The bookkeeping of objects, over `objectParameters` at `position` and behind it. */
export function moveObjects(position: number): string {
  return `
  , begun as (
    insert into objects (key, size, files, released_at)
    select o.key, o.size, o.files, case when o.files = 0 then now() end
    from jsonb_to_recordset($${position}::jsonb) as o (key text, size bigint, files integer), fence
  ), released as (
    update objects set files = objects.files - o.files,
      released_at = case when objects.files <= o.files then now() end
    from jsonb_to_recordset($${position + 1}::jsonb) as o (key text, files integer), fence
    where objects.key = o.key
  )`;
}

export function objectParameters(commit: FencedCommit): unknown[] {
  return [jsonParameter(objectsBegun(commit)), jsonParameter(objectsReleased(commit))];
}

/** What became of the records that were refused or that name a receipt, over `refuseParameters` at `position` and behind it. */
export function refuse(position: number): string {
  return `
  , letters as (
    ${insertDeadLetters(position, 'fence')}
  ), folds as (
    insert into receipt_folds (receipt, source, topic, partition, next_offset, applied, duplicates, refused, records)
    select r.receipt, r.source, $2, $3, $6, r.applied, r.duplicates, r.refused, r.records
    from jsonb_to_recordset($${position + 1}::jsonb) as r (receipt text, source text, applied int8multirange, duplicates int8multirange,
      refused int8multirange, records jsonb), fence
  )`;
}

export function refuseParameters({ deadLetters, receipts }: FencedCommit): unknown[] {
  const folds = receipts.filter((fold) => isReceipt(fold.receipt));
  return [
    deadLettersParameter(deadLetters),
    jsonParameter(
      folds.map((fold) => ({
        ...fold,
        applied: indexSetText(fold.applied),
        duplicates: indexSetText(fold.duplicates),
        refused: indexSetText(fold.refused),
      })),
    ),
  ];
}

/** The last part. A CTE that only selects runs when it is asked for: `notices` has to be. */
export const answer = `
  select exists (select from fence) as committed, (select count(*) from notices) as notices`;

/**
 * What the statement answered; `send` makes its parameters, too.
 * @throws UnknownCommit when the connection broke under it
 * @throws CatalogRefused when the database will never take it
 */
export async function commitAnswer(send: () => Promise<SqlResult>): Promise<CommitAnswer> {
  try {
    const { rows } = await send();
    return rows[0]?.committed === true ? 'committed' : 'fenced';
  } catch (error) {
    if (error instanceof Error && connectionBroke(error.cause)) {
      throw new UnknownCommit('the connection broke under the commit', { cause: error.cause });
    }
    throw asRefusal(error);
  }
}

/** New objects. What this very commit releases again is taken off here: one statement does not see its own rows. */
function objectsBegun({ objects, released }: FencedCommit) {
  return objects.map((object) => ({ ...object, files: object.files - filesReleased(released, object.key) }));
}

/** Releases of older objects, one entry a key. */
function objectsReleased({ objects, released }: FencedCommit) {
  const begun = new Set(objects.map((object) => object.key));
  const keys = new Set(released.map((each) => each.key).filter((key) => !begun.has(key)));
  return [...keys].map((key) => ({ key, files: filesReleased(released, key) }));
}

function filesReleased(released: FencedCommit['released'], key: string): number {
  return released.reduce((sum, each) => (each.key === key ? sum + each.files : sum), 0);
}
