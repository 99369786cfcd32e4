// What every record of a partition does beside its quotes: `in_play` (docs/quotes.md#in-play-flag), outcomes for the receipt, other kinds of
// records.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import {
  delta,
  heartbeat,
  image,
  ownerRecord,
  quote,
  type RecordFacts,
  seconds,
  startRecord,
  tick,
} from '../../support/builders/live-records.ts';
import { LiveLog } from '../../support/folds/live-log.ts';

const x = (facts: RecordFacts) => image('X', [quote('home', -110 - (facts.at ?? 0))], { start: null, ...facts });

describe('in_play', () => {
  for (const [before, record, inPlay, why] of [
    [[], x({ at: 5 }), false, 'nobody has told a start'],
    [[], x({ at: 5, start: seconds(6) }), false, 'before its own start'],
    [[], x({ at: 5, start: seconds(5) }), true, 'at its own start'],
    [[], x({ at: 5, start: seconds(5), inPlay: false }), false, 'its flag says no'],
    [[], x({ at: 5, start: seconds(9), inPlay: true }), true, 'its flag says yes'],
    [[x({ at: 1, start: seconds(3) })], x({ at: 5 }), true, 'by the start its source told before'],
    [[x({ at: 1, start: seconds(3) })], x({ at: 5, start: seconds(9) }), false, 'the start has moved'],
    [
      [x({ at: 1, start: seconds(3), inPlay: true })],
      x({ at: 2 }),
      false,
      'the flag of an earlier record is none of its',
    ],
    [[startRecord(seconds(3), { source: 's9' })], x({ at: 5 }), true, "by the game's start: its founder's"],
    [
      [startRecord(seconds(3), { source: 's9', fromSchedule: true })],
      x({ at: 5 }),
      true,
      "by the game's start: the schedule's",
    ],
    [
      [startRecord(seconds(3), { fromSchedule: true }), x({ at: 1, start: seconds(9) })],
      x({ at: 5 }),
      false,
      "its source's word goes before the schedule's",
    ],
    [[startRecord(seconds(3))], x({ at: 5 }), true, 'by the start its source founded the game with'],
    [[heartbeat('Y', { at: 1, start: seconds(3) })], x({ at: 5 }), true, 'a heartbeat tells starts, too'],
    [
      [image('Y', [], { source: 's2', at: 1, start: seconds(3) }), startRecord(seconds(9))],
      x({ at: 5 }),
      false,
      "not by another source's",
    ],
  ] as const) {
    it(`is ${inPlay}: ${why}`, () => {
      const log = new LiveLog().applyAll(before);
      const { rows } = log.apply(record);
      assert.deepEqual(
        rows.map((row) => row.in_play),
        [inPlay],
      );
    });
  }
});

describe('the outcome', () => {
  it('of a record that is plainly applied is without refusals', () => {
    assert.deepEqual(new LiveLog().apply(x({})).outcome, { state: 'applied', refusals: [] });
  });

  it('of a record with refused quotes is applied, with a dead letter for each', () => {
    const record = image('X', [quote('home', -110), quote('away', 50), quote('draw', -110, { line: 'x' })]);
    const { outcome, rows } = new LiveLog().apply(record);
    assert.equal(outcome?.state, 'applied');
    assert.deepEqual(
      outcome?.refusals.map(({ code, deadLetter }) => [code, deadLetter]),
      [
        ['bad-price', true],
        ['bad-line', true],
      ],
    );
    assert.equal(rows.length, 1);
  });

  it('of a record that is refused whole is one dead letter, and the state is unchanged', () => {
    const log = new LiveLog();
    const future = image('X', [quote('home', -110)], { at: 0, observedAt: 0 });
    const { outcome, rows } = log.apply({ ...future, received_at: seconds(-5.000001) });
    assert.deepEqual(
      [outcome?.state, outcome?.refusals.map(({ code, deadLetter }) => [code, deadLetter])],
      ['refused', [['future-observation', true]]],
    );
    assert.deepEqual([rows, log.game.logTime], [[], null]);
  });

  it('does not depend on the clocks of gateways, tickers and projectors: a time too far ahead is not used', () => {
    const minutes = (count: number) => seconds(60 * count);
    for (const ahead of [seconds(5.000001), minutes(10), Number.MAX_SAFE_INTEGER]) {
      const log = new LiveLog();
      const pushed = { push: 'receipt', push_index: 0, received_at: ahead };
      const { outcome, rows } = log.apply({ ...image('X', [quote('home', -110)]), ...pushed }, seconds(0));
      assert.deepEqual([outcome?.state, outcome?.refusals, rows[0]?.timestamp], ['applied', [], seconds(0)]);
      log.apply({ ...tick(0), tick: { at: Math.max(ahead, minutes(11)) } }, seconds(1));
      log.apply(
        { ...tick(0), tick: null, status: { status: 'STARTED', at: Math.max(ahead, minutes(11)) } },
        seconds(2),
      );
      assert.deepEqual([log.game.logTime, log.game.lifecycle.status?.at], [seconds(1), seconds(2)]);
      assert.deepEqual(log.apply(image('X', [quote('home', -120)], { at: 3 })).rows[0]?.timestamp, seconds(3));
    }
  });

  it('accepts a clock that is up to 5 s ahead of the broker’s', () => {
    const log = new LiveLog();
    const record = { ...image('X', [quote('home', -110)]), push: 'receipt', push_index: 0, received_at: seconds(5) };
    assert.equal(log.apply(record, seconds(0)).rows[0]?.timestamp, seconds(5));
  });

  it('of a source time in the future is a refusal, whatever the gateway’s clock shows', () => {
    const future = image('X', [quote('home', -110)], { at: 600, observedAt: 600 });
    const { outcome } = new LiveLog().apply({ ...future, push: 'receipt', push_index: 0 }, seconds(0));
    assert.deepEqual(
      outcome?.refusals.map(({ code }) => code),
      ['future-observation'],
    );
  });

  it('of starts, statuses, owners and ticks does not exist', () => {
    const status: QuotesRecord = {
      ...tick(0),
      tick: null,
      source: 'msf',
      status: { status: 'COMPLETED', at: seconds(9) },
    };
    const log = new LiveLog().applyAll([x({})]);
    for (const record of [startRecord(seconds(3)), ownerRecord('X', 's2'), tick(5), status]) {
      const { outcome, rows, segmentStarts } = log.apply(record);
      assert.deepEqual([outcome, rows, segmentStarts], [null, [], []]);
    }
    assert.deepEqual(log.game.lifecycle.status, { status: 'COMPLETED', at: seconds(9) });
    assert.equal(log.game.logTime, seconds(5), 'a status has a time, but is no observation');
  });
});

it('gives rows the game id of their own record', () => {
  const log = new LiveLog().applyAll([{ ...x({}), game_id: '11111111-2222-5333-8444-555555555555' }]);
  log.apply(delta('X', [quote('away', -110)], { at: 1 }));
  assert.deepEqual(
    log.rows.map((row) => row.game_id),
    ['11111111-2222-5333-8444-555555555555', 'NFL_DET_PHI_20251116'],
  );
});

it('starts a rebuilt log above all segments of the one before, with rows of its own from 1', () => {
  const log = new LiveLog({ generation: 2, firstSeq: 7 }).applyAll([x({})]);
  assert.deepEqual([log.game.segment?.seq, log.rows[0]?.row_number], [7, 1]);
});
