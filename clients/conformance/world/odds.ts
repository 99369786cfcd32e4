// The odds that the scripted server shows: no arithmetic, but each parameter of the query changes the document, so that a client which loses
// one is found.
import type { OddsDocument } from '../../../schemas/http/odds.ts';
import type { LogWorld } from './log.ts';

export type OddsAsked = {
  market?: string;
  period?: string;
  operators?: readonly string[];
  format?: string;
  best?: boolean;
  at?: string;
};

export function oddsOf(log: LogWorld, asked: OddsAsked): OddsDocument {
  const wanted = asked.operators?.map((each) => each.toUpperCase());
  const rows = log.rows.filter(
    ({ operator, market, period }) =>
      (wanted?.includes(operator.toUpperCase()) ?? true) &&
      (asked.market ?? market) === market &&
      (asked.period ?? period) === period,
  );
  return {
    game_id: log.game,
    provisional: !log.settled,
    as_of: asked.at ?? '2026-01-10T01:00:00.000000Z',
    board_version: log.settled || asked.at !== undefined ? null : `1.${log.rows.length}`,
    selections: rows.map((row) => {
      const { line, price_american, price_decimal, timestamp } = log.rowInJson(row.row_number) as Record<
        string,
        string
      >;
      const priced = {
        operator: row.operator.toUpperCase(),
        line: line ?? null,
        price_american: price_american === null ? null : Number(price_american),
        price_decimal: price_decimal ?? null,
        ...(asked.format === undefined ? {} : { price: `${price_decimal} as ${asked.format}` }),
        implied_probability: null,
      };
      const shown = {
        ...{ ...priced, hold: null, is_open: row.is_open, quote_state: 'live' as const, age_seconds: row.row_number },
        last_changed_at: String(timestamp),
      };
      return {
        selection_id: row.selection_id,
        market: row.market,
        period: row.period,
        selection: row.selection,
        player: null,
        line: priced.line,
        best: row.is_open ? priced : null,
        hold: null,
        operators: row.is_open || asked.best !== true ? [shown] : [],
      };
    }),
  };
}
