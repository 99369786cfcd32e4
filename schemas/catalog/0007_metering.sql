-- The ledger: what accounts have read and paid, month by month (UTC). An account's rows of a month are written only by who holds the lock
-- on its row in usage_months; its used_rows is, in every snapshot, the sum of its files' charges and, per game, of the most that was read
-- of any one of the game's logs.

-- The ledger's clock: the one that decides which month it is.
create function usage_now() returns timestamptz language sql volatile as 'select clock_timestamp()';

create table usage_months (
  account_id uuid not null references accounts (id),
  -- its first day
  month date not null,
  used_rows bigint not null default 0 check (used_rows >= 0),
  primary key (account_id, month)
) with (fillfactor = 50);
create index usage_months_by_month on usage_months (month);

-- A log of a game: read_rows is the sum of its marks.
create table usage_games (
  account_id uuid not null,
  month date not null,
  game_uuid uuid not null,
  first_seq bigint not null,
  game_id text not null,
  read_rows bigint not null,
  reads bigint not null default 1,
  primary key (account_id, month, game_uuid, first_seq)
) with (fillfactor = 70);

-- How far a segment was read: its first rows, always.
create table usage_marks (
  account_id uuid not null,
  month date not null,
  game_uuid uuid not null,
  seq bigint not null,
  first_seq bigint not null,
  rows bigint not null,
  primary key (account_id, month, game_uuid, seq)
) with (fillfactor = 70);

-- Whole files, charged each time.
create table usage_charges (
  charge_id uuid primary key,
  account_id uuid not null,
  month date not null,
  kind text not null check (kind in ('file', 'board', 'msf')),
  game_uuid uuid,
  game_id text not null,
  dataset text not null,
  subject text not null,
  rows bigint not null check (rows >= 0),
  key_id text not null,
  at timestamptz not null default now()
);
create index usage_charges_by_month on usage_charges (account_id, month);

-- The first `read` rows of a segment, to an account whose row of the month the caller has locked: what they debit; null: more than `room`
-- (null: any amount), and nothing is changed.
create function charge_live(
  account uuid, in_month date, game uuid, public_id text, log_seq bigint, segment_seq bigint, read bigint, room bigint
) returns bigint language plpgsql as $$
declare
  mark bigint;
  read_of_log bigint;
  paid_of_game bigint;
  debit bigint;
begin
  select m.rows into mark from usage_marks m
    where m.account_id = account and m.month = in_month and m.game_uuid = game and m.seq = segment_seq;
  mark := coalesce(mark, 0);
  if read <= mark then return 0; end if;
  select coalesce(max(g.read_rows) filter (where g.first_seq = log_seq), 0) + read - mark, coalesce(max(g.read_rows), 0)
    into read_of_log, paid_of_game from usage_games g
    where g.account_id = account and g.month = in_month and g.game_uuid = game;
  debit := greatest(0, read_of_log - paid_of_game);
  if debit > 0 and debit > room then return null; end if;
  insert into usage_marks as m (account_id, month, game_uuid, seq, first_seq, rows)
    values (account, in_month, game, segment_seq, log_seq, read)
    on conflict (account_id, month, game_uuid, seq) do update set rows = excluded.rows;
  insert into usage_games as g (account_id, month, game_uuid, first_seq, game_id, read_rows)
    values (account, in_month, game, log_seq, public_id, read_of_log)
    on conflict (account_id, month, game_uuid, first_seq)
    do update set read_rows = excluded.read_rows, game_id = excluded.game_id, reads = g.reads + 1;
  return debit;
end $$;

-- Decides and debits each charge, in the order given; an answer for each, by its place. The account's row of the month is locked before
-- anything of it is read, and each statement after that sees all that was committed until then: nothing is compared before it is locked.
-- Accounts are taken in one order, so that no two calls wait for each other. Charges that were served already know no quota.
create function charge(charges jsonb) returns table (
  place bigint, debited bigint, used_rows bigint, monthly_rows bigint, month text, resets text, ends_in bigint
) language plpgsql as $$
declare
  asked_at constant timestamptz := usage_now();
  present constant date := date_trunc('month', asked_at at time zone 'UTC');
  following constant date := present + interval '1 month';
  oldest constant date := present - interval '2 months';
  wanted record;
  account uuid;
  account_month date;
  used_before bigint;
  room bigint;
begin
  month := to_char(present, 'YYYY-MM');
  resets := to_char(following, 'YYYY-MM-DD');
  ends_in := extract(epoch from following::timestamp at time zone 'UTC' - asked_at) * 1000000;
  for wanted in
    select c.*, case when c.served then least(present, greatest(oldest, coalesce(c.served_in, present))) else present end as in_month
    from rows from (jsonb_to_recordset(charges) as (
      charge_id uuid, account_id uuid, key_id text, served boolean, served_in date, kind text, game_uuid uuid, game_id text,
      dataset text, subject text, first_seq bigint, seq bigint, rows bigint
    )) with ordinality as c (
      charge_id, account_id, key_id, served, served_in, kind, game_uuid, game_id, dataset, subject, first_seq, seq, rows, nth
    )
    order by c.account_id, in_month, c.nth
  loop
    if account is distinct from wanted.account_id or account_month is distinct from wanted.in_month then
      if used_rows > used_before then
        update usage_months m set used_rows = charge.used_rows where m.account_id = account and m.month = account_month;
      end if;
      account := wanted.account_id;
      account_month := wanted.in_month;
      loop
        select m.used_rows into used_rows from usage_months m
          where m.account_id = account and m.month = account_month for update;
        exit when found;
        insert into usage_months (account_id, month) values (account, account_month) on conflict do nothing;
      end loop;
      used_before := used_rows;
      select a.monthly_rows into monthly_rows from accounts a where a.id = account;
    end if;

    place := wanted.nth;
    room := case when wanted.served then null else monthly_rows - used_rows end;
    if wanted.kind = 'live' then
      debited := charge_live(
        account, account_month, wanted.game_uuid, wanted.game_id, wanted.first_seq, wanted.seq, wanted.rows, room
      );
    elsif exists (select from usage_charges c where c.charge_id = wanted.charge_id) then
      debited := 0;
    elsif wanted.rows > 0 and wanted.rows > room then
      debited := null;
    else
      insert into usage_charges (charge_id, account_id, month, kind, game_uuid, game_id, dataset, subject, rows, key_id)
        values (wanted.charge_id, account, account_month, wanted.kind, wanted.game_uuid, wanted.game_id, wanted.dataset,
          wanted.subject, wanted.rows, wanted.key_id)
        on conflict (charge_id) do nothing;
      debited := case when found then wanted.rows else 0 end;
    end if;
    used_rows := used_rows + coalesce(debited, 0);
    return next;
  end loop;
  if used_rows > used_before then
    update usage_months m set used_rows = charge.used_rows where m.account_id = account and m.month = account_month;
  end if;
end $$;
