import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { everything } from '../../../core/access/feed-grant.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import type { AdaptedElement, PushContext } from '../../../ingest/adapters/adapted.ts';
import { oddsApiMarket } from '../../../ingest/adapters/odds-api-market-keys.ts';
import { adaptTheOddsApiPush, type PollTerms, readPollTerms } from '../../../ingest/adapters/the-odds-api-v4.ts';
import { marketOf } from '../../oracle/odds-api.ts';
import { cases } from '../../support/arbitraries/cases.ts';

const context: PushContext = {
  source: 'odds',
  receivedAt: parseRfc3339('2025-11-16T12:00:00Z') as number,
  may: everything,
  mayBackfill: true,
  observedAt: null,
  idempotencyKey: null,
};

function terms(query: { odds_format?: string; markets?: string; bookmakers?: string } = {}): PollTerms {
  const read = readPollTerms({
    oddsFormat: query.odds_format ?? null,
    markets: query.markets ?? null,
    bookmakers: query.bookmakers ?? null,
  });
  if (read.kind === 'invalid') throw new Error(read.detail);
  return read;
}

const event = {
  id: 'o1',
  sport_key: 'americanfootball_nfl',
  sport_title: 'NFL',
  commence_time: '2025-11-17T01:20:00Z',
  home_team: 'Philadelphia Eagles',
  away_team: 'Detroit Lions',
};

function withOutcomes(key: unknown, outcomes: unknown, more: object = {}) {
  return { ...event, bookmakers: [{ key: 'aa', title: 'AA', markets: [{ key, outcomes, ...more }] }] };
}

function elementsOf(body: unknown, given: Partial<PushContext> = {}, poll = terms()): readonly AdaptedElement[] {
  const push = runToEnd(
    adaptTheOddsApiPush(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), poll, {
      ...context,
      ...given,
    }),
  );
  if (push.kind === 'malformed') throw new Error(push.detail);
  return push.elements;
}

function accepted(one: unknown, given: Partial<PushContext> = {}, poll = terms()) {
  const [element] = elementsOf([one], given, poll);
  if (element?.kind !== 'accepted') throw new Error(element?.refusals[0]?.detail);
  return element;
}

function quotesOf(one: unknown, poll = terms()) {
  return accepted(one, {}, poll).observation.operators.flatMap((operator) => operator.quotes);
}

describe('market keys', () => {
  const table: readonly [key: string, market: string, period: string, alternate: boolean][] = [
    ['h2h', 'moneyline', 'full', false],
    ['spreads', 'spread', 'full', false],
    ['totals', 'total', 'full', false],
    ['team_totals', 'team_total', 'full', false],
    ['h2h_h1', 'moneyline', 'first_half', false],
    ['spreads_h2', 'spread', 'second_half', false],
    ['totals_q4', 'total', 'q4', false],
    ['totals_p3', 'total', 'p3', false],
    ['team_totals_q1', 'team_total', 'q1', false],
    ['totals_1st_5_innings', 'total', 'first_five_innings', false],
    ['totals_1st_1_innings', 'total', 'inning_1', false],
    ['player_points', 'player_points', 'full', false],
    ['batter_hits', 'batter_hits', 'full', false],
    ['pitcher_outs', 'pitcher_outs', 'full', false],
    ['player_points_q1', 'player_points', 'q1', false],
    ['player_q1', 'player_q1', 'full', false],
    ['alternate_spreads', 'spread', 'full', true],
    ['spreads_alternate', 'spread', 'full', true],
    ['player_points_alternate', 'player_points', 'full', true],
    ['alternate_totals_h1', 'total', 'first_half', true],
    ['totals_alternate_h1', 'total', 'first_half', true],
    ['totals_h1_alternate', 'total', 'first_half', true],
    ['alternate_btts', 'x_btts', 'full', true],
    ['btts_alternate', 'x_btts', 'full', true],
    ['alternate_btts_q1', 'x_btts_q1', 'full', true],
    ['btts_alternate_q1', 'x_btts', 'q1', true],
    ['player_points_q1_alternate', 'player_points', 'q1', true],
    ['player_points_alternate_q1', 'player_points', 'q1', true],
    ['batter_hits_alternate_1st_5_innings', 'batter_hits', 'first_five_innings', true],
    ['alternate_pitcher_outs_q1', 'pitcher_outs', 'q1', true],
    ['alternate_spreads_alternate', 'spread', 'full', true],
    ['alternate_spreads_corners', 'x_spreads_corners', 'full', true],
    ['btts', 'x_btts', 'full', false],
    ['BTTS_Q1', 'x_btts_q1', 'full', false],
    ['h2h_lay', 'x_h2h_lay', 'full', false],
    ['h2h_3_way', 'x_h2h_3_way', 'full', false],
    ['totals_h3', 'x_totals_h3', 'full', false],
    ['H2H', 'x_h2h', 'full', false],
    ['Player_points', 'x_player_points', 'full', false],
    ['player_', 'x_player_', 'full', false],
    ['alternate_', 'x_alternate_', 'full', false],
    ['_alternate', 'x__alternate', 'full', false],
    ['_q1', 'x__q1', 'full', false],
    ['totals_1st_3_innings', 'x_totals_1st_3_innings', 'full', false],
  ];
  for (const [key, market, period, alternate] of table) {
    it(key, () => {
      assert.deepEqual(oddsApiMarket(key), { market, period, alternate });
      assert.deepEqual(marketOf(key), { market, period, lineInIdentity: alternate }, 'by the oracle');
    });
  }

  it('that can be no market are refused with their quotes', () => {
    const outcomes = [{ name: 'Detroit Lions', price: 150 }];
    for (const key of ['x-y', 'é', 'a b', 'k'.repeat(63), 'alternate_'.repeat(50_000), null, 5, '\u212a']) {
      const { refusals, observation } = accepted(withOutcomes(key, outcomes));
      assert.deepEqual(
        refusals.map((refusal) => refusal.code),
        ['bad-quote'],
        String(key).slice(0, 20),
      );
      assert.deepEqual(observation.operators, [{ operator: 'AA', quotes: [] }]);
    }
  });
});

describe('outcomes', () => {
  const said = (market: string, outcome: object) => {
    const [quote] = quotesOf(withOutcomes(market, [{ price: 150, ...outcome }]));
    return quote === undefined ? null : [quote.selection, quote.player];
  };

  it('are named in our words', () => {
    assert.deepEqual(said('h2h', { name: 'Philadelphia Eagles' }), ['home', null]);
    assert.deepEqual(said('h2h', { name: 'Detroit Lions' }), ['away', null]);
    for (const name of ['Draw', 'Over', 'Under', 'Yes', 'No'])
      assert.deepEqual(said('btts', { name }), [name.toLowerCase(), null]);
    for (const name of ['OVER', 'detroit lions', 'Eagles by 1-6', 'home'])
      assert.deepEqual(said('btts', { name }), [name, null]);
  });

  it('have a side or a player in their description', () => {
    assert.deepEqual(said('btts', { name: 'Over', description: 'Philadelphia Eagles' }), ['home_over', null]);
    assert.deepEqual(said('btts', { name: 'Under', description: 'Detroit Lions' }), ['away_under', null]);
    assert.deepEqual(said('player_points', { name: 'Over', description: 'J. Doe' }), ['over', 'J. Doe']);
    assert.deepEqual(said('anytime_td', { name: 'Yes', description: 'J. Doe' }), ['yes', 'J. Doe']);
    assert.deepEqual(said('btts', { name: 'Over', description: null }), ['over', null]);
  });

  it('carry their numbers as they were written', () => {
    const body = `[${JSON.stringify(withOutcomes('spreads', [{ name: 'Detroit Lions', price: 1, point: 2 }]))
      .replace('"price":1', '"price":-1.10e2')
      .replace('"point":2', '"point":2.50')}]`;
    const [element] = elementsOf(body);
    assert.ok(element?.kind === 'accepted');
    const [quote] = element.observation.operators[0]?.quotes ?? [];
    assert.deepEqual([quote?.american, quote?.decimal, quote?.line], ['-1.10e2', null, '2.50']);
  });

  it('are decimal where the query says so', () => {
    const one = withOutcomes('h2h', [{ name: 'Detroit Lions', price: 1.91 }]);
    assert.equal(quotesOf(one, terms({ odds_format: 'decimal' }))[0]?.decimal, '1.91');
    assert.deepEqual(quotesOf(one), []);
    assert.equal(accepted(one).refusals[0]?.code, 'bad-price');
  });

  it('are stamped by their market, else by their bookmaker', () => {
    const stamp = '2025-11-16T11:59:30Z';
    const stampOf = (market: object, bookmaker: object) => {
      const one = withOutcomes('h2h', [{ name: 'Detroit Lions', price: 150 }], market);
      Object.assign(one.bookmakers[0] as object, bookmaker);
      return quotesOf(one)[0]?.source_timestamp;
    };
    assert.equal(stampOf({ last_update: stamp }, { last_update: '2025-11-16T11:00:00Z' }), parseRfc3339(stamp));
    assert.equal(stampOf({}, { last_update: stamp }), parseRfc3339(stamp));
    assert.equal(stampOf({ last_update: 'noon' }, { last_update: stamp }), parseRfc3339(stamp));
    for (const none of ['0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '2200-01-01T00:00:00Z']) {
      assert.equal(stampOf({ last_update: none }, { last_update: stamp }), parseRfc3339(stamp));
      assert.equal(stampOf({}, { last_update: none }), null);
    }
    assert.equal(stampOf({ last_update: 5 }, { last_update: null }), null);
  });

  it('are refused one by one, with pointers', () => {
    const good = { name: 'Detroit Lions', price: 150, point: 2.5 };
    const table: readonly [outcome: unknown, code: string, member: string][] = [
      [7, 'bad-quote', ''],
      [{ price: 150 }, 'bad-quote', '/name'],
      [{ ...good, name: '' }, 'bad-quote', '/name'],
      [{ ...good, name: '\ud800' }, 'bad-quote', '/name'],
      [{ ...good, description: 5 }, 'bad-quote', '/description'],
      [{ ...good, description: '' }, 'bad-quote', '/description'],
      [{ ...good, price: null }, 'bad-price', '/price'],
      [{ ...good, price: '150' }, 'bad-price', '/price'],
      [{ ...good, price: 1.91 }, 'bad-price', '/price'],
      [{ ...good, point: '2.5' }, 'bad-line', '/point'],
      [{ ...good, point: null }, 'missing-line', '/point'],
      [good, 'duplicate-selection', ''],
    ];
    const { refusals } = accepted(withOutcomes('spreads', [good, ...table.map(([outcome]) => outcome)]));
    const pointers = table.map(([, code, member], index) => [
      code,
      `/bookmakers/0/markets/0/outcomes/${index + 1}${member}`,
    ]);
    assert.deepEqual(
      refusals.map(({ code, pointer }) => [code, pointer]),
      pointers,
    );
  });
});

describe('an element', () => {
  it('is one image of the game, an empty one too', () => {
    const { observation, game } = accepted({ ...event, bookmakers: [] });
    assert.equal(observation.kind, 'image');
    assert.equal(observation.scope, 'game');
    assert.deepEqual(observation.operators, []);
    assert.deepEqual(game, {
      by: 'event',
      league: 'NFL',
      eventId: 'o1',
      homeTeam: 'Philadelphia Eagles',
      awayTeam: 'Detroit Lions',
      commenceTime: observation.commence_time,
    });
  });

  it('has each operator once, and goes on without a bad one', () => {
    const markets = (price: number, name = 'Detroit Lions') => [{ key: 'h2h', outcomes: [{ name, price }] }];
    const bookmakers = [
      { key: 'bb', markets: markets(150) },
      { key: 'b.b', markets: markets(150) },
      { key: 'BB', markets: [...markets(160), ...markets(170, 'Draw')] },
      { markets: markets(150) },
      { key: 'aa', markets: [] },
    ];
    const { observation, refusals } = accepted({ ...event, bookmakers });
    const shown = observation.operators.map(({ operator, quotes }) => [
      operator,
      quotes.map((quote) => quote.american),
    ]);
    assert.deepEqual(shown, [
      ['BB', ['150', '170']],
      ['AA', []],
    ]);
    assert.deepEqual(
      refusals.map(({ code, pointer }) => [code, pointer]),
      [
        ['bad-operator', '/bookmakers/1/key'],
        ['duplicate-selection', '/bookmakers/2/markets/0/outcomes/0'],
        ['bad-operator', '/bookmakers/3/key'],
      ],
    );
  });

  const one = withOutcomes('h2h', [{ name: 'Detroit Lions', price: 150 }]);
  const table: readonly [what: string, element: unknown, pointer: string][] = [
    ['a number', 7, ''],
    ['null', null, ''],
    ['an unknown sport', { ...one, sport_key: 'cricket' }, '/sport_key'],
    ['no sport', { ...one, sport_key: null }, '/sport_key'],
    ['a sport that is no text', { ...one, sport_key: ['baseball_mlb'] }, '/sport_key'],
    ['no id', { ...one, id: '' }, '/id'],
    ['no home team', { ...one, home_team: null }, '/home_team'],
    ['no away team', { ...one, away_team: 5 }, '/away_team'],
    ['a bad start', { ...one, commence_time: 'tomorrow' }, '/commence_time'],
    ['no start', { ...one, commence_time: null }, '/commence_time'],
    ['a start of the year 1', { ...one, commence_time: '0001-01-01T00:00:00Z' }, '/commence_time'],
    ['a start before 1970', { ...one, commence_time: '1969-12-31T23:59:59Z' }, '/commence_time'],
    ['a start after 2199', { ...one, commence_time: '2200-01-01T00:00:00Z' }, '/commence_time'],
    ['no bookmakers', event, '/bookmakers'],
    ['bookmakers that are null', { ...event, bookmakers: null }, '/bookmakers'],
    ['bookmakers that are no list', { ...event, bookmakers: {} }, '/bookmakers'],
    ['a bookmaker that is none', { ...event, bookmakers: [7] }, '/bookmakers/0/markets'],
    ['no markets', { ...event, bookmakers: [{ key: 'aa' }] }, '/bookmakers/0/markets'],
    [
      'no outcomes',
      { ...event, bookmakers: [{ key: 'aa', markets: [{ key: 'h2h' }] }] },
      '/bookmakers/0/markets/0/outcomes',
    ],
    [
      'no outcomes at a bad operator',
      { ...event, bookmakers: [{ key: '!', markets: [{ key: 'h2h', outcomes: 5 }] }] },
      '/bookmakers/0/markets/0/outcomes',
    ],
  ];
  for (const [what, element, pointer] of table) {
    it(`is refused whole: ${what}`, () => {
      const elements = elementsOf([one, element, one]);
      assert.deepEqual(
        elements.map((each) => (each.kind === 'refused' ? [each.refusals[0]?.code, each.refusals[0]?.pointer] : null)),
        [null, ['bad-event', pointer], null],
      );
    });
  }

  it('is too large with 5,001 outcomes, refused ones included, or 900,001 bytes', () => {
    const outcomes = Array.from({ length: 2_500 }, () => 7);
    const bookmaker = (key: string, extra: number[] = []) => ({
      key,
      markets: [{ key: 'h2h', outcomes: [...outcomes, ...extra] }],
    });
    const codes = elementsOf([
      { ...event, bookmakers: [bookmaker('aa'), bookmaker('!')] },
      { ...event, sport_key: 'x', bookmakers: [bookmaker('aa'), bookmaker('!', [7])] },
      { ...event, bookmakers: [], pad: 'x'.repeat(900_000) },
    ]).map((element) => (element.kind === 'refused' ? element.refusals[0]?.code : null));
    assert.deepEqual(codes, [null, 'too-large', 'too-large']);
  });
});

describe('the wrapper', () => {
  const wrapped = (timestamp: unknown) => ({
    timestamp,
    previous_timestamp: null,
    data: [{ ...event, bookmakers: [] }],
  });
  const timeOf = (body: unknown, given: Partial<PushContext> = {}) => {
    const [element] = elementsOf(body, given);
    return element?.kind === 'accepted' ? element.observation.observed_at : element?.refusals[0]?.code;
  };
  const time = '2025-11-16T11:00:00Z';

  it('gives its elements its time, before the header’s', () => {
    assert.equal(timeOf(wrapped(time), { observedAt: '2025-11-16T10:00:00Z' }), parseRfc3339(time));
    assert.equal(timeOf(wrapped(null), { observedAt: time }), parseRfc3339(time));
    assert.equal(timeOf(wrapped(null)), null);
    assert.equal(timeOf([{ ...event, bookmakers: [] }], { observedAt: time }), parseRfc3339(time));
    assert.equal(timeOf([{ ...event, bookmakers: [], timestamp: time }]), null);
  });

  it('is refused its time where it may have none', () => {
    assert.equal(timeOf(wrapped(time), { mayBackfill: false }), 'forbidden-time');
    assert.equal(timeOf(wrapped('noon')), 'bad-time');
    assert.equal(timeOf(wrapped('0001-01-01T00:00:00Z')), 'bad-time');
    assert.equal(timeOf(wrapped('9999-12-31T23:59:59Z')), 'future-observation');
    assert.equal(timeOf(wrapped('2025-11-16T13:00:00Z')), 'future-observation');
  });

  it('without a list is malformed', () => {
    for (const body of ['{}', '{"data":null}', '{"data":{}}', '7', JSON.stringify(event)]) {
      assert.equal(runToEnd(adaptTheOddsApiPush(Buffer.from(body), terms(), context)).kind, 'malformed', body);
    }
    assert.deepEqual(elementsOf('[]'), []);
  });
});

describe('the query', () => {
  it('says what the poll covered', () => {
    const observed = accepted(
      { ...event, bookmakers: [] },
      {},
      terms({ markets: 'h2h, alternate_spreads,totals_h1,x-y', bookmakers: 'aa,Bb,b.b' }),
    ).observation;
    assert.deepEqual(observed.coverage, [
      { market: 'moneyline', period: 'full', alternate: false },
      { market: 'spread', period: 'full', alternate: true },
      { market: 'total', period: 'first_half', alternate: false },
    ]);
    assert.deepEqual(observed.covered_operators, ['AA', 'BB']);
    const everything = accepted({ ...event, bookmakers: [] }).observation;
    assert.deepEqual([everything.coverage, everything.covered_operators], [null, null]);
  });

  it('covers nothing where it names nothing', () => {
    assert.deepEqual(terms({ bookmakers: '' }).operators, []);
  });

  it('is refused for a format that is none', () => {
    assert.equal(readPollTerms({ oddsFormat: 'fractional', markets: null, bookmakers: null }).kind, 'invalid');
  });
});

it('whatever an element holds, nothing throws and every element has its answer', () => {
  const keys = fc.constantFrom(
    'id',
    'sport_key',
    'commence_time',
    'home_team',
    'away_team',
    'bookmakers',
    'markets',
    'outcomes',
    'key',
    'name',
    'price',
    'point',
    'description',
    'last_update',
    '__proto__',
  );
  const words = fc.constantFrom(
    'baseball_mlb',
    'h2h',
    'Over',
    'aa',
    '2025-11-17T01:20:00Z',
    '',
    '\ud800',
    'alternate_',
  );
  const { node } = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 6 },
      words,
      fc.constantFrom(null, true, 0, -110, 2.5),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(keys, tie('node'), { maxKeys: 6 }),
    ),
  }));
  const events = fc.array(
    fc.oneof(
      node,
      fc.array(node, { maxLength: 2 }).map((bookmakers) => ({ ...event, bookmakers })),
    ),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(events, (list) => {
      assert.deepEqual(
        elementsOf(list).map((element) => element.index),
        list.map((_, index) => index),
      );
    }),
    { numRuns: cases(2_000) },
  );
});
