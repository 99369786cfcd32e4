// MSF's `odds_gamelines` as quotes (docs/revisions.md#feeds-and-datasets; docs/quotes.md#normalising): one source-timed delta for each
// sportsbook and `asOfTime`, its element exactly those entries, in an order that the fold takes.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { everything } from '../../../core/access/feed-grant.ts';
import { canonicalSha256 } from '../../../core/json/canonical.ts';
import type { JsonObject, JsonValue } from '../../../core/json/value.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import type { AdaptedElement, PushContext } from '../../../ingest/adapters/adapted.ts';
import { adaptGameLines } from '../../../ingest/adapters/msf-game-lines.ts';
import { periodOfSegment } from '../../../ingest/adapters/msf-periods.ts';
import type { Observation } from '../../../schemas/events/quotes.ts';
import { normaliseObservation } from '../../support/builders/in-one-go.ts';
import { msfRecordings, msfRecordingsAbsent } from '../../support/recordings/msf-recordings.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const receivedAt = Date.UTC(2026, 0, 10) * 1000;
const context: PushContext = {
  source: 'feed',
  receivedAt,
  may: everything,
  mayBackfill: true,
  observedAt: null,
  idempotencyKey: null,
};

const game = {
  id: 7,
  week: 1,
  startTime: '2025-11-17T01:20:00.000Z',
  awayTeamAbbreviation: 'DET',
  homeTeamAbbreviation: 'PHI',
};
const price = (american: JsonValue): JsonObject => ({ american, decimal: null, fractional: null });
const money = (asOfTime: JsonValue, away: JsonValue, home: JsonValue, more: JsonObject = {}): JsonObject => ({
  asOfTime,
  moneyLine: {
    gameSegment: 'FULL',
    awayLine: price(away),
    homeLine: price(home),
    drawLine: price(null),
    ...more,
  },
});
const book = (name: JsonValue, lists: JsonObject): JsonObject => ({
  source: { name, region: 'Americas' },
  moneyLines: [],
  pointSpreads: [],
  overUnders: [],
  futures: [],
  props: [],
  ...lists,
});
const bodyOf = (...lines: JsonValue[]): JsonObject => ({ gameLines: [{ game, lines }] });

const adapt = (body: JsonValue, given: Partial<PushContext> = {}) => {
  const adapted = runToEnd(adaptGameLines(body, 'NFL', { ...context, ...given }));
  if (adapted.kind !== 'elements') throw new Error(adapted.detail);
  const bytes = adapted.bytes ?? new Uint8Array();
  return adapted.elements.map((element) => ({
    ...element,
    payload: JSON.parse(Buffer.from(bytes.subarray(element.start, element.end)).toString()) as JsonValue,
  }));
};
const accepted = (elements: readonly AdaptedElement[]) => elements.filter((each) => each.kind === 'accepted');
const refusalsOf = (elements: readonly AdaptedElement[]) =>
  elements.flatMap((each) =>
    (each.kind === 'refused' ? each.refusals : each.refusals).map(({ code, pointer }) => `${code} ${pointer}`),
  );
const quotesOf = ({ observation }: { observation: Observation }) =>
  observation.operators.flatMap(({ quotes }) =>
    quotes.map(({ market, period, selection, line, american }) =>
      [market, period, selection, line, american].join(' '),
    ),
  );

const [t1, t2] = ['2025-11-16T20:00:00.000Z', '2025-11-16T21:00:00.000Z'] as const;

describe('game lines', () => {
  it('are a delta of one operator, of the time as of which they stood, in the game that the body names', () => {
    const [only, ...others] = accepted(adapt(bodyOf(book('Bovada', { moneyLines: [money(t1, 125, -145)] }))));
    assert.deepEqual(others, []);
    assert.deepEqual(only?.game, {
      by: 'event',
      league: 'NFL',
      eventId: 'game/NFL/7',
      homeTeam: 'PHI',
      awayTeam: 'DET',
      commenceTime: parseRfc3339(game.startTime),
    });
    const { kind, scope, observed_at, commence_time, in_play, history, record_id } = only!.observation;
    assert.deepEqual(
      { kind, scope, observed_at, commence_time, in_play, history, record_id },
      {
        kind: 'delta',
        scope: 'operator',
        observed_at: parseRfc3339(t1),
        commence_time: parseRfc3339(game.startTime),
        in_play: null,
        history: true,
        record_id: null,
      },
    );
    assert.deepEqual(
      only?.observation.operators.map(({ operator }) => operator),
      ['BOVADA'],
    );
    assert.equal(only?.observation.operators[0]?.quotes[0]?.source_timestamp, parseRfc3339(t1));
  });

  it('name their sides, lines and prices as they were written', () => {
    const spread = {
      gameSegment: 'FIRST_HALF',
      awaySpread: 2.5,
      awayLine: price(-110),
      homeSpread: -2.5,
      homeLine: price(-110),
    };
    const total = {
      gameSegment: 'THIRD_QUARTER',
      overUnder: 46.5,
      overLine: { american: null, decimal: 1.91, fractional: '10/11' },
      underLine: price(100),
    };
    const [only] = accepted(
      adapt(
        bodyOf(
          book('888Sport', {
            moneyLines: [money(t1, 125, -145, { drawLine: price(900) })],
            pointSpreads: [{ asOfTime: t1, pointSpread: spread }],
            overUnders: [{ asOfTime: t1, overUnder: total }],
          }),
        ),
      ),
    );
    assert.equal(only?.observation.operators[0]?.operator, '888SPORT');
    assert.deepEqual(quotesOf(only!), [
      'moneyline full away  125',
      'moneyline full home  -145',
      'moneyline full draw  900',
      'spread first_half away 2.5 -110',
      'spread first_half home -2.5 -110',
      'total q3 over 46.5 ',
      'total q3 under 46.5 100',
    ]);
    const [, , , , , over] = only?.observation.operators[0]?.quotes ?? [];
    assert.deepEqual([over?.decimal, over?.fractional], ['1.91', '10/11']);
  });

  it('of one time are one element, exactly the entries of that time; of several, one after the other', () => {
    const body = bodyOf(
      book('A', {
        moneyLines: [money(t2, 120, -140), money(t1, 125, -145)],
        overUnders: [
          {
            asOfTime: '2025-11-16T15:00:00-05:00',
            overUnder: { gameSegment: 'FULL', overUnder: 40, overLine: price(-105), underLine: price(-115) },
          },
        ],
      }),
      book('B', { moneyLines: [money(t1, 110, -130)] }),
    );
    const elements = adapt(body);
    assert.deepEqual(
      accepted(elements).map(({ index, observation }) => [
        index,
        observation.operators[0]?.operator,
        observation.observed_at,
        quotesOf({ observation }).length,
      ]),
      [
        [0, 'A', parseRfc3339(t1), 4],
        [1, 'A', parseRfc3339(t2), 2],
        [2, 'B', parseRfc3339(t1), 2],
      ],
    );
    const lines = (body.gameLines as JsonObject[])[0]?.lines as JsonObject[];
    const [a] = lines;
    const expected = [(a!.moneyLines as JsonValue[])[1]!, (a!.overUnders as JsonValue[])[0]!];
    assert.deepEqual(elements[0]?.payload, expected);
    assert.equal(elements[0]?.sha256, canonicalSha256(expected));
  });

  it('are known again, whatever has been added behind them and beside them', () => {
    const before = adapt(bodyOf(book('A', { moneyLines: [money(t1, 125, -145)] })));
    const after = adapt({
      gameLines: [
        { game: { ...game, id: 8 }, lines: [book('A', { moneyLines: [money(t1, 1, 2)] })] },
        {
          game: { ...game, week: 2 },
          lines: [
            { ...book('A', { moneyLines: [money(t1, 125, -145), money(t2, 120, -140)] }), source: { name: 'a' } },
          ],
        },
      ],
    });
    assert.equal(
      after.find(({ sha256 }) => sha256 === before[0]?.sha256)?.kind,
      'accepted',
      'the same entries of the same time',
    );
  });

  it('of one sportsbook listed twice are one history', () => {
    const body = bodyOf(
      book('A', { moneyLines: [money(t2, 120, -140)] }),
      book('A', { moneyLines: [money(t1, 125, -145)], overUnders: null }),
    );
    assert.deepEqual(
      accepted(adapt(body)).map(({ observation }) => observation.observed_at),
      [parseRfc3339(t1), parseRfc3339(t2)],
    );
  });

  it('of one sportsbook listed twice name each place where one is wrong', () => {
    const bad = { moneyLines: [money(t1, 125, 0), { ...money(t1, 1, 1), asOfTime: 'now' }] };
    const elements = adapt(bodyOf(book('A', bad), book('A', bad)));
    assert.deepEqual(
      elements
        .flatMap((each) => (each.kind === 'refused' ? each.refusals : each.refusals))
        .map(({ pointer }) => pointer),
      [
        '/gameLines/0/lines/0/moneyLines/1/asOfTime',
        '/gameLines/0/lines/1/moneyLines/1/asOfTime',
        '/gameLines/0/lines/0/moneyLines/0/moneyLine/homeLine',
        '/gameLines/0/lines/1/moneyLines/0/moneyLine/awayLine',
        '/gameLines/0/lines/1/moneyLines/0/moneyLine/homeLine',
      ],
    );
  });

  it('carry a record id where the push had an Idempotency-Key', () => {
    const [only] = accepted(adapt(bodyOf(book('A', { moneyLines: [money(t1, 125, -145)] })), { idempotencyKey: 'k' }));
    assert.match(only?.observation.record_id ?? '', /^[\w-]{24}$/);
  });

  for (const [segment, period] of [
    ['FULL', 'full'],
    ['FIRST_HALF', 'first_half'],
    ['SECOND_HALF', 'second_half'],
    ['FIRST_QUARTER', 'q1'],
    ['FOURTH_QUARTER', 'q4'],
    ['FIRST_PERIOD', 'p1'],
    ['THIRD_PERIOD', 'p3'],
    ['FIRST_FIVE_INNINGS', 'first_five_innings'],
    ['LAST_FOUR_INNINGS', 'last_four_innings'],
    ['FIRST_INNING', 'inning_1'],
    ['NINTH_INNING', 'inning_9'],
    ['NINETH_INNING', 'inning_9'],
    ['REGULATION_ONLY', 'regulation'],
    ['SOMETHING_NEW', 'something_new'],
    ['Not a name', null],
    ['', null],
  ] as const) {
    it(`of the segment ${JSON.stringify(segment)} are of the period ${period}`, () =>
      assert.equal(periodOfSegment(segment), period));
  }
});

describe('what is wrong with game lines', () => {
  const good = { moneyLines: [money(t1, 125, -145)] };
  const cases: readonly [name: string, body: JsonValue, refusals: readonly string[], accepted: number][] = [
    [
      'a game without an id',
      { gameLines: [{ game: { ...game, id: 'x' }, lines: [] }] },
      ['bad-event /gameLines/0/game/id'],
      0,
    ],
    ['no game', { gameLines: [null, { game, lines: [book('A', good)] }] }, ['bad-event /gameLines/0/game/id'], 1],
    [
      'no start',
      { gameLines: [{ game: { ...game, startTime: '2025' }, lines: [] }] },
      ['bad-event /gameLines/0/game/startTime'],
      0,
    ],
    [
      'no team',
      { gameLines: [{ game: { ...game, homeTeamAbbreviation: '' }, lines: [] }] },
      ['bad-event /gameLines/0/game/homeTeamAbbreviation'],
      0,
    ],
    ['no lines', { gameLines: [{ game, lines: {} }] }, ['bad-event /gameLines/0/lines'], 0],
    [
      'a sportsbook without a name',
      bodyOf(book(null, good), book('B', good)),
      ['bad-operator /gameLines/0/lines/0/source/name'],
      1,
    ],
    [
      'a sportsbook of no code',
      bodyOf(book('Bet Online.ag', good)),
      ['bad-operator /gameLines/0/lines/0/source/name'],
      0,
    ],
    [
      'a list that is none',
      bodyOf(book('A', { ...good, overUnders: {} })),
      ['bad-event /gameLines/0/lines/0/overUnders'],
      1,
    ],
    [
      'props, of which nobody has seen one',
      bodyOf(book('A', { ...good, props: [{}] })),
      ['bad-event /gameLines/0/lines/0/props'],
      1,
    ],
    [
      'an entry of no time',
      bodyOf(book('A', { moneyLines: [money(null, 1, 2), money(t1, 125, -145)] })),
      ['bad-time /gameLines/0/lines/0/moneyLines/0/asOfTime'],
      1,
    ],
    [
      'an entry before all feeds',
      bodyOf(book('A', { moneyLines: [money('1999-01-01T00:00:00Z', 125, -145)] })),
      ['bad-time /gameLines/0/lines/0/moneyLines/0/asOfTime'],
      0,
    ],
    [
      'entries of the years 1 and 9999',
      bodyOf(
        book('A', { moneyLines: ['0001-01-01T00:00:00Z', '9999-01-01T00:00:00Z'].map((at) => money(at, 125, -145)) }),
      ),
      [
        'bad-time /gameLines/0/lines/0/moneyLines/0/asOfTime',
        'future-observation /gameLines/0/lines/0/moneyLines/1/asOfTime',
      ],
      0,
    ],
    [
      'a start that no game has',
      {
        gameLines: ['0001-01-01T00:00:00Z', '2200-01-01T00:00:00Z'].map((startTime) => ({
          game: { ...game, startTime },
          lines: [],
        })),
      },
      ['bad-event /gameLines/0/game/startTime', 'bad-event /gameLines/1/game/startTime'],
      0,
    ],
    [
      'an entry of tomorrow',
      bodyOf(book('A', { moneyLines: [money('2026-01-11T00:00:00Z', 125, -145)] })),
      ['future-observation /gameLines/0/lines/0/moneyLines/0/asOfTime'],
      0,
    ],
    [
      'a price that is none',
      bodyOf(book('A', { moneyLines: [money(t1, 5, -145)] })),
      ['bad-price /gameLines/0/lines/0/moneyLines/0/moneyLine/awayLine'],
      1,
    ],
    [
      'a side without a price',
      bodyOf(book('A', { moneyLines: [money(t1, null, -145)] })),
      ['bad-price /gameLines/0/lines/0/moneyLines/0/moneyLine/awayLine'],
      1,
    ],
    [
      'a segment that is none',
      bodyOf(book('A', { moneyLines: [money(t1, 125, -145, { gameSegment: 7 })] })),
      [
        'bad-quote /gameLines/0/lines/0/moneyLines/0/moneyLine/awayLine',
        'bad-quote /gameLines/0/lines/0/moneyLines/0/moneyLine/homeLine',
      ],
      1,
    ],
    [
      'a bet that is none',
      bodyOf(book('A', { moneyLines: [{ asOfTime: t1, moneyLine: [] }] })),
      ['bad-quote /gameLines/0/lines/0/moneyLines/0/moneyLine'],
      1,
    ],
    [
      'a spread without its line',
      bodyOf(
        book('A', {
          pointSpreads: [
            {
              asOfTime: t1,
              pointSpread: { gameSegment: 'FULL', awayLine: price(100), homeLine: price(100), homeSpread: 1 },
            },
          ],
        }),
      ),
      ['missing-line /gameLines/0/lines/0/pointSpreads/0/pointSpread/awayLine'],
      1,
    ],
    [
      'one segment twice at one time',
      bodyOf(book('A', { moneyLines: [money(t1, 125, -145), money(t1, 130, -150)] })),
      [
        'duplicate-selection /gameLines/0/lines/0/moneyLines/1/moneyLine/awayLine',
        'duplicate-selection /gameLines/0/lines/0/moneyLines/1/moneyLine/homeLine',
      ],
      1,
    ],
  ];
  for (const [name, body, refusals, count] of cases) {
    it(`${name} costs itself and is named`, () => {
      const elements = adapt(body);
      assert.deepEqual([refusalsOf(elements), accepted(elements).length], [refusals, count]);
      for (const [index, element] of elements.entries()) assert.equal(element.index, index);
    });
  }

  it('is found in whatever JSON there is, and what is let through the fold takes', () => {
    const anything = fc.jsonValue() as fc.Arbitrary<JsonValue>;
    const twist = fc.record({ at: fc.nat(30), value: anything });
    fc.assert(
      fc.property(fc.array(twist, { maxLength: 4 }), (twists) => {
        let body: JsonValue = bodyOf(book('A', good), book('B', { moneyLines: [money(t2, 120, -140)] }));
        for (const { at, value } of twists) body = twisted(body, { left: at }, value);
        for (const element of accepted(adapt(body))) {
          const record = { push: 'p', received_at: receivedAt, observation: element.observation } as never;
          const normal = normaliseObservation(record, receivedAt);
          assert.equal(normal.kind, 'observation');
          if (normal.kind === 'observation') assert.deepEqual(normal.refusals, []);
        }
      }),
    );
  });

  it('is kept once, however many members of a sportsbook are of no form', () => {
    const lists = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`form${at}`, ['x'.repeat(100)]]));
    const found = adapt(bodyOf(book('A', { ...good, ...lists })));
    assert.equal(found.filter(({ kind }) => kind === 'refused').length, 500);
    const bytes = found.reduce((sum, { start, end }) => sum + end - start, 0);
    assert.ok(bytes < 100_000, `${bytes} bytes are kept`);
  });
});

/** The value with its `left`th part, in reading order, replaced. */
function twisted(value: JsonValue, count: { left: number }, instead: JsonValue): JsonValue {
  count.left -= 1;
  if (count.left < 0) return count.left === -1 ? instead : value;
  if (Array.isArray(value)) return value.map((each: JsonValue) => twisted(each, count, instead));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, each]) => [name, twisted(each, count, instead)]),
  );
}

describe('recorded game lines', skipFor(msfRecordingsAbsent), () => {
  const recorded = (name: string) => msfRecordings().find((each) => each.name.includes(name))?.body as JsonObject;

  it('of BAL at KC are 627 entries, told as 306 deltas of two sportsbooks, with every quote of a side that has a price', () => {
    const body = recorded('odds_20240905');
    // Counted without the adapter's code: entries, their distinct times, and the objects that price a side.
    let entries = 0;
    let prices = 0;
    const moments = new Set<string>();
    for (const { lines } of body.gameLines as { lines: Record<string, unknown>[] }[]) {
      for (const line of lines) {
        for (const list of Object.values(line)) {
          for (const entry of Array.isArray(list) ? (list as { asOfTime: string }[]) : []) {
            entries += 1;
            moments.add(`${JSON.stringify(line.source)} ${entry.asOfTime}`);
            prices += JSON.stringify(entry).split(/"american":-?\d/).length - 1;
          }
        }
      }
    }
    assert.deepEqual([entries, moments.size, prices], [627, 306, 1_254]);
    const elements = adapt(body, { receivedAt: Date.UTC(2026, 0, 1) * 1000 });
    assert.deepEqual(refusalsOf(elements), []);
    assert.equal(elements.length, moments.size);
    assert.equal(
      elements.reduce((sum, { payload }) => sum + (payload as JsonValue[]).length, 0),
      entries,
    );
    assert.equal(
      accepted(elements).reduce((sum, each) => sum + quotesOf(each).length, 0),
      prices,
    );
    for (const operator of ['BOVADA', '888SPORT']) {
      const times = accepted(elements)
        .filter(({ observation }) => observation.operators[0]?.operator === operator)
        .map(({ observation }) => observation.observed_at as number);
      assert.deepEqual(
        times,
        [...new Set(times)].sort((a, b) => a - b),
        'ascending, each once',
      );
    }
  });

  it('of an answer without any are nothing', () => assert.deepEqual(adapt(recorded('odds_20240830')), []));
});
