// Closing lines as an outsider would query them with DuckDB: from the files of a log and T0 only (rules 2 and 3 of
// docs/settlement.md#the-closing-row). Log order is `row_number`, so the files may come in any order.
import type { ClosingLinesRow } from '../../../schemas/datasets/closing-lines.ts';
import { sqlText } from './queries.ts';
import type { DuckDb, PlainRow } from './readers.ts';

/** The columns that follow from the log; the others come from the game. */
export const columnsOfLog = [
  'operator',
  'selection_id',
  'market',
  'period',
  'selection',
  'player_id',
  'line',
  'closing_price_american',
  'closing_price_decimal',
  'opening_line',
  'opening_price_american',
  'opening_price_decimal',
  'opened_at',
  'closed_at',
  'close_basis',
] as const satisfies readonly (keyof ClosingLinesRow)[];

/**
 * The input of the query: the `sportsbook-lines` files of one game, when play began (micros) and the basis of that
 * time.
 */
export type AskedLog = { files: readonly string[]; t0: number; basis: 'status' | 'in_play' | 'scheduled' };

/** The closing lines in the order of the dataset. */
export function closingLinesBySql(duckDb: DuckDb, asked: AskedLog): Promise<PlainRow[]> {
  return duckDb.ask(closingLinesSql(asked));
}

export function closingLinesSql({ files, t0, basis }: AskedLog): string {
  const evidenced = `case when newest.is_open then 'last_before_start' else 'suspended_before_start' end`;
  return `
    with counted as (
      select * from read_parquet([${files.map(sqlText).join(', ')}])
      where not in_play and epoch_us(timestamp) < ${t0}
    ), selections as (
      select
        arg_min(counted, row_number) filter (where is_open) as opening,
        arg_max(counted, row_number) filter (where is_open) as closing,
        arg_max(counted, row_number) as newest
      from counted
      group by operator, selection_id
    )
    select
      closing.operator as operator,
      closing.selection_id as selection_id,
      closing.market as market,
      closing.period as period,
      closing.selection as selection,
      closing.player_id as player_id,
      closing.line as line,
      closing.price_american as closing_price_american,
      closing.price_decimal as closing_price_decimal,
      opening.line as opening_line,
      opening.price_american as opening_price_american,
      opening.price_decimal as opening_price_decimal,
      opening.timestamp as opened_at,
      closing.timestamp as closed_at,
      ${basis === 'scheduled' ? `'reconstructed'` : evidenced} as close_basis
    from selections
    where closing is not null
      and not (newest.change = 'withdrawn' and epoch_us(newest.timestamp) <= ${t0} - 900000000)
    order by operator, selection_id`;
}
