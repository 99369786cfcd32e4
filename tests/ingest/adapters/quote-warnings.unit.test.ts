// Which quotes get a warning: docs/operations.md#warnings.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { warningOf } from '../../../ingest/adapters/quote-warnings.ts';
import type { RawQuote } from '../../../schemas/events/quotes.ts';
import { rawQuote } from '../../support/builders/raw-quotes.ts';

const game = { league: 'NFL', home: 'Philadelphia Eagles', away: 'Detroit Lions' };
const good = rawQuote();
const codeOf = (more: Partial<RawQuote>, of = game) => warningOf({ ...good, ...more }, of)?.code ?? null;

describe('a market', () => {
  const foreign: readonly (readonly [string, RegExp])[] = [
    ['h2h', /moneyline/],
    ['spreads', /market spread$/],
    ['totals_q1', /market total, period q1/],
    ['alternate_spreads', /market spread, alternate true/],
    ['player_points_alternate', /market player_points, alternate true/],
    ['ml', /moneyline/],
    ['over_under', /total/],
    ['run_line', /spread/],
    ['x_moneyline', /moneyline, which The Odds API calls h2h/],
    ['x_ml', /h2h/],
  ];
  for (const [market, meant] of foreign)
    it(`${market} is of another vocabulary`, () => {
      const warning = warningOf({ ...good, market }, game);
      assert.equal(warning?.code, 'foreign-market');
      assert.match(warning?.detail ?? '', meant);
      assert.deepEqual(warningOf({ ...good, market }, game), warning, 'also from the cache');
    });
  for (const market of ['moneyline', 'spread', 'team_total', 'player_points', 'batter_hits', 'x_btts', 'anything'])
    it(`${market} is a market`, () => assert.equal(codeOf({ market }), null));
});

describe('a selection', () => {
  for (const selection of ['Philadelphia Eagles', 'philadelphia eagles', 'PHI', 'Eagles', 'Dallas Cowboys'])
    it(`${selection} is the name of a team`, () => assert.equal(codeOf({ selection }), 'team-as-selection'));
  it('is told apart by its side', () => {
    assert.match(warningOf({ ...good, selection: 'Detroit Lions' }, game)?.detail ?? '', /away team/);
  });
  it('is compared with the teams of the event where the league has no table of them', () => {
    const college = { league: 'NCAAF', home: 'Ohio State', away: 'Michigan' };
    assert.equal(codeOf({ selection: 'ohio state' }, college), 'team-as-selection');
    assert.equal(codeOf({ selection: 'Eagles' }, college), null);
  });
  for (const selection of ['home', 'away', 'over', 'no', 'home_over', 'Jalen Hurts', 'Knicks'])
    it(`${selection} is none`, () => assert.equal(codeOf({ selection }), null));
});

describe('two formats of a price', () => {
  const agree: readonly Partial<RawQuote>[] = [
    { american: '-110', decimal: '1.91' },
    { american: '-110', decimal: '1.9091', fractional: '10/11' },
    { american: '-145', decimal: '1.68' },
    { american: '3333', decimal: '34' },
    { american: null, decimal: '2.25', fractional: '5/4' },
    { american: null, decimal: '2.25' },
  ];
  for (const price of agree) it(`${JSON.stringify(price)} agree`, () => assert.equal(codeOf(price), null));
  const disagree: readonly Partial<RawQuote>[] = [
    { american: '-110', decimal: '1.93' },
    { american: '-110', decimal: '-110' },
    { american: '110', fractional: '10/11' },
    { american: null, decimal: '1.91', fractional: '5/4' },
    { american: '100', decimal: '2', fractional: '2/1' },
  ];
  for (const price of disagree)
    it(`${JSON.stringify(price)} do not`, () => assert.equal(codeOf(price), 'prices-disagree'));
});

it('a quote with several mistakes has one warning: the first of market, selection and price', () => {
  const mistakes: readonly Partial<RawQuote>[] = [
    { market: 'h2h' },
    { selection: 'Detroit Lions' },
    { american: '-110', decimal: '1.93' },
  ];
  const codes = mistakes.map((_, from) => codeOf(Object.assign({}, ...mistakes.slice(from))));
  assert.deepEqual(codes, ['foreign-market', 'team-as-selection', 'prices-disagree']);
});
