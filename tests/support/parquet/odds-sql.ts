// Odds computed by DuckDB from the files only: the rules of docs/odds.md a second time, as one query. Each row of the
// answer has one quote and what its selection shows, in the API's texts.
import { DuckDBInstance } from '@duckdb/node-api';

/** One row: the number of the instant, then what the API shows of a selection and of one sportsbook's quote for it. */
export type OddsRow = (string | null)[];

export const oddsColumns = [
  'instant',
  'selection_id',
  'selected_line',
  'best_operator',
  'best_price',
  'market_hold',
  'operator',
  'line',
  'american',
  'decimal',
  'probability',
  'hold',
  'is_open',
  'quote_state',
  'changed_at',
] as const;

/** What the boards show; the only instant is number 0. */
export function oddsOfBoards(paths: readonly string[]): Promise<OddsRow[]> {
  return ask(`select 0 as instant, *, quote_state as state from read_parquet([${texts(paths)}])`);
}

/** What the log showed at each of these instants, in micros; null: after its last row. */
export function oddsOfLog(paths: readonly string[], instants: readonly (number | null)[]): Promise<OddsRow[]> {
  const list = instants
    .map((at, index) => `(${index}, ${at === null ? 'null' : `make_timestamptz(${at})`})`)
    .join(', ');
  return ask(`
    select *, null as state from (
      select i.instant, r.*, row_number() over (partition by i.instant, r.operator, r.selection_id order by r.row_number desc) as age
      from (values ${list}) as i(instant, until) join read_parquet([${texts(paths)}]) as r on i.until is null or r.timestamp <= i.until
    ) where age = 1 and change <> 'withdrawn'`);
}

async function ask(quotes: string): Promise<OddsRow[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run("set timezone = 'UTC'");
  await connection.run(`create macro half_even(n, d) as
    n // d + case when 2 * (n % d) > d or (2 * (n % d) = d and (n // d) % 2 = 1) then 1 else 0 end`);
  const found = await connection.runAndReadAll(`
    with
    quotes as (
      select instant, operator, selection_id, market, period, selection, line, price_american as american, price_decimal as decimal,
        is_open, state, timestamp as changed_at, (price_decimal * 10000)::hugeint as odds, string_split(selection_id, '/') as parts,
        is_open and state is distinct from 'stale_suspect' as is_offer
      from (${quotes})
    ),
    named as (
      select *, case when len(parts) = 5 then parts[4] when len(parts) = 4 and parts[4] is distinct from rtrim(rtrim(line::varchar, '0'), '.')
        then parts[4] end as player
      from quotes
    ),
    bets as (
      select *, case
          when selection in ('home', 'away', 'draw') then 'sides' when selection in ('over', 'under') then 'points'
          when selection in ('yes', 'no') then 'answers' when selection in ('home_over', 'home_under') then 'of home'
          when selection in ('away_over', 'away_under') then 'of away' end as form,
        case selection when 'away' then -line else line end as bet_line, len(parts) > case when player is null then 3 else 4 end as alternate
      from named
    ),
    -- What each sportsbook holds, and what the best prices hold.
    books as (
      select instant, operator, market, period, form, bet_line, alternate, player, count(*) as ways, bool_or(selection = 'draw') as with_draw,
        bool_and(is_open) as all_open, list(odds) as odds
      from bets where form is not null group by all
    ),
    own as (
      select *, case when all_open and ways = case when with_draw then 3 else 2 end then ${hold('odds')} end as hold from books
    ),
    best_ways as (
      select instant, market, period, form, bet_line, alternate, player, selection, max(odds) filter (where is_offer) as odds
      from bets where form is not null group by all
    ),
    drawn as (
      select instant, market, period, form, bet_line, alternate, player, bool_or(with_draw) as any_draw, bool_and(with_draw) as all_draw
      from books group by all
    ),
    bests as (
      select w.instant, w.market, w.period, w.form, w.bet_line, w.alternate, w.player, list(w.odds) as odds
      from best_ways w where w.odds is not null group by all
    ),
    markets as (
      select d.*, case when d.any_draw = d.all_draw and len(b.odds) = case when d.any_draw then 3 else 2 end then ${hold('b.odds')} end as hold
      from drawn d left join bests b on ${same('d', 'b')}
    ),
    -- The line that most of the offers have; without any, most of the quotes.
    counted as (
      select instant, selection_id, line, count(*) filter (where is_offer) as offers, count(*) as quotes from bets group by all
    ),
    pooled as (
      select *, case when sum(offers) over (partition by instant, selection_id) = 0 then quotes else offers end as pool from counted
    ),
    ranked as (
      select *, row_number() over (partition by instant, selection_id order by pool desc, abs(line) nulls last, line) as place from pooled
    ),
    chosen as (select instant, selection_id, line from ranked where place = 1),
    best as (
      select c.instant, c.selection_id, b.operator, b.odds, row_number() over (partition by c.instant, c.selection_id order by b.odds desc, b.operator) as place
      from chosen c join bets b on c.instant = b.instant and c.selection_id = b.selection_id and c.line is not distinct from b.line and b.is_offer
    ),
    at_line as (
      select distinct on (c.instant, c.selection_id) c.instant, c.selection_id, m.hold
      from chosen c join bets b on c.instant = b.instant and c.selection_id = b.selection_id and c.line is not distinct from b.line
      join markets m on ${same('m', 'b')}
    )
    select b.instant::varchar, b.selection_id, c.line::varchar, best.operator, (best.odds::decimal(18,0) / 10000)::decimal(9,4)::varchar, ${millionths('a.hold')},
      b.operator, b.line::varchar, b.american::varchar, b.decimal::varchar, ${millionths('half_even(10000000000::hugeint, b.odds)')},
      ${millionths('o.hold')}, b.is_open::varchar, b.state::varchar, strftime(b.changed_at, '%Y-%m-%dT%H:%M:%S.%fZ')
    from bets b join chosen c on c.instant = b.instant and c.selection_id = b.selection_id
    left join best on best.instant = b.instant and best.selection_id = b.selection_id and best.place = 1
    left join at_line a on a.instant = b.instant and a.selection_id = b.selection_id
    left join own o on o.operator = b.operator and ${same('o', 'b')}
    order by b.instant, b.selection_id, b.operator`);
  return found.getRows() as OddsRow[];
}

/**
 * 1 − 1 ÷ the sum of the implied probabilities, in millionths: for two ways a·b ÷ (a + b), for three abc ÷ (ab + ac +
 * bc).
 */
function hold(odds: string): string {
  const [a, b, c] = [1, 2, 3].map((at) => `${odds}[${at}]`);
  return `1000000 - case len(${odds}) when 2 then half_even(1000000 * ${a} * ${b}, 10000 * (${a} + ${b}))
    else half_even(1000000 * ${a} * ${b} * ${c}, 10000 * (${a} * ${b} + ${a} * ${c} + ${b} * ${c})) end`;
}

function same(one: string, other: string): string {
  const columns = ['instant', 'market', 'period', 'form', 'bet_line', 'alternate', 'player'];
  return columns.map((column) => `${one}.${column} is not distinct from ${other}.${column}`).join(' and ');
}

function millionths(value: string): string {
  return `((${value})::decimal(18,0) / 1000000)::decimal(18,6)::varchar`;
}

function texts(paths: readonly string[]): string {
  return paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(', ');
}
