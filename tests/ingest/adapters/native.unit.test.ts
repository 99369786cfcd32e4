import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { everything } from '../../../core/access/feed-grant.ts';
import { recordIdOfKey, sha256OfKey } from '../../../core/quotes/record-id.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import type { AdaptedElement, PushContext } from '../../../ingest/adapters/adapted.ts';
import { adaptNativePush } from '../../../ingest/adapters/native.ts';
import { cases } from '../../support/arbitraries/cases.ts';

const noon = parseRfc3339('2025-11-16T12:00:00Z') as number;
const context: PushContext = {
  source: 'feed',
  receivedAt: noon,
  may: everything,
  mayBackfill: true,
  observedAt: null,
  idempotencyKey: null,
};
const game = {
  league: 'NFL',
  event_id: 'e1',
  home_team: 'Philadelphia Eagles',
  away_team: 'Detroit Lions',
  commence_time: '2025-11-17T01:20:00Z',
};
const quote = { market: 'moneyline', selection: 'home', price: { american: -110 } };
const image = { kind: 'image', operator: 'x', game, quotes: [quote] };

function adaptText(body: string, given: Partial<PushContext> = {}, form: 'json' | 'ndjson' = 'json') {
  return runToEnd(adaptNativePush(Buffer.from(body, 'utf8'), form, { ...context, ...given }));
}

function elementsOf(
  body: string,
  given: Partial<PushContext> = {},
  form: 'json' | 'ndjson' = 'json',
): readonly AdaptedElement[] {
  const push = adaptText(body, given, form);
  if (push.kind === 'malformed') throw new Error(push.detail);
  return push.elements;
}

function only(event: unknown, given: Partial<PushContext> = {}): AdaptedElement {
  const [element] = elementsOf(JSON.stringify({ events: [event] }), given);
  return element as AdaptedElement;
}

function accepted(event: unknown, given: Partial<PushContext> = {}) {
  const element = only(event, given);
  if (element.kind === 'refused') throw new Error(`${element.refusals[0]?.code}: ${element.refusals[0]?.detail}`);
  return element;
}

function refusal(event: unknown, given: Partial<PushContext> = {}): [string, string] | null {
  const element = only(event, given);
  if (element.kind !== 'refused') return null;
  const [first] = element.refusals;
  return [first?.code ?? '', first?.pointer ?? ''];
}

describe('an accepted event', () => {
  it('becomes an observation of its operator, its numbers as they were written', () => {
    const body = `{"events":[{"kind":"image","operator":"draftKings","in_play":false,"markets":["moneyline","spread"],
      "game":${JSON.stringify(game)},"ignored":{"a":[1.50]},
      "quotes":[{"market":"moneyline","period":"full","selection":"home","price":{"american":-110.0},"state":"open","source_timestamp":"2025-11-16T11:59:11Z"},
                {"market":"spread","selection":"away","line":2.50,"price":{"decimal":1.910000000000000000001}},
                {"market":"player_points","selection":"over","player":"Jalen Hurts","player_id":"4711","line":21.5,"alternate":true,"price":{"fractional":"5/4"}}]}]}`;
    const [element] = elementsOf(body);
    assert.ok(element?.kind === 'accepted');
    const absent = {
      period: null,
      player: null,
      player_id: null,
      line: null,
      alternate: false,
      american: null,
      decimal: null,
      fractional: null,
      state: null,
      source_timestamp: null,
    };
    assert.deepEqual(element.observation, {
      kind: 'image',
      scope: 'operator',
      observed_at: null,
      sha256: element.sha256,
      record_id: null,
      commence_time: parseRfc3339(game.commence_time),
      in_play: false,
      coverage: [
        { market: 'moneyline', period: null, alternate: null },
        { market: 'spread', period: null, alternate: null },
      ],
      covered_operators: null,
      operators: [
        {
          operator: 'DRAFTKINGS',
          quotes: [
            {
              ...absent,
              market: 'moneyline',
              period: 'full',
              selection: 'home',
              american: '-110.0',
              state: 'open',
              source_timestamp: parseRfc3339('2025-11-16T11:59:11Z'),
            },
            { ...absent, market: 'spread', selection: 'away', line: '2.50', decimal: '1.910000000000000000001' },
            {
              ...absent,
              market: 'player_points',
              selection: 'over',
              player: 'Jalen Hurts',
              player_id: '4711',
              line: '21.5',
              alternate: true,
              fractional: '5/4',
            },
          ],
        },
      ],
    });
    assert.deepEqual(element.game, {
      by: 'event',
      league: 'NFL',
      eventId: 'e1',
      homeTeam: 'Philadelphia Eagles',
      awayTeam: 'Detroit Lions',
      commenceTime: parseRfc3339(game.commence_time),
    });
    assert.deepEqual(element.refusals, []);
    assert.deepEqual(Buffer.from(body).toString('utf8', element.start, element.end), body.slice(11, -2));
  });

  it('may name its game by id, and tell a start all the same', () => {
    const named = accepted({
      ...image,
      game: { game_id: 'NFL_DET_PHI_20251116', commence_time: '2025-11-17T01:30:00Z', league: 'XFL' },
    });
    assert.deepEqual(named.game, { by: 'id', gameId: 'NFL_DET_PHI_20251116' });
    assert.equal(named.observation.commence_time, parseRfc3339('2025-11-17T01:30:00Z'));
    assert.equal(accepted({ ...image, game: { game_id: 'x' } }).observation.commence_time, null);
  });

  it('of equal content has equal digests, however it is written', () => {
    const [a] = elementsOf('{"events":[{"operator":"x","kind":"heartbeat","game":{"game_id":"g"},"n":1.0}]}');
    const [b] = elementsOf('{"events":[{"n":1,"game":{"game_id":"g"} , "kind":"heart\\u0062eat","operator":"x"}]}');
    const [c] = elementsOf('{"events":[{"n":2,"game":{"game_id":"g"} , "kind":"heartbeat","operator":"x"}]}');
    assert.equal(a?.sha256, b?.sha256);
    assert.notEqual(a?.sha256, c?.sha256);
  });

  it('is what it says, whatever the members of a body before it were called', () => {
    const named = JSON.stringify({ events: [{ ...image, quotes: [{ own: 1, ...quote }] }] });
    const [plain] = elementsOf(named);
    adaptText(named.replace('"market"', '"m\\\\u006"'));
    const [escaped] = elementsOf(named.replace('"market"', '"m\\u0061rket"'));
    assert.deepEqual({ ...escaped, end: plain?.end }, plain);
  });

  it('has a record id where the push has a key', () => {
    const element = accepted(image, { idempotencyKey: 'k1' });
    const keySha256 = sha256OfKey('k1');
    const id = recordIdOfKey({ source: 'feed', keySha256, index: 0, sha256: element.sha256 as string });
    assert.equal(element.observation.record_id, id);
  });

  it('has its own source time before the header’s', () => {
    const header = '2025-11-16T11:00:00Z';
    assert.equal(accepted(image, { observedAt: header }).observation.observed_at, parseRfc3339(header));
    const own = accepted({ ...image, observed_at: '2025-11-16T10:00:00.1234567+00:00' }, { observedAt: header });
    assert.equal(own.observation.observed_at, parseRfc3339('2025-11-16T10:00:00.123456Z'));
    assert.equal(accepted({ ...image, observed_at: null }).observation.observed_at, null);
  });

  it('has no coverage unless it is an image', () => {
    assert.equal(accepted({ ...image, kind: 'delta', markets: ['moneyline'] }).observation.coverage, null);
    assert.deepEqual(accepted({ ...image, markets: [] }).observation.coverage, []);
  });
});

describe('an event is refused whole', () => {
  const table: readonly (readonly [what: string, event: unknown, refusal: readonly [string, string] | null])[] = [
    ['no object', 7, ['bad-event', '']],
    ['an array', [], ['bad-event', '']],
    ['null', null, ['bad-event', '']],
    ['no kind', { ...image, kind: null }, ['bad-event', '/kind']],
    ['another kind', { ...image, kind: 'Image' }, ['bad-event', '/kind']],
    ['no game', { ...image, game: null }, ['bad-event', '/game']],
    ['a game that is a text', { ...image, game: 'e1' }, ['bad-event', '/game']],
    ['no league', { ...image, game: { ...game, league: null } }, ['bad-event', '/game/league']],
    ['another league', { ...image, game: { ...game, league: 'XFL' } }, ['bad-event', '/game/league']],
    ['no event id', { ...image, game: { ...game, event_id: '' } }, ['bad-event', '/game/event_id']],
    ['an event id that is a number', { ...image, game: { ...game, event_id: 7 } }, ['bad-event', '/game/event_id']],
    [
      'an event id that no catalog holds',
      { ...image, game: { ...game, event_id: 'a\u0000' } },
      ['bad-event', '/game/event_id'],
    ],
    [
      'an endless event id',
      { ...image, game: { ...game, event_id: 'a'.repeat(257) } },
      ['bad-event', '/game/event_id'],
    ],
    [
      'a home team of half a character',
      { ...image, game: { ...game, home_team: '\ud800' } },
      ['bad-event', '/game/home_team'],
    ],
    ['no away team', { ...image, game: { ...game, away_team: undefined } }, ['bad-event', '/game/away_team']],
    ['no start', { ...image, game: { ...game, commence_time: null } }, ['bad-event', '/game/commence_time']],
    ['a bad start', { ...image, game: { ...game, commence_time: 'soon' } }, ['bad-event', '/game/commence_time']],
    ...['0001-01-01T00:00:00Z', '1969-12-31T23:59:59.999999Z', '2200-01-01T00:00:00Z', '9999-12-31T23:59:59Z'].map(
      (start) =>
        [
          `a start that no game has, ${start}`,
          { ...image, game: { ...game, commence_time: start } },
          ['bad-event', '/game/commence_time'],
        ] as const,
    ),
    ['the first start', { ...image, game: { ...game, commence_time: '1970-01-01T00:00:00Z' } }, null],
    ['the last start', { ...image, game: { ...game, commence_time: '2199-12-31T23:59:59.999999Z' } }, null],
    [
      'a bad start beside an id',
      { ...image, game: { game_id: 'g', commence_time: 5 } },
      ['bad-event', '/game/commence_time'],
    ],
    ['an id that is a number', { ...image, game: { game_id: 5 } }, ['bad-event', '/game/game_id']],
    ['in_play that is no boolean', { ...image, in_play: 0 }, ['bad-event', '/in_play']],
    ['markets that are no list', { ...image, markets: 'moneyline' }, ['bad-event', '/markets']],
    ['markets that are no names', { ...image, markets: [7] }, ['bad-event', '/markets']],
    ['no quotes', { ...image, quotes: null }, ['bad-event', '/quotes']],
    ['quotes that are no list', { ...image, quotes: { a: 1 } }, ['bad-event', '/quotes']],
    ['a heartbeat with quotes', { ...image, kind: 'heartbeat' }, ['bad-event', '/quotes']],
    ['a heartbeat without', { ...image, kind: 'heartbeat', quotes: undefined }, null],
    ['a heartbeat with none', { ...image, kind: 'heartbeat', quotes: [] }, null],
    ['no operator', { ...image, operator: null }, ['bad-operator', '/operator']],
    ['an operator that is a number', { ...image, operator: 5 }, ['bad-operator', '/operator']],
    ['a bad operator', { ...image, operator: 'bet-mgm', observed_at: 'noon' }, ['bad-operator', '/operator']],
    ['a time that is none', { ...image, observed_at: 'noon' }, ['bad-time', '/observed_at']],
    ['a time that is a number', { ...image, observed_at: 12 }, ['bad-time', '/observed_at']],
    ['a time of the year 1', { ...image, observed_at: '0001-01-01T00:00:00Z' }, ['bad-time', '/observed_at']],
    [
      'a time of the year 9999',
      { ...image, observed_at: '9999-12-31T23:59:59Z' },
      ['future-observation', '/observed_at'],
    ],
    ['a time before 2000', { ...image, observed_at: '1999-12-31T23:59:59.999999Z' }, ['bad-time', '/observed_at']],
    ['a time just in time', { ...image, observed_at: '2025-11-16T12:00:05.0000009Z' }, null],
    ['a future time', { ...image, observed_at: '2025-11-16T12:00:05.000001Z' }, ['future-observation', '/observed_at']],
  ];
  for (const [what, event, expected] of table)
    it(`${what}: ${expected?.[0] ?? 'accepted'}`, () => assert.deepEqual(refusal(event), expected));

  it('a source time without the scope is forbidden before it is read', () => {
    assert.deepEqual(refusal({ ...image, observed_at: 'noon' }, { mayBackfill: false }), [
      'forbidden-time',
      '/observed_at',
    ]);
    assert.equal(refusal({ ...image, observed_at: null }, { mayBackfill: false }), null);
  });

  it('a header that is no time refuses those that need it', () => {
    assert.deepEqual(refusal(image, { observedAt: 'noon' }), ['bad-time', '']);
    assert.equal(refusal({ ...image, observed_at: '2025-11-16T11:00:00Z' }, { observedAt: 'noon' }), null);
  });

  it('names the game it was about, where the game may not exist', () => {
    const named = { ...image, game: { game_id: 'g' } };
    const gameIds = [
      { ...named, operator: '' },
      { ...named, observed_at: 5 },
      { ...named, kind: 5 },
      { ...image, operator: '' },
    ].map((event) => {
      const element = only(event);
      return element.kind === 'refused' ? element.gameId : undefined;
    });
    assert.deepEqual(gameIds, ['g', 'g', null, null]);
  });
});

describe('size', () => {
  const quotes = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      market: 'x_wide',
      selection: `s${index}`,
      price: { american: 100 },
    }));
  const padded = (bytes: number) => {
    const bare = JSON.stringify({ ...image, pad: '' });
    return bare.replace('"pad":""', `"pad":"${'x'.repeat(bytes - bare.length)}"`);
  };

  it('5,000 quotes pass, 5,001 do not, whatever else is wrong', () => {
    assert.equal(refusal({ ...image, quotes: quotes(5_000) }), null);
    assert.deepEqual(refusal({ ...image, quotes: quotes(5_001) }), ['too-large', '']);
    assert.deepEqual(refusal({ kind: 'picture', quotes: quotes(5_001) }), ['too-large', '']);
  });

  for (const form of ['json', 'ndjson'] as const) {
    it(`900,000 bytes pass, 900,001 do not, neighbours go on (${form})`, () => {
      const events = [padded(900_000), padded(900_001), JSON.stringify(image)];
      const body =
        form === 'json' ? `{"events":[ ${events.join(' , ')} ]}` : events.map((event) => ` ${event}\r\n`).join('\n');
      const elements = elementsOf(body, {}, form);
      assert.deepEqual(
        elements.map((element) => (element.kind === 'refused' ? element.refusals[0]?.code : null)),
        [null, 'too-large', null],
      );
      assert.deepEqual(
        elements.map((element) => element.end - element.start),
        [900_000, 900_001, JSON.stringify(image).length],
      );
    });
  }

  it('counts bytes, not characters', () => {
    const text = padded(900_000).replace('xx', 'é');
    assert.equal(elementsOf(`{"events":[${text}]}`)[0]?.kind, 'accepted');
    assert.equal(elementsOf(`{"events":[${text.replace('éx', 'éé')}]}`)[0]?.kind, 'refused');
  });
});

it('a quote whose source time is of no time that we know has none, and stands', () => {
  const stampOf = (stamp: string) => {
    const { observation, refusals } = accepted({ ...image, quotes: [{ ...quote, source_timestamp: stamp }] });
    assert.deepEqual(refusals, []);
    return observation.operators[0]?.quotes[0]?.source_timestamp;
  };
  for (const stamp of [
    '0001-01-01T00:00:00Z',
    '1969-12-31T23:59:59.999999Z',
    '2200-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ])
    assert.equal(stampOf(stamp), null, stamp);
  for (const stamp of ['1970-01-01T00:00:00Z', '2199-12-31T23:59:59.999999Z'])
    assert.equal(stampOf(stamp), parseRfc3339(stamp));
});

describe('quotes are refused one by one, with pointers', () => {
  const table: readonly [quote: unknown, code: string, pointer: string][] = [
    [7, 'bad-quote', ''],
    [[], 'bad-quote', ''],
    [null, 'bad-quote', ''],
    [{ ...quote, market: 5 }, 'bad-quote', '/market'],
    [{ ...quote, market: 'Moneyline' }, 'bad-quote', '/market'],
    [{ ...quote, period: 1 }, 'bad-quote', '/period'],
    [{ ...quote, selection: null }, 'bad-quote', '/selection'],
    [{ ...quote, player: '' }, 'bad-quote', '/player'],
    [{ ...quote, player: 5 }, 'bad-quote', '/player'],
    [{ ...quote, player_id: 5 }, 'bad-quote', '/player_id'],
    [{ ...quote, alternate: 'yes' }, 'bad-quote', '/alternate'],
    [{ ...quote, source_timestamp: 'noon' }, 'bad-quote', '/source_timestamp'],
    [{ ...quote, source_timestamp: '0000-01-01T00:00:00Z' }, 'bad-quote', '/source_timestamp'],
    [{ ...quote, source_timestamp: 12 }, 'bad-quote', '/source_timestamp'],
    [{ ...quote, state: 'closed' }, 'bad-state', '/state'],
    [{ ...quote, state: 5 }, 'bad-state', '/state'],
    [{ ...quote, state: 'withdrawn' }, 'bad-state', '/state'],
    [{ ...quote, price: null }, 'bad-price', '/price'],
    [{ ...quote, price: -110 }, 'bad-price', '/price'],
    [{ ...quote, price: [] }, 'bad-price', '/price'],
    [{ ...quote, price: { american: '-110' } }, 'bad-price', '/price'],
    [{ ...quote, price: { american: true, decimal: 1.91 } }, 'bad-price', '/price'],
    [{ ...quote, price: { fractional: 1.5 } }, 'bad-price', '/price'],
    [{ ...quote, price: { fractional: ['5/4'] } }, 'bad-price', '/price'],
    [{ ...quote, price: { decimal: {} } }, 'bad-price', '/price'],
    [{ ...quote, line: '2.5' }, 'bad-line', '/line'],
    [{ ...quote, line: [2.5] }, 'bad-line', '/line'],
    [{ ...quote, market: 'total' }, 'missing-line', '/line'],
    [{ ...quote, alternate: true }, 'missing-line', '/line'],
    [quote, 'duplicate-selection', ''],
  ];
  it('each with its own code', () => {
    const element = accepted({
      ...image,
      quotes: [quote, ...table.map(([bad]) => bad), { ...quote, selection: 'away' }],
    });
    assert.deepEqual(
      element.refusals.map(({ code, pointer }) => [code, pointer]),
      table.map(([, code, pointer], index) => [code, `/quotes/${index + 1}${pointer}`]),
    );
    assert.deepEqual(
      element.observation.operators[0]?.quotes.map(({ selection }) => selection),
      ['home', 'away'],
    );
  });

  it('a withdrawn quote says nothing of a price, however it is written', () => {
    const element = accepted({ ...image, kind: 'delta', quotes: [{ ...quote, state: 'withdrawn', price: 'gone' }] });
    assert.deepEqual(element.refusals, []);
    assert.equal(element.observation.operators[0]?.quotes[0]?.american, null);
  });
});

describe('a body', () => {
  it('without a list of events is malformed', () => {
    for (const body of [
      '[]',
      '{}',
      '7',
      '{"events":null}',
      '{"events":{}}',
      JSON.stringify(image),
      '{"events":[],"events":7}',
    ]) {
      assert.equal(adaptText(body).kind, 'malformed', body);
    }
    assert.deepEqual(elementsOf('{"events":[]}'), []);
    assert.equal(elementsOf(`{"events":7,"events":[${JSON.stringify(image)}]}`).length, 1);
  });

  it('of lines costs a bad line only itself', () => {
    const good = JSON.stringify(image);
    const body = Buffer.concat([
      Buffer.from(`${good}\n{"kind":\n\n${good}\r\n"x"\n`),
      Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
      Buffer.from(`${'['.repeat(40)}${']'.repeat(40)}\n{"quotes":[${'['.repeat(40)}${']'.repeat(40)}]}\n${good}`),
    ]);
    const push = runToEnd(adaptNativePush(body, 'ndjson', context));
    assert.ok(push.kind === 'elements');
    assert.deepEqual(
      push.elements.map((element) => [element.index, element.kind === 'refused' ? element.refusals[0]?.code : null]),
      [
        [0, null],
        [1, 'bad-event'],
        [2, null],
        [3, 'bad-event'],
        [4, 'bad-event'],
        [5, 'bad-event'],
        [6, 'bad-event'],
        [7, null],
      ],
    );
    const [, broken] = push.elements;
    assert.ok(broken?.kind === 'refused');
    assert.match(broken.refusals[0]?.detail ?? '', /^line 2 of the body: not JSON \(line 1, column 9\)/);
  });

  it('of no line holds no event', () => {
    assert.deepEqual(elementsOf('', {}, 'ndjson'), []);
    assert.deepEqual(elementsOf('\n \r\n', {}, 'ndjson'), []);
  });

  it('costs an event that nests too deep only itself', () => {
    const deep = { ...image, quotes: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) };
    const elements = elementsOf(JSON.stringify({ events: [image, deep, image] }));
    assert.deepEqual(
      elements.map((element) => (element.kind === 'refused' ? element.refusals[0]?.code : null)),
      [null, 'bad-event', null],
    );
  });
});

it('whatever an event holds, nothing throws and every element has its answer', () => {
  const keys = fc.constantFrom(
    'kind',
    'operator',
    'game',
    'quotes',
    'markets',
    'in_play',
    'observed_at',
    'game_id',
    'league',
    'event_id',
    'home_team',
    'away_team',
    'commence_time',
    'market',
    'selection',
    'price',
    'american',
    'line',
    'player',
    '__proto__',
    'constructor',
  );
  const words = fc.constantFrom(
    'image',
    'delta',
    'heartbeat',
    'NFL',
    'x',
    'moneyline',
    'home',
    '2025-11-17T01:20:00Z',
    '',
    '\u0000',
    '\ud800',
  );
  const { node } = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      words,
      fc.constantFrom(null, true, 0, -110, 2.5, 1e21),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(keys, tie('node'), { maxKeys: 6 }),
    ),
  }));
  fc.assert(
    fc.property(fc.array(fc.oneof(node, fc.dictionary(keys, node)), { maxLength: 4 }), (events) => {
      const elements = elementsOf(JSON.stringify({ events }), { observedAt: null });
      assert.deepEqual(
        elements.map((element) => element.index),
        events.map((_, index) => index),
      );
    }),
    { numRuns: cases(2_000) },
  );
});
