// Folding 3 to 6 of docs/quotes.md: what one record does to an operator's selections.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { QuotesRecord, RawQuote } from '../../../schemas/events/quotes.ts';
import { delta, gameImage, image, quote, seconds, suspended, withdrawn } from '../../support/builders/live-records.ts';
import { inShort, LiveLog } from '../../support/folds/live-log.ts';

const home = (american: number, more: Partial<RawQuote> = {}) => quote('home', american, more);
const spread = (selection: string, line: string | null, american: number | null, more: Partial<RawQuote> = {}) =>
  quote(selection, american, { market: 'spread', line, ...more });

/** The rows that the last record makes after the ones before it. */
function lastRows(...records: QuotesRecord[]) {
  const log = new LiveLog();
  const effects = records.map((record) => log.apply(record));
  return effects.at(-1)!.rows;
}

describe('a quote that is present and open', () => {
  const before = image('X', [spread('home', '-2.5', -110)]);
  for (const [now, change, why] of [
    [spread('home', '-2.5', -115), 'price', 'another price'],
    [spread('home', '-3', -110), 'line', 'another line'],
    [spread('home', '-3', -115), 'price_and_line', 'both'],
    [spread('home', '-2.50', null, { american: '-110.0' }), null, 'the same in normal form'],
    [spread('home', '-2.5', null, { decimal: '1.9091' }), null, 'the same price in another format'],
    [spread('home', '-2.5', null, { decimal: '1.91' }), 'price', 'the same American price, another decimal one'],
    [spread('home', '-2.5', -110, { player_id: '9f2c0a52-1111-4222-8333-444455556666' }), null, 'another player id'],
    [spread('home', '-2.5', -110, { source_timestamp: seconds(5) }), null, 'another stamp'],
  ] as const) {
    it(`appends ${change ?? 'nothing'} for ${why}`, () => {
      const rows = lastRows(before, image('X', [now]));
      assert.deepEqual(
        rows.map((row) => row.change),
        change === null ? [] : [change],
      );
    });
  }

  it('opens when unknown, and resumes after it was suspended or withdrawn, at the same price too', () => {
    assert.deepEqual(inShort(lastRows(image('X', [home(-110)]))), ['X moneyline/full/home opened -110']);
    const back = ['X moneyline/full/home resumed -110'];
    assert.deepEqual(
      inShort(lastRows(image('X', [home(-110)]), image('X', [suspended('home')]), image('X', [home(-110)]))),
      back,
    );
    assert.deepEqual(
      inShort(lastRows(image('X', [home(-110)]), delta('X', [withdrawn('home')]), image('X', [home(-110)]))),
      back,
    );
  });

  it('appends a price that differs in American odds alone', () => {
    const rows = lastRows(image('X', [home(-1_000_000)]), image('X', [home(-990_000)]));
    assert.deepEqual(
      rows.map((row) => [row.change, row.price_decimal]),
      [['price', 10_001]],
    );
  });

  it('carries its own player id, known or not', () => {
    const [jo, al] = ['9f2c0a52-1111-4222-8333-444455556666', '9f2c0a52-1111-4222-8333-444455557777'];
    const given = (american: number, player_id: string | null) => image('X', [home(american, { player_id })]);
    assert.equal(lastRows(given(-110, jo!), given(-120, al!))[0]?.player_id, al);
    assert.equal(lastRows(given(-110, jo!), given(-120, null))[0]?.player_id, null);
  });

  it('drops the line it no longer gives', () => {
    const points = (line: string | null) => quote('over', -110, { market: 'player_points', player: 'Jo', line });
    const rows = lastRows(image('X', [points('21.5')]), image('X', [points(null)]));
    assert.deepEqual(
      rows.map(({ change, line }) => [change, line]),
      [['line', null]],
    );
  });
});

describe('a quote that is present and suspended', () => {
  for (const [before, now, row, why] of [
    [[], suspended('home'), 'X moneyline/full/home suspended unpriced', 'unknown before: never priced'],
    [
      [image('X', [home(-110)])],
      suspended('home'),
      'X moneyline/full/home suspended -110',
      'open before: the last price',
    ],
    [
      [image('X', [home(-110)])],
      suspended('home', { american: '-120' }),
      'X moneyline/full/home suspended -120',
      'its own price',
    ],
    [
      [image('X', [home(-110)]), delta('X', [withdrawn('home')])],
      suspended('home'),
      'X moneyline/full/home suspended -110',
      'withdrawn before',
    ],
    [
      [image('X', [suspended('home')])],
      suspended('home', { american: '-120' }),
      null,
      'suspended already, whatever the price',
    ],
  ] as const) {
    it(`appends ${row === null ? 'nothing' : 'a row'}: ${why}`, () => {
      const rows = lastRows(...before, delta('X', [now]));
      assert.deepEqual(inShort(rows), row === null ? [] : [row]);
      for (const { is_open } of rows) assert.equal(is_open, false);
    });
  }

  it('takes line and price each from itself where given, else from the last row', () => {
    const last = image('X', [spread('home', '-2.5', -110)]);
    const line = lastRows(last, delta('X', [suspended('home', { market: 'spread', line: '-3' })]));
    assert.deepEqual(inShort(line), ['X spread/full/home suspended -3@-110']);
    const price = lastRows(last, delta('X', [suspended('home', { market: 'spread', decimal: '1.5' })]));
    assert.deepEqual(inShort(price), ['X spread/full/home suspended -2.5@-200']);
    assert.equal(price[0]?.price_source_format, 'decimal');
  });
});

describe('what an image leaves out', () => {
  const both = image('X', [home(-110, { source_timestamp: seconds(-3) }), quote('away', -105)]);
  const oneLeft = image('X', [quote('away', -105)]);

  it('is missing at the first image and withdrawn at the second, as it last was', () => {
    const log = new LiveLog().applyAll([both]);
    assert.deepEqual(inShort(log.apply(oneLeft).rows), []);
    assert.deepEqual(log.board('X'), ['moneyline/full/away live', 'moneyline/full/home stale_suspect']);
    const { rows } = log.apply(image('X', [quote('away', -105)], { at: 20, inPlay: true }));
    assert.deepEqual(inShort(rows), ['X moneyline/full/home withdrawn -110']);
    assert.deepEqual([rows[0]?.is_open, rows[0]?.source_timestamp], [false, null]);
    assert.deepEqual([rows[0]?.in_play, rows[0]?.timestamp], [true, seconds(20)]);
    assert.deepEqual(log.board('X'), ['moneyline/full/away live']);
    assert.deepEqual(inShort(log.apply(oneLeft).rows), []);
  });

  it('counts only consecutive images: a sighting in between restarts the count', () => {
    for (const sighting of [both, delta('X', [home(-110)]), image('X', [suspended('home'), quote('away', -105)])]) {
      const log = new LiveLog().applyAll([both, oneLeft, sighting]);
      assert.deepEqual(inShort(log.apply(oneLeft).rows), []);
      assert.equal(log.apply(oneLeft).rows.length, 1);
    }
  });

  it('counts suspended quotes too, and refused quotes as not present', () => {
    const log = new LiveLog().applyAll([image('X', [suspended('home'), quote('away', -105)])]);
    log.apply(image('X', [home(50), quote('away', -105)]));
    assert.deepEqual(log.board('X'), ['moneyline/full/away live', 'moneyline/full/home stale_suspect']);
  });

  it('is untouched by deltas and heartbeats', () => {
    const log = new LiveLog().applyAll([both, delta('X', [quote('away', -120)]), delta('X', [])]);
    assert.deepEqual(log.board('X'), ['moneyline/full/away live', 'moneyline/full/home live']);
  });

  const wide = [
    home(-110),
    spread('home', '-2.5', -110),
    spread('home', '-6.5', 150, { alternate: true }),
    spread('home', '-1.5', -110, { period: 'q1' }),
  ];
  for (const [coverage, missing] of [
    [null, ['moneyline/full/home', 'spread/full/home', 'spread/full/home/-6.5', 'spread/q1/home']],
    [
      [{ market: 'spread', period: null, alternate: null }],
      ['spread/full/home', 'spread/full/home/-6.5', 'spread/q1/home'],
    ],
    [[{ market: 'spread', period: 'full', alternate: false }], ['spread/full/home']],
    [[{ market: 'spread', period: 'full', alternate: true }], ['spread/full/home/-6.5']],
    [
      [
        { market: 'spread', period: 'q1', alternate: false },
        { market: 'moneyline', period: null, alternate: null },
      ],
      ['moneyline/full/home', 'spread/q1/home'],
    ],
    [[{ market: 'total', period: null, alternate: null }], []],
    [[], []],
  ] as const) {
    it(`under coverage ${JSON.stringify(coverage)} is ${missing.join(', ') || 'nothing'}`, () => {
      const log = new LiveLog().applyAll([
        image('X', wide),
        image('X', [], { coverage: coverage === null ? null : [...coverage] }),
      ]);
      const stale = log.board('X').filter((row) => row.endsWith('stale_suspect'));
      assert.deepEqual(
        stale,
        missing.map((id) => `${id} stale_suspect`),
      );
    });
  }

  it('counts what is present whatever the coverage says', () => {
    const coverage = [{ market: 'total', period: null, alternate: null }];
    assert.deepEqual(inShort(lastRows(image('X', [home(-110)], { coverage }))), ['X moneyline/full/home opened -110']);
  });
});

describe('a delta', () => {
  it('withdraws with the last line and price and the stamp of its own', () => {
    const given = spread('home', '-2.5', -110, { player_id: '9f2c0a52-1111-4222-8333-444455556666' });
    const gone = withdrawn('home', { market: 'spread', line: '-9', american: '-500', source_timestamp: seconds(7) });
    const [row] = lastRows(image('X', [given]), delta('X', [gone]));
    assert.deepEqual(inShort([row!]), ['X spread/full/home withdrawn -2.5@-110']);
    assert.equal(row?.source_timestamp, seconds(7));
    assert.equal(row?.player_id, '9f2c0a52-1111-4222-8333-444455556666');
  });

  it('cannot withdraw an unknown or already withdrawn selection, and does not affect its neighbours', () => {
    const log = new LiveLog().applyAll([image('X', [home(-110)]), delta('X', [withdrawn('home')])]);
    const { rows, outcome } = log.apply(delta('X', [withdrawn('home'), withdrawn('away'), quote('draw', 300)]));
    assert.deepEqual(inShort(rows), ['X moneyline/full/draw opened 300']);
    assert.equal(outcome?.state, 'applied');
    assert.deepEqual(
      outcome?.refusals.map(({ code, deadLetter }) => [code, deadLetter]),
      [
        ['unknown-selection', true],
        ['unknown-selection', true],
      ],
    );
  });
});

describe('the rows of one record', () => {
  it('come by operator, then the present by selection, then the missing by selection', () => {
    const log = new LiveLog();
    const quotes = ['c', 'a', 'b', 'd'].map((name) => quote(name, -110));
    log.apply(gameImage({ B_2: quotes, B2: quotes, A: [quote('z', -110)] }));
    assert.deepEqual(
      log.rows.map((row) => `${row.operator} ${row.selection}`),
      ['A z', 'B2 a', 'B2 b', 'B2 c', 'B2 d', 'B_2 a', 'B_2 b', 'B_2 c', 'B_2 d'],
    );
    const next = gameImage({ B2: [quote('e', -110), quote('c', -120)] });
    log.apply(next);
    const { rows } = log.apply(gameImage({ B2: [quote('f', -110), quote('c', -130)] }));
    assert.deepEqual(
      rows.map((row) => `${row.operator} ${row.selection} ${row.change}`),
      [
        'A z withdrawn',
        'B2 c price',
        'B2 f opened',
        'B2 a withdrawn',
        'B2 b withdrawn',
        'B2 d withdrawn',
        'B_2 a withdrawn',
        'B_2 b withdrawn',
        'B_2 c withdrawn',
        'B_2 d withdrawn',
      ],
    );
    assert.deepEqual(log.board('B2'), [
      'moneyline/full/c live',
      'moneyline/full/e stale_suspect',
      'moneyline/full/f live',
    ]);
  });

  it('are in order of UTF-8 bytes, not of UTF-16 units', () => {
    const names = ['\u{1F3C8}', '～', 'é', 'z', 'Z'];
    const { rows } = new LiveLog().apply(
      image(
        'X',
        names.map((name) => quote(name, -110)),
      ),
    );
    assert.deepEqual(
      rows.map((row) => row.selection),
      ['Z', 'z', 'é', '～', '\u{1F3C8}'],
    );
  });

  it('keep the board in that order when selections come and go', () => {
    const log = new LiveLog();
    for (const name of ['m', 'b', 'x', 'a', 'z', 'f']) log.apply(delta('X', [quote(name, -110)]));
    log.apply(delta('X', [withdrawn('f'), withdrawn('a'), quote('g', -110)]));
    log.apply(delta('X', [quote('a', -110)]));
    assert.deepEqual(
      log.board('X'),
      ['a', 'b', 'g', 'm', 'x', 'z'].map((name) => `moneyline/full/${name} live`),
    );
  });
});
