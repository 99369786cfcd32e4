// The odds of a game as the reference pages and llms.txt show them.
import type { OddsDocument, OperatorOdds } from '../../schemas/http/odds.ts';

const draftkings: OperatorOdds = {
  operator: 'DRAFTKINGS',
  line: null,
  price_american: -145,
  price_decimal: '1.6897',
  price: '-145',
  implied_probability: '0.591821',
  hold: '0.042690',
  is_open: true,
  quote_state: 'live',
  age_seconds: 2,
  last_changed_at: '2026-08-05T23:41:06.900000Z',
};

/** Two sportsbooks' prices for one side of a game. */
export function oddsOf(gameId: string): OddsDocument {
  return {
    game_id: gameId,
    provisional: true,
    as_of: '2026-08-05T23:41:09.120000Z',
    board_version: '1.214',
    selections: [
      {
        selection_id: 'moneyline/full/home',
        market: 'moneyline',
        period: 'full',
        selection: 'home',
        player: null,
        line: null,
        best: {
          operator: 'FANDUEL',
          line: null,
          price_american: -140,
          price_decimal: '1.7143',
          price: '-140',
          implied_probability: '0.583328',
        },
        hold: '0.029016',
        operators: [
          draftkings,
          {
            ...draftkings,
            operator: 'FANDUEL',
            price_american: -140,
            price_decimal: '1.7143',
            price: '-140',
            implied_probability: '0.583328',
            hold: '0.041318',
            age_seconds: 4,
          },
        ],
      },
    ],
  };
}
