// The ledger in PostgreSQL. The function `charge` (schemas/catalog) decides what a charge costs, for a batch in one statement and so in one
// round trip and one transaction. This file calls it and reads the charges back.
import type { Charge, Ledger, LedgerAnswer, Month, Usage, UsageItem } from '../../core/ports/ledger.ts';
import type { Micros, Millis } from '../../core/units.ts';
import type { Sql, SqlRow } from './sql.ts';
import { jsonParameter } from './values.ts';

export function openLedger(sql: Sql): Ledger {
  return {
    charge: (charges) => charge(sql, charges),
    refund: (charges) => refund(sql, charges),
    usage: (accountId) => usage(sql, accountId),
    items: (accountId, month) => items(sql, accountId, month),
    reconcile: () => reconcile(sql),
    expire: () => expire(sql),
  };
}

async function charge(sql: Sql, charges: readonly Charge[]): Promise<readonly LedgerAnswer[]> {
  if (charges.length === 0) return [];
  const { rows } = await sql.query(
    'select place, debited, used_rows, monthly_rows, month, resets, ends_in from charge($1::jsonb)',
    [jsonParameter(charges.map(toRecord))],
    'charge',
  );
  const answers = new Array<LedgerAnswer>(charges.length);
  for (const row of rows) answers[(row.place as number) - 1] = toCharged(row);
  return answers;
}

async function refund(sql: Sql, charges: readonly Charge[]): Promise<void> {
  const ofFiles = charges.filter(({ read }) => read.kind !== 'live');
  if (ofFiles.length > 0) await sql.query('select refund($1::jsonb)', [jsonParameter(ofFiles.map(toRecord))], 'refund');
}

function toRecord({ chargeId, accountId, keyId, read, served }: Charge): Record<string, unknown> {
  const of = {
    charge_id: chargeId,
    account_id: accountId,
    key_id: keyId,
    kind: read.kind,
    game_uuid: read.gameUuid,
    game_id: read.gameId,
    rows: read.rows,
    ...(served === undefined ? {} : { served: true, served_in: served.month === null ? null : `${served.month}-01` }),
  };
  return read.kind === 'live'
    ? { ...of, first_seq: read.firstSeq, seq: read.seq }
    : { ...of, dataset: read.dataset, subject: read.subject };
}

function toCharged(row: SqlRow): LedgerAnswer {
  const facts = { ...toMonth(row), usedRows: row.used_rows as number };
  const monthlyRows = row.monthly_rows as number | null;
  const debited = row.debited as number | null;
  return debited === null
    ? { kind: 'exhausted', ...facts, monthlyRows: monthlyRows as number }
    : { kind: 'charged', ...facts, monthlyRows, debited };
}

function toMonth(row: SqlRow): Month {
  return { month: row.month as string, resets: row.resets as string, endsIn: row.ends_in as Micros };
}

/** The current month by the ledger's clock, as in `charge`. */
const presentMonth = `
  present as materialized (
    select now_, date_trunc('month', now_ at time zone 'UTC')::date as first from usage_now() as now_
  )`;

async function usage(sql: Sql, accountId: string): Promise<Usage> {
  const { rows } = await sql.query(
    `with ${presentMonth}
     select to_char(first, 'YYYY-MM') as month, to_char(first + interval '1 month', 'YYYY-MM-DD') as resets,
       (extract(epoch from (first + interval '1 month') at time zone 'UTC' - now_) * 1000000)::bigint as ends_in,
       (select monthly_rows from accounts where id = $1::uuid) as monthly_rows,
       coalesce((select used_rows from usage_months where account_id = $1::uuid and month = first), 0) as used_rows
     from present`,
    [accountId],
    'usage',
  );
  const row = rows[0] as SqlRow;
  return { ...toMonth(row), usedRows: row.used_rows as number, monthlyRows: row.monthly_rows as number | null };
}

type Items = Awaited<ReturnType<Ledger['items']>>;

/** Items and total in one statement, so of one instant. */
async function items(sql: Sql, accountId: string, month: string | null): Promise<Items> {
  const { rows } = await sql.query(
    `with ${presentMonth}, asked as (select coalesce($2::date, first) as month from present),
     live as (
       select 'live' as kind, max(game_id) as game_id, 'sportsbook-lines' as dataset, sum(reads) as reads,
         max(read_rows) as rows
       from usage_games where account_id = $1::uuid and month = (select month from asked) group by game_uuid
     ), files as (
       select kind, game_id, dataset, count(*) as reads, sum(rows) as rows
       from usage_charges where account_id = $1::uuid and month = (select month from asked) and rows > 0
       group by kind, game_id, dataset
     ), listed as (
       select json_build_object('kind', kind, 'gameId', game_id, 'dataset', dataset, 'reads', reads, 'rows', rows) as item
       from (select * from live union all select * from files) as both_kinds order by kind, game_id, dataset
     )
     select to_char(month, 'YYYY-MM') as month, coalesce((select json_agg(item) from listed), '[]') as items,
       coalesce((select used_rows from usage_months u where account_id = $1::uuid and u.month = asked.month), 0) as used_rows
     from asked`,
    [accountId, month === null ? null : `${month}-01`],
  );
  const row = rows[0] as SqlRow;
  return { month: row.month as string, usedRows: row.used_rows as number, items: row.items as UsageItem[] };
}

type Differing = Awaited<ReturnType<Ledger['reconcile']>>;

/** Far longer than the tables of a large service take. */
const reconcileMs: Millis = 30 * 60_000;

/**
 * Sums the marks of segments, which only reads change, and the charges of files. It reads whole tables, so it allows sequential scans,
 * which connections otherwise avoid (sql.ts): reading row by row through an index would take twice as long. It takes as long as the tables
 * are large. Months that are being dropped are left out.
 */
async function reconcile(sql: Sql): Promise<Differing> {
  const { rows } = await sql.transaction(async (tx) => {
    await tx.query('set local enable_seqscan = on');
    return tx.query(
      `with logs as (
         select account_id, month, game_uuid, first_seq, sum(rows) as rows from usage_marks group by 1, 2, 3, 4
       ), paid as (
         select account_id, month, max(rows) as rows from logs group by account_id, month, game_uuid
         union all select account_id, month, rows from usage_charges
       ), listed as (
         select account_id, month, max(read_rows) as rows from usage_games group by account_id, month, game_uuid
         union all select account_id, month, rows from usage_charges
       ), sums as (select account_id, month, sum(rows) as rows from paid group by 1, 2),
       item_sums as (select account_id, month, sum(rows) as rows from listed group by 1, 2)
       select account_id, to_char(month, 'YYYY-MM') as month, coalesce(u.used_rows, 0) as total,
         (case when coalesce(s.rows, 0) <> coalesce(u.used_rows, 0) then coalesce(s.rows, 0) else coalesce(i.rows, 0) end)::bigint as sum
       from usage_months u
       full join sums s using (account_id, month)
       full join item_sums i using (account_id, month)
       where (coalesce(u.used_rows, 0) <> coalesce(s.rows, 0) or coalesce(u.used_rows, 0) <> coalesce(i.rows, 0))
         and month >= date_trunc('month', usage_now() at time zone 'UTC')::date - interval '2 months'
       order by account_id, month`,
    );
  }, reconcileMs);
  return rows.map((row) => ({
    accountId: row.account_id as string,
    month: row.month as string,
    total: row.total as number,
    sum: row.sum as number,
  }));
}

/** Rows deleted per call: it takes a tenth of a second or so, far from the limit of a statement. */
const rowsAtATime = 20_000;

async function expire(sql: Sql): Promise<number> {
  const { rows } = await sql.query('select expire_usage($1) as dropped', [rowsAtATime]);
  return rows[0]?.dropped as number;
}
