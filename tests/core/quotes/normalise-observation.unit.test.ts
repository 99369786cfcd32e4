import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { nilUuid } from '../../../core/games/uuid.ts';
import { asciiLowerCase, asciiUpperCase, isSourceName, operatorCodeOf } from '../../../core/quotes/name-forms.ts';
import { recordRefusal } from '../../../core/quotes/normalise-observation.ts';
import { isFault, normaliseQuote } from '../../../core/quotes/normalise-quote.ts';
import { recordIdOfKey } from '../../../core/quotes/record-id.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import type { Observation, QuotesRecord, RawQuote } from '../../../schemas/events/quotes.ts';
import { normaliseObservation } from '../../support/builders/in-one-go.ts';
import { rawObservation, rawQuote, rawRecord, someGame } from '../../support/builders/raw-quotes.ts';

const noon = parseRfc3339('2025-11-16T12:00:00Z') as number;

function codeOf(quote: Partial<RawQuote>, kind: 'image' | 'delta' = 'image'): string | null {
  const result = normaliseQuote(rawQuote(quote), kind);
  return isFault(result) ? result.code : null;
}

function refusalOf(observation: Partial<Observation>, record: Partial<QuotesRecord> = {}): string | null {
  const result = normaliseObservation(rawRecord(rawObservation(observation), record), noon);
  return result.kind === 'refused' ? result.refusal.code : null;
}

function normalOf(observation: Partial<Observation>) {
  const result = normaliseObservation(rawRecord(rawObservation(observation)), noon);
  assert.equal(result.kind, 'observation');
  return result as Extract<typeof result, { kind: 'observation' }>;
}

describe('operators', () => {
  it('are upper case in ASCII', () => {
    assert.equal(operatorCodeOf('Draft_Kings2'), 'DRAFT_KINGS2');
    assert.equal(operatorCodeOf('a'.repeat(32)), 'A'.repeat(32));
    for (const key of ['', 'a'.repeat(33), 'bet-mgm', 'bet.us', 'ﬂat', 'ı', 'é', ' x', 'x\n'])
      assert.equal(operatorCodeOf(key), null, key);
    assert.equal(asciiUpperCase('aıßﬁé'), 'Aıßﬁé');
    assert.equal(asciiLowerCase('AİK\u212a'), 'aİk\u212a');
  });
});

describe('a quote', () => {
  it('has no source time where it tells one before 1970, or after 2199', () => {
    const [first, last] = [0, parseRfc3339('2199-12-31T23:59:59.999999Z') as number];
    for (const [time, kept] of [
      [first, first],
      [first - 1, null],
      [last, last],
      [last + 1, null],
      [Number.NEGATIVE_INFINITY, null],
      [Number.POSITIVE_INFINITY, null],
    ] as const) {
      const quote = normaliseQuote(rawQuote({ source_timestamp: time }), 'image');
      assert.equal('code' in quote ? quote.code : quote.source_timestamp, kept);
    }
  });

  it('defaults to the full period, open', () => {
    assert.deepEqual(normaliseQuote(rawQuote(), 'image'), {
      selection_id: 'moneyline/full/home',
      market: 'moneyline',
      period: 'full',
      selection: 'home',
      player_id: null,
      line: null,
      alternate: false,
      price: { american: -110, decimal: 19_091, format: 'american' },
      state: 'open',
      source_timestamp: null,
    });
  });

  const table: readonly [quote: Partial<RawQuote>, image: string | null, delta: string | null][] = [
    [{ market: 'Moneyline' }, 'bad-quote', 'bad-quote'],
    [{ market: '' }, 'bad-quote', 'bad-quote'],
    [{ market: 'm'.repeat(65) }, 'bad-quote', 'bad-quote'],
    [{ market: 'm'.repeat(64) }, null, null],
    [{ market: 'x\n' }, 'bad-quote', 'bad-quote'],
    [{ period: 'H 1' }, 'bad-quote', 'bad-quote'],
    [{ period: '' }, 'bad-quote', 'bad-quote'],
    [{ selection: '' }, 'bad-quote', 'bad-quote'],
    [{ selection: '\ud800' }, 'bad-quote', 'bad-quote'],
    [{ player: '' }, 'bad-quote', 'bad-quote'],
    [{ player: 'a\udc00' }, 'bad-quote', 'bad-quote'],
    [{ state: 'closed', american: '50' }, 'bad-state', 'bad-state'],
    [{ state: '' }, 'bad-state', 'bad-state'],
    [{ state: 'Open' }, 'bad-state', 'bad-state'],
    [{ state: 'withdrawn', american: null }, 'bad-state', null],
    [{ state: 'withdrawn', american: '50', line: 'x' }, 'bad-state', 'bad-line'],
    [{ state: 'withdrawn', american: '50', market: 'total' }, 'bad-state', null],
    [{ state: 'withdrawn', american: '50', alternate: true }, 'bad-state', 'missing-line'],
    [{ state: 'suspended', american: null }, null, null],
    [{ state: 'suspended', american: '50' }, 'bad-price', 'bad-price'],
    [{ state: 'suspended', american: null, market: 'spread' }, null, null],
    [{ state: 'suspended', american: null, market: 'spread', alternate: true }, 'missing-line', 'missing-line'],
    [{ american: null }, 'bad-price', 'bad-price'],
    [{ american: '50', decimal: '1.91' }, 'bad-price', 'bad-price'],
    [{ american: '50', line: 'x', market: 'total' }, 'bad-price', 'bad-price'],
    [{ line: '0.1234', market: 'total' }, 'bad-line', 'bad-line'],
    [{ market: 'total' }, 'missing-line', 'missing-line'],
    [{ market: 'team_total' }, 'missing-line', 'missing-line'],
    [{ market: 'x_d' }, null, null],
    [{ market: 'x_d', alternate: true }, 'missing-line', 'missing-line'],
  ];
  for (const [quote, image, delta] of table) {
    it(JSON.stringify(quote).slice(0, 90), () => {
      assert.equal(codeOf(quote, 'image'), image);
      assert.equal(codeOf(quote, 'delta'), delta);
    });
  }

  it('loses the price it may not have, and keeps the one it may', () => {
    const withdrawn = normaliseQuote(rawQuote({ state: 'withdrawn', american: '-200' }), 'delta');
    const suspended = normaliseQuote(rawQuote({ state: 'suspended', american: '-200' }), 'image');
    assert.ok(!isFault(withdrawn) && !isFault(suspended));
    assert.equal(withdrawn.price, null);
    assert.equal(suspended.price?.american, -200);
  });

  it('keeps a canonical player id, and null of any other', () => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const cases = [
      [id, id],
      ['4711', null],
      ['', null],
      [id.toUpperCase(), null],
      [null, null],
    ] as const;
    for (const [given, kept] of cases) {
      const quote = normaliseQuote(rawQuote({ player: 'A', player_id: given }), 'image');
      assert.ok(!isFault(quote));
      assert.equal(quote.player_id, kept);
      assert.equal(quote.selection_id, 'moneyline/full/home/A');
    }
  });
});

describe('a record', () => {
  const tooMany = Array.from({ length: 5_001 }, (_, index) => rawQuote({ selection: `s${index}` }));

  const table: readonly [what: string, observation: Partial<Observation>, code: string | null][] = [
    ['5,000 quotes', { operators: [{ operator: 'X', quotes: tooMany.slice(1) }] }, null],
    ['5,001 quotes', { kind: 'picture', operators: [{ operator: 'X', quotes: tooMany }] }, 'too-large'],
    [
      '5,001 quotes of two operators',
      {
        scope: 'game',
        operators: [
          { operator: 'X', quotes: tooMany.slice(2) },
          { operator: '!', quotes: tooMany.slice(0, 2) },
        ],
      },
      'too-large',
    ],
    ['no kind', { kind: '' }, 'bad-event'],
    ['no scope', { scope: 'league' }, 'bad-event'],
    ['a delta of the game', { scope: 'game', kind: 'delta' }, 'bad-event'],
    ['no operator', { operators: [] }, 'bad-event'],
    [
      'two operators',
      {
        operators: [
          { operator: 'X', quotes: [] },
          { operator: 'Y', quotes: [] },
        ],
      },
      'bad-event',
    ],
    ['an empty image of the game', { scope: 'game', operators: [] }, null],
    ['a heartbeat', { kind: 'heartbeat', operators: [{ operator: 'x', quotes: [] }] }, null],
    ['a heartbeat with quotes', { kind: 'heartbeat' }, 'bad-event'],
    ['a start before 1970', { commence_time: -1 }, 'bad-event'],
    ['a start in 1970', { commence_time: 0 }, null],
    ['a start in 2199', { commence_time: parseRfc3339('2199-12-31T23:59:59.999999Z') }, null],
    ['a start after 2199', { commence_time: parseRfc3339('2200-01-01T00:00:00Z') }, 'bad-event'],
    ['a start beyond all times', { commence_time: Number.NEGATIVE_INFINITY }, 'bad-event'],
    ['a bad operator at a bad time', { operators: [{ operator: 'a-a', quotes: [] }], observed_at: 0 }, 'bad-operator'],
    ['a bad operator of a game image', { scope: 'game', operators: [{ operator: 'a-a', quotes: [rawQuote()] }] }, null],
    ['1999', { observed_at: parseRfc3339('1999-12-31T23:59:59.999999Z') }, 'bad-time'],
    ['2000', { observed_at: parseRfc3339('2000-01-01T00:00:00Z') }, null],
    ['a time before all times', { observed_at: Number.NEGATIVE_INFINITY }, 'bad-time'],
    ['a time after all times', { observed_at: Number.POSITIVE_INFINITY }, 'future-observation'],
    ['5 s after', { observed_at: noon + 5_000_000 }, null],
    ['more than 5 s after', { observed_at: noon + 5_000_001 }, 'future-observation'],
  ];
  for (const [what, observation, code] of table)
    it(`${what}: ${code}`, () => assert.equal(refusalOf(observation), code));

  it('takes the gateway’s word for its receive time, and a stranger’s only back', () => {
    const observed = { observed_at: noon + 60_000_000 };
    const later = { received_at: noon + 60_000_000 };
    assert.equal(refusalOf(observed, { ...later, push: 'p' }), null);
    assert.equal(refusalOf(observed, later), 'future-observation');
    assert.equal(refusalOf({ observed_at: noon }, { received_at: noon - 60_000_000 }), 'future-observation');
  });

  it('has each operator once, in code order, with its quotes in order', () => {
    const { observation, refusals } = normalOf({
      scope: 'game',
      operators: [
        { operator: 'bb', quotes: [rawQuote({ american: '50' }), rawQuote({ american: '-120' }), rawQuote()] },
        { operator: 'b.b', quotes: [rawQuote({ market: '' })] },
        { operator: 'AA', quotes: [] },
        { operator: 'Bb', quotes: [rawQuote(), rawQuote({ selection: 'away' })] },
      ],
    });
    const shown = observation.operators.map(({ operator, quotes }) => [
      operator,
      quotes.map((quote) => [quote.selection, quote.price?.american]),
    ]);
    assert.deepEqual(shown, [
      ['AA', []],
      [
        'BB',
        [
          ['home', -120],
          ['away', -110],
        ],
      ],
    ]);
    assert.deepEqual(
      refusals.map(({ code, pointer }) => [code, pointer]),
      [
        ['bad-price', '/observation/operators/0/quotes/0'],
        ['duplicate-selection', '/observation/operators/0/quotes/2'],
        ['bad-operator', '/observation/operators/1'],
        ['duplicate-selection', '/observation/operators/3/quotes/0'],
      ],
    );
  });

  it('covers what an image says it covers', () => {
    const coverage = [{ market: 'spread', period: null, alternate: null }];
    assert.deepEqual(normalOf({ coverage }).observation.coverage, coverage);
    assert.equal(normalOf({ kind: 'delta', coverage }).observation.coverage, null);
    const game = normalOf({ scope: 'game', covered_operators: ['aa', 'b.b'] }).observation;
    assert.deepEqual(game.covered_operators, new Set(['AA']));
    assert.equal(normalOf({ covered_operators: ['aa'] }).observation.covered_operators, null);
  });
});

describe('the frame of a record', () => {
  const nothing = rawRecord(null);
  const tick = { ...nothing, source: '', tick: { at: noon } };
  const ofPartition = { ...tick, game_uuid: nilUuid, game_id: '', league: '' };
  const aStart = { scheduled_start: noon, from_schedule: false };
  const table: readonly [what: string, record: QuotesRecord, key: string | null, code: string | null][] = [
    ['an observation', rawRecord(rawObservation()), someGame, null],
    ['another key', rawRecord(rawObservation()), 'x', 'bad-key'],
    ['no key', rawRecord(rawObservation()), null, 'bad-key'],
    [
      'a UUID in upper case',
      rawRecord(null, { game_uuid: '0F8FAD5B-D9CB-469F-A165-70867728950E' }),
      '0F8FAD5B-D9CB-469F-A165-70867728950E',
      'bad-key',
    ],
    ['no UUID', rawRecord(rawObservation(), { game_uuid: 'x' }), 'x', 'bad-key'],
    ['nothing', nothing, someGame, 'bad-record'],
    ['two things', { ...rawRecord(rawObservation()), tick: { at: noon } }, someGame, 'bad-record'],
    ['another league', rawRecord(rawObservation(), { league: 'XFL' }), someGame, 'bad-record'],
    [
      'a game of another league',
      rawRecord(rawObservation(), { game_id: 'NBA_DET_PHI_20251116' }),
      someGame,
      'bad-record',
    ],
    ['a game id that is none', rawRecord(rawObservation(), { game_id: 'NFL_../..' }), someGame, 'bad-record'],
    ['the UUID as id', rawRecord(rawObservation(), { game_id: someGame }), someGame, null],
    ['a second game', rawRecord(rawObservation(), { game_id: 'NFL_DET_PHI_20251116_2' }), someGame, null],
    ['no source', rawRecord(rawObservation(), { source: '' }), someGame, 'bad-record'],
    ['a source with a slash', rawRecord(rawObservation(), { source: 'a/b' }), someGame, 'bad-record'],
    ['a receive time that is none', rawRecord(rawObservation(), { received_at: -1 }), someGame, 'bad-record'],
    ['a tick', tick, someGame, null],
    ['a tick of the partition', ofPartition, nilUuid, null],
    ['a tick of the partition that says more', { ...tick, game_uuid: nilUuid, league: 'XFL' }, nilUuid, null],
    ['a tick of the partition under the key of a game', ofPartition, someGame, 'bad-key'],
    ['a tick of the partition without a key', ofPartition, null, 'bad-key'],
    ['a tick of a game under the key of none', tick, nilUuid, 'bad-key'],
    ['a tick of the partition at no time', { ...ofPartition, tick: { at: -1 } }, nilUuid, 'bad-record'],
    ['a tick of the partition and a start', { ...ofPartition, start: aStart }, nilUuid, 'bad-record'],
    ['an observation of no game', rawRecord(rawObservation(), { game_uuid: nilUuid }), nilUuid, 'bad-record'],
    ['a start of no game', { ...nothing, game_uuid: nilUuid, start: aStart }, nilUuid, 'bad-record'],
    [
      'a status of no game',
      { ...nothing, game_uuid: nilUuid, status: { status: 'COMPLETED', at: noon } },
      nilUuid,
      'bad-record',
    ],
    [
      'an owner in no game',
      { ...nothing, game_uuid: nilUuid, owner: { operator: 'AA', owner_source: 's2' } },
      nilUuid,
      'bad-record',
    ],
    ['nothing of no game', { ...nothing, game_uuid: nilUuid }, nilUuid, 'bad-record'],
    ['a tick at no time', { ...tick, tick: { at: Number.NaN } }, someGame, 'bad-record'],
    ['a start', { ...nothing, start: aStart }, someGame, null],
    ['a status', { ...nothing, status: { status: 'STARTED', at: noon } }, someGame, null],
    ['a status that is none', { ...nothing, status: { status: 'LIVE', at: noon } }, someGame, 'bad-record'],
    ['an owner', { ...nothing, owner: { operator: 'AA', owner_source: 's2' } }, someGame, null],
    ['an owner that is none', { ...nothing, owner: { operator: 'AA', owner_source: '' } }, someGame, 'bad-record'],
  ];
  for (const [what, record, key, code] of table) {
    it(`${what}: ${code}`, () => assert.equal(recordRefusal(key, record)?.code ?? null, code));
  }

  it('may say any time: a clock that is ahead of the broker’s costs no record', () => {
    for (const time of [0, noon + 5_000_001, Number.MAX_SAFE_INTEGER]) {
      assert.equal(recordRefusal(someGame, { ...nothing, tick: { at: time } }), null);
      assert.equal(recordRefusal(someGame, { ...nothing, status: { status: 'STARTED', at: time } }), null);
      assert.equal(recordRefusal(someGame, { ...rawRecord(rawObservation()), received_at: time }), null);
    }
  });

  it('names sources by what can stand in a path', () => {
    for (const name of ['feed', 's1', 'the-odds-api', 'a_b']) assert.ok(isSourceName(name), name);
    for (const name of ['', '-a', 'A', 'a/b', 'a b', 'a'.repeat(65)]) assert.ok(!isSourceName(name), name);
  });
});

describe('record ids', () => {
  const keyed = { source: 's', keySha256: 'k', index: 0, sha256: 'a'.repeat(64) };

  it('differ in every part, and are the same for the same parts', () => {
    const ids = [
      recordIdOfKey(keyed),
      recordIdOfKey({ ...keyed, source: 't' }),
      recordIdOfKey({ ...keyed, keySha256: 'l' }),
      recordIdOfKey({ ...keyed, index: 1 }),
      recordIdOfKey({ ...keyed, sha256: 'b'.repeat(64) }),
    ];
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.match(id, /^[A-Za-z0-9_-]{24}$/);
    assert.equal(recordIdOfKey({ ...keyed }), ids[0]);
  });
});
