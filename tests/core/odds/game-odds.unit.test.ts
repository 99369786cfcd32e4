// The board across sportsbooks by example: docs/odds.md.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { gameOdds, type SelectionOdds } from '../../../core/odds/game-odds.ts';
import { holdOf } from '../../../core/odds/hold.ts';
import type { Quote } from '../../../core/odds/quote.ts';
import { normalisePrice } from '../../../core/quotes/price.ts';
import { selectionId } from '../../../core/quotes/selection-id.ts';

type QuoteFacts = Partial<Quote> & { alternate?: boolean };

/** A quote for `market selection` at a sportsbook, at American odds. */
function quote(operator: string, of: string, odds: number, { alternate = false, ...more }: QuoteFacts = {}): Quote {
  const [market = '', selection = ''] = of.split(' ');
  const price = normalisePrice({ american: String(odds), decimal: null, fractional: null });
  const { player = null, line = null } = more;
  return {
    ...{ operator, market, period: 'full', selection, player, line },
    selectionId: selectionId(market, 'full', selection, player, alternate ? line : null),
    american: price?.american ?? null,
    decimal: price?.decimal ?? null,
    given: 'american',
    isOpen: true,
    isWithdrawn: false,
    changedAt: 0,
    state: 'live',
    ...more,
  };
}

function selectionOf(odds: readonly SelectionOdds[], id: string): SelectionOdds {
  return odds.find(({ selectionId }) => selectionId === id) ?? assert.fail(`no ${id}`);
}

const home = 'moneyline/full/home';
const minus110 = holdOf([19_091, 19_091]);

describe('the best price', () => {
  const best = (...quotes: Quote[]) => selectionOf(gameOdds(quotes), quotes[0]?.selectionId ?? '').best?.operator;

  it('is the highest, of equal ones that of the first sportsbook by code', () => {
    assert.equal(best(quote('A', 'moneyline home', -110), quote('B', 'moneyline home', 105)), 'B');
    assert.equal(best(quote('B', 'moneyline home', 120), quote('A', 'moneyline home', 120)), 'A');
  });

  it('is never an unavailable one: suspended, or suspected to be stale; a quote of unknown state counts', () => {
    const good = quote('A', 'moneyline home', -110);
    assert.equal(best(good, quote('B', 'moneyline home', 105, { isOpen: false })), 'A');
    assert.equal(best(good, quote('B', 'moneyline home', 105, { state: 'stale_suspect' })), 'A');
    assert.equal(best(good, quote('B', 'moneyline home', 105, { state: null })), 'B');
    assert.equal(best({ ...good, isOpen: false }), undefined);
  });

  it('is among those at the line that most sportsbooks offer, else the one nearest to 0, else the negative one', () => {
    const at = (operator: string, line: number, odds: number, more: QuoteFacts = {}) =>
      quote(operator, 'spread home', odds, { line, ...more });
    const odds = gameOdds([at('A', -2_500, -110), at('B', -3_000, 150), at('C', -2_500, -105)]);
    const { line, best: found } = selectionOf(odds, 'spread/full/home');
    assert.deepEqual([line, found?.operator], [-2_500, 'C']);
    const tied = gameOdds([at('A', -3_000, -110), at('B', -2_500, -110), at('C', 2_500, -110)]);
    assert.equal(selectionOf(tied, 'spread/full/home').line, -2_500);
    const stale = { state: 'stale_suspect' } as const;
    const one = gameOdds([at('A', 1_500, -110, stale), at('B', 1_500, -110, stale), at('C', 2_500, -110)]);
    assert.equal(selectionOf(one, 'spread/full/home').line, 2_500);
    assert.deepEqual(
      selectionOf(one, 'spread/full/home').quotes.map(({ quote }) => [quote.operator, quote.line]),
      [
        ['A', 1_500],
        ['B', 1_500],
        ['C', 2_500],
      ],
      'prices at other lines are listed',
    );
  });

  it('has the line that most quotes have where nothing is offered, and one without a line comes last', () => {
    const at = (operator: string, line: number | null, isOpen: boolean) =>
      quote(operator, 'spread home', -110, { line, isOpen });
    const lineOf = (...quotes: Quote[]) => selectionOf(gameOdds(quotes), 'spread/full/home').line;
    const closed = [at('A', 1_500, false), at('B', 2_500, false), at('C', 2_500, false)];
    assert.equal(lineOf(...closed), 2_500);
    assert.equal(lineOf(...closed, at('D', 1_500, true)), 1_500);
    assert.equal(lineOf(at('A', null, true), at('B', 9_500, true)), 9_500);
  });
});

describe('the hold', () => {
  it('of a sportsbook is of its own open prices, of the market of the best ones', () => {
    const odds = gameOdds([
      quote('A', 'moneyline home', -110),
      quote('A', 'moneyline away', -110),
      quote('B', 'moneyline home', 100),
      quote('B', 'moneyline away', -120, { isOpen: false }),
    ]);
    const found = selectionOf(odds, home);
    assert.deepEqual(
      found.quotes.map(({ hold }) => hold),
      [minus110, null],
    );
    assert.equal(found.hold, holdOf([20_000, 19_091]));
    assert.equal(selectionOf(odds, 'moneyline/full/away').hold, found.hold);
  });

  it('needs every way: one side alone has none', () => {
    const [found] = gameOdds([quote('A', 'moneyline home', -110)]);
    assert.deepEqual([found?.hold, found?.quotes[0]?.hold], [null, null]);
  });

  it('counts a draw where a sportsbook quotes one; of a bet with and one without it nothing is made', () => {
    const three = (operator: string) =>
      ['home', 'draw', 'away'].map((side) => quote(operator, `moneyline ${side}`, 200));
    const found = selectionOf(gameOdds(three('A')), 'moneyline/full/draw');
    assert.deepEqual([found.hold, found.quotes[0]?.hold], [0, 0]);
    const two = ['home', 'away'].map((side) => quote('B', `moneyline ${side}`, -110));
    const mixed = selectionOf(gameOdds([...three('A'), ...two]), home);
    assert.deepEqual([mixed.hold, mixed.quotes.map(({ hold }) => hold)], [null, [0, minus110]]);
    const closed = selectionOf(gameOdds(three('A').map((each, at) => ({ ...each, isOpen: at !== 1 }))), home);
    assert.equal(closed.quotes[0]?.hold, null);
  });

  it('of handicaps pairs the line with its opposite, of totals with its equal', () => {
    const spread = (awayLine: number) =>
      gameOdds([
        quote('A', 'spread home', -110, { line: -2_500 }),
        quote('A', 'spread away', -110, { line: awayLine }),
      ]).map(({ hold }) => hold);
    assert.deepEqual(spread(2_500), [minus110, minus110]);
    assert.deepEqual(spread(3_000), [null, null]);
    assert.deepEqual(spread(-2_500), [null, null]);
    const total = (under: number) =>
      gameOdds([
        quote('A', 'total over', -110, { line: 44_500 }),
        quote('A', 'total under', -110, { line: under }),
      ]).map(({ hold }) => hold);
    assert.deepEqual(total(44_500), [minus110, minus110]);
    assert.deepEqual(total(45_000), [null, null]);
  });

  it('of the market is of the best prices at the line of the selection', () => {
    const at = (operator: string, line: number, home: number) => [
      quote(operator, 'spread home', home, { line }),
      quote(operator, 'spread away', -110, { line: -line }),
    ];
    const odds = gameOdds([...at('C', -3_500, 300), ...at('A', -2_500, -110), ...at('B', -2_500, -110)]);
    assert.deepEqual(
      odds.map(({ line, hold }) => [line, hold]),
      [
        [2_500, minus110],
        [-2_500, minus110],
      ],
    );
  });

  it('is that of a bet without a push, also at a line at which one is possible', () => {
    const sides = [quote('A', 'spread home', -110, { line: -3_000 }), quote('A', 'spread away', -110, { line: 3_000 })];
    assert.deepEqual(
      gameOdds(sides).map(({ hold }) => hold),
      [minus110, minus110],
    );
  });

  it('of the main line takes no alternate one, though it is at the same line; alternate ones have theirs', () => {
    const [main] = gameOdds([
      quote('A', 'spread home', -110, { line: -2_500 }),
      quote('A', 'spread away', 500, { line: 2_500, alternate: true }),
    ]).filter(({ selection }) => selection === 'home');
    assert.equal(main?.quotes[0]?.hold, null);
    const alternate = gameOdds([
      quote('A', 'spread home', -110, { line: -2_500, alternate: true }),
      quote('A', 'spread away', -110, { line: 2_500, alternate: true }),
    ]);
    assert.deepEqual(
      alternate.map(({ hold }) => hold),
      [minus110, minus110],
    );
  });

  it('is of one market and one period', () => {
    const home = quote('A', 'moneyline home', -110);
    const others = [quote('A', 'moneyline_3_way away', -110), quote('A', 'moneyline away', -110, { period: 'q1' })];
    for (const away of others)
      assert.deepEqual(
        gameOdds([home, { ...away, selectionId: `${away.market}/${away.period}/away` }]).map(({ hold }) => hold),
        [null, null],
      );
  });

  it('of yes and no, and of the points of one team, is of both at one line, or without one', () => {
    const holds = (market: string, ways: readonly string[], lines: readonly (number | null)[]) =>
      gameOdds(ways.map((way, at) => quote('A', `${market} ${way}`, -110, { line: lines[at] ?? null }))).map(
        ({ hold }) => hold,
      );
    const both = [minus110, minus110];
    const none = [null, null];
    assert.deepEqual(holds('overtime', ['yes', 'no'], [null, null]), both);
    assert.deepEqual(holds('margin', ['yes', 'no'], [3_000, 3_000]), both);
    assert.deepEqual(holds('margin', ['yes', 'no'], [3_000, 4_000]), none);
    assert.deepEqual(holds('margin', ['yes', 'no'], [3_000, null]), none);
    for (const team of ['home', 'away']) {
      const ways = [`${team}_over`, `${team}_under`];
      assert.deepEqual(holds('team_total', ways, [3_500, 3_500]), both);
      assert.deepEqual(holds('team_total', ways, [3_500, 4_500]), none);
    }
  });

  it('of players and teams is of one player, and of one team', () => {
    const points = (player: string, side: string) =>
      quote('A', `player_points ${side}`, -110, { player, line: 21_500 });
    const odds = gameOdds([points('X', 'over'), points('X', 'under'), points('Y', 'over')]);
    assert.deepEqual(
      odds.map(({ player, hold }) => [player, hold]),
      [
        ['X', minus110],
        ['Y', null],
        ['X', minus110],
      ],
    );
    const teams = gameOdds(
      ['home_over', 'away_under'].map((side) => quote('A', `team_total ${side}`, -110, { line: 3_500 })),
    );
    assert.ok(teams.every(({ hold }) => hold === null));
  });

  it('is unknown of selections in words of the source', () => {
    const odds = gameOdds([quote('A', 'x_first Visitors', -110), quote('A', 'x_first Hosts', -110)]);
    assert.ok(odds.every(({ hold, best }) => hold === null && best !== null));
  });
});

it('selections are in the order of their ids by UTF-8 bytes, quotes in that of their sportsbooks', () => {
  const odds = gameOdds([quote('B', 'x \u{1F3C8}', 100), quote('A', 'x \u{1F3C8}', 100), quote('A', 'x ～', 100)]);
  assert.deepEqual(
    odds.map(({ selection, quotes }) => [selection, ...quotes.map(({ quote }) => quote.operator)]),
    [
      ['～', 'A'],
      ['\u{1F3C8}', 'A', 'B'],
    ],
  );
});
