// The gateway's catalog: receipts, idempotency keys, dead letters of refused parts, sources. Each call is one statement, so that an
// acknowledgement costs one commit; repeating it after a lost answer changes nothing.
import { createHash } from 'node:crypto';
import type { DeadLetter } from '../../core/ports/catalog/dead-letters.ts';
import type {
  IdempotencyKeyUse,
  PushCatalog,
  PushingSource,
  ReceiptEntry,
  ReceiptRecord,
  ReceiptState,
  Rejection,
} from '../../core/ports/catalog/pushes.ts';
import { type Log, silentLog } from '../../core/ports/telemetry.ts';
import type { Micros } from '../../core/units.ts';
import { deadLettersParameter, insertingDeadLetters } from './dead-letters.ts';
import { indexSetText } from './index-set.ts';
import { openPushCounts } from './push-counts.ts';
import { inTransaction } from './retryable.ts';
import type { Sql } from './sql.ts';
import { jsonParameter, textParameter, timestampText } from './values.ts';

const recordsKept = 1_000;
const rowsPerDelete = 5_000;

export function openPushCatalog(sql: Sql, log: Log = silentLog): PushCatalog {
  const counts = openPushCounts(sql, log);
  return {
    useKey: (source, key, bodySha256, receipt) => useKey(sql, source, key, bodySha256, receipt),
    async releaseKey(source, key, receipt) {
      await sql.query(
        'delete from idempotency_keys where source = $1 and key = $2 and receipt = $3 and not logged',
        [source, storedKey(key), receipt],
        'release_key',
      );
    },
    async acknowledge(entry, key, deadLetters) {
      await acknowledge(sql, entry, key, deadLetters);
      counts.count(entry.source);
    },
    receipt: (receipt) => receiptState(sql, receipt),
    async sources() {
      await counts.flush();
      return allSources(sql);
    },
    rankOf: (source) => rankOf(sql, source),
    async foundSource(source, rank) {
      await sql.query('insert into sources (source, rank) values ($1, $2) on conflict do nothing', [source, rank]);
    },
    rankSource: (source, rank) => rankSource(sql, source, rank),
    async expire() {
      for (const table of ['receipts', 'receipt_folds', 'idempotency_keys']) await expireRows(sql, table);
    },
    flush: () => counts.flush(),
  };
}

/** Keys are clients' own texts of any length and content; only their digest is stored. */
function storedKey(key: string): string {
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}

const keyIsKept = `created_at > now() - interval '24 hours'`;

async function useKey(
  sql: Sql,
  source: string,
  key: string,
  bodySha256: string,
  receipt: string,
): Promise<IdempotencyKeyUse> {
  const values = [source, storedKey(key), bodySha256, receipt];
  for (;;) {
    const claimed = await sql.query(
      `insert into idempotency_keys (source, key, body_sha256, receipt) values ($1, $2, $3, $4)
       on conflict (source, key) do update
         set body_sha256 = excluded.body_sha256, receipt = excluded.receipt, logged = false, created_at = now()
         where not (idempotency_keys.${keyIsKept})
       returning receipt`,
      values,
      'claim_key',
    );
    if (claimed.rows.length > 0) return { kind: 'new' };
    const held = await sql.query(
      `select body_sha256, receipt, logged from idempotency_keys where source = $1 and key = $2 and ${keyIsKept}`,
      values.slice(0, 2),
      'read_key',
    );
    const row = held.rows[0] as { body_sha256: string; receipt: string; logged: boolean } | undefined;
    // It expired between the two statements, so it is free now.
    if (row === undefined) continue;
    if (row.body_sha256 !== bodySha256) return { kind: 'conflict' };
    return { kind: 'repeated', receipt: row.receipt, logged: row.logged };
  }
}

async function acknowledge(
  sql: Sql,
  entry: ReceiptEntry,
  key: string | null,
  letters: readonly DeadLetter[],
): Promise<void> {
  const inserting = insertingDeadLetters('$8', 'entry');
  await sql.query(
    `with entry as (
      insert into receipts (receipt, source, received_at, accepted, accepted_indexes, duplicates, rejected, rejected_more)
      values ($1, $2, $3, $4, $9, $5, $6, $10)
      on conflict (receipt) do nothing
      returning receipt
    ), used as (
      update idempotency_keys set logged = true where source = $2 and key = $7 and receipt = $1
    ), ${inserting.payloads}
    ${inserting.letters}`,
    [
      entry.receipt,
      entry.source,
      timestampText(entry.receivedAt),
      entry.accepted,
      entry.duplicates,
      jsonParameter(entry.rejected),
      key === null ? null : storedKey(key),
      deadLettersParameter(letters),
      indexSetText(entry.acceptedIndexes),
      entry.rejectedMore,
    ],
    'acknowledge',
  );
}

/** The union of a set over the folds of the receipt. */
const folded = (set: string) => `coalesce((select range_agg(part) from folds, unnest(folds.${set}) as part), '{}')`;
const countOf = (set: string) =>
  `(select coalesce(sum(upper(part) - lower(part)), 0)::integer from unnest(seen.${set}) as part)`;

// A record may be delivered any number of times, and a direct record may name any receipt and index. So only folds of the receipt's own
// source count, and only the indexes it accepted, each in one set. A record that was applied once counts as applied, whatever happened to
// its copies; a refused one counts as refused, unless a copy was applied.
const receiptQuery = `
  with entry as materialized (
    select receipt, source, received_at, accepted, accepted_indexes, duplicates, rejected, rejected_more from receipts where receipt = $1
  ), folds as materialized (
    select f.* from receipt_folds f join entry on f.receipt = entry.receipt and f.source = entry.source
  ), sets as materialized (
    select accepted_indexes * ${folded('applied')} as applied, accepted_indexes * ${folded('refused')} as refused,
      accepted_indexes * ${folded('duplicates')} as duplicates
    from entry
  ), seen as materialized (
    select applied, refused - applied as refused, duplicates - applied - refused as duplicates from sets
  ), named as materialized (
    select distinct on (place) place, record
    from seen, folds, jsonb_array_elements(folds.records) with ordinality as each (record, nth),
      lateral (select coalesce(record ->> 'place', record ->> 'index')::bigint as place) as of
    where case record ->> 'state' when 'applied' then seen.applied when 'refused' then seen.refused else seen.duplicates end @> place
    order by place, created_at, next_offset, nth
  )
  select receipt, source, received_at, accepted, entry.duplicates, rejected, rejected_more,
    ${countOf('applied')} as applied, ${countOf('refused')} as refused, ${countOf('duplicates')} as folded_duplicates,
    (select coalesce(sum(jsonb_array_length(record -> 'refusals')), 0)::integer from named where record ->> 'state' = 'applied')
      as refused_parts,
    coalesce((
      select jsonb_agg(record order by (record ->> 'index')::bigint, place)
      from (select place, record from named order by place limit ${recordsKept}) as kept
    ), '[]') as records
  from entry, seen`;

async function receiptState(sql: Sql, receipt: string): Promise<ReceiptState | null> {
  const { rows } = await sql.query(receiptQuery, [textParameter(receipt)], 'receipt_state');
  const row = rows[0];
  if (row === undefined) return null;
  return {
    receipt: row.receipt as string,
    source: row.source as string,
    receivedAt: row.received_at as Micros,
    accepted: row.accepted as number,
    duplicates: row.duplicates as number,
    rejected: row.rejected as Rejection[],
    rejectedMore: row.rejected_more as number,
    applied: row.applied as number,
    foldedDuplicates: row.folded_duplicates as number,
    refused: row.refused as number,
    refusedParts: row.refused_parts as number,
    records: row.records as ReceiptRecord[],
  };
}

async function rankOf(sql: Sql, source: string): Promise<number> {
  const { rows } = await sql.query('select rank from sources where source = $1', [source], 'rank_of_source');
  return (rows[0]?.rank as number | undefined) ?? 0;
}

async function rankSource(sql: Sql, source: string, rank: number): Promise<number> {
  return inTransaction(sql, async (tx) => {
    await tx.query('insert into sources (source) values ($1) on conflict do nothing', [source]);
    const { rows } = await tx.query('select rank from sources where source = $1 for update', [source]);
    await tx.query('update sources set rank = $2 where source = $1', [source, rank]);
    return rows[0]?.rank as number;
  });
}

async function allSources(sql: Sql): Promise<PushingSource[]> {
  const { rows } = await sql.query(
    'select source, first_seen, last_seen, pushes, rank from sources order by source collate "C"',
  );
  return rows.map((row) => ({
    source: row.source as string,
    firstSeen: row.first_seen as Micros,
    lastSeen: row.last_seen as Micros,
    pushes: row.pushes as number,
    rank: row.rank as number,
  }));
}

async function expireRows(sql: Sql, table: string): Promise<void> {
  for (;;) {
    const { rowCount } = await sql.query(
      `delete from ${table} where ctid = any (array(
         select ctid from ${table} where created_at < now() - interval '24 hours' limit ${rowsPerDelete}))`,
    );
    if ((rowCount ?? 0) < rowsPerDelete) return;
  }
}
