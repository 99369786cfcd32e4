// "The board" of docs/quotes.md: which rows it has, what states they are in, and when it counts as changed.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { boardRows } from '../../../core/live/board.ts';
import {
  delta,
  gameImage,
  heartbeat,
  image,
  kickOff,
  ownerRecord,
  quote,
  seconds,
  startRecord,
  suspended,
  t0,
  tick,
  withdrawn,
} from '../../support/builders/live-records.ts';
import { LiveLog } from '../../support/folds/live-log.ts';

const home = (american = -110) => quote('home', american);
const away = (american = -110) => quote('away', american);

describe('a board row', () => {
  it('is the newest row of its selection, with when that was and how fresh the operator is', () => {
    const log = new LiveLog().applyAll([image('X', [home(-110)]), delta('X', [home(-120)], { at: 5 })]);
    const [row] = boardRows(log.game, 'X');
    assert.deepEqual(row, {
      ...log.rows[1],
      last_changed_at: seconds(5),
      operator_observed_through: seconds(5),
      quote_state: 'live',
    });
  });

  it('exists for suspended selections, not for withdrawn ones', () => {
    const log = new LiveLog().applyAll([image('X', [home(), away(), quote('draw', 300)])]);
    log.apply(delta('X', [suspended('home'), withdrawn('away')], { at: 1 }));
    assert.deepEqual(log.board('X'), ['moneyline/full/draw live', 'moneyline/full/home live']);
  });

  it('does not exist for an operator that never had a row', () => {
    const log = new LiveLog();
    const { boardsChanged } = log.apply(image('X', [quote('home', 50)]));
    assert.deepEqual(boardsChanged, []);
    assert.deepEqual(boardRows(log.game, 'X'), []);
    assert.deepEqual(boardRows(log.game, 'NOBODY'), []);
  });
});

describe('states by log time', () => {
  it("follow the owner's start, else the game's", () => {
    const states = (...records: Parameters<LiveLog['applyAll']>[0][number][]) =>
      new LiveLog().applyAll(records).board('X');
    const stale = ['moneyline/full/home stale_suspect'];
    const live = ['moneyline/full/home live'];
    const withoutStart = image('X', [home()], { start: null });
    assert.deepEqual(states(withoutStart, tick(120)), live);
    assert.deepEqual(states(withoutStart, tick(120.000001)), stale);
    assert.deepEqual(states(withoutStart, startRecord(seconds(10), { source: 's9' }), tick(16)), stale, "the game's");
    assert.deepEqual(
      states(withoutStart, startRecord(seconds(10), { fromSchedule: true }), tick(16)),
      stale,
      "the schedule's",
    );
    const own = image('X', [home()], { start: seconds(900) });
    assert.deepEqual(states(startRecord(seconds(10), { source: 's9' }), own, tick(16)), live, "the owner's own");
    assert.deepEqual(
      states(own, startRecord(seconds(10), { fromSchedule: true }), tick(16)),
      live,
      "against the schedule's",
    );
    const other = image('Y', [home()], { source: 's2', start: seconds(10) });
    assert.deepEqual(states(own, other, tick(16)), live, "another source's start is not the owner's");
    assert.deepEqual(states(own, other, ownerRecord('X', 's2'), tick(16)), stale, 'the start of the new owner');
  });

  it('follow the flag of the newest record about the operator, also of a heartbeat', () => {
    const live = ['moneyline/full/home live'];
    const stale = ['moneyline/full/home stale_suspect'];
    const boardAfter = (...flags: (boolean | undefined)[]) => {
      const log = new LiveLog();
      flags.forEach((flag, at) => {
        const facts = flag === undefined ? { at } : { at, inPlay: flag };
        log.apply(at % 2 === 0 ? image('X', [home()], facts) : heartbeat('X', facts));
      });
      return log.applyAll([tick(flags.length + 15)]).board('X');
    };
    assert.deepEqual(boardAfter(true), stale);
    assert.deepEqual(boardAfter(false), live);
    assert.deepEqual(boardAfter(undefined, true), stale);
    assert.deepEqual(boardAfter(true, undefined), live);
    assert.deepEqual(boardAfter(true, false), live);
    assert.deepEqual(boardAfter(false, undefined, true), stale);
  });

  it('come back when the start moves away', () => {
    const log = new LiveLog().applyAll([image('X', [home()], { start: seconds(10) }), tick(20)]);
    assert.deepEqual(log.board('X'), ['moneyline/full/home stale_suspect']);
    const { boardsChanged } = log.apply(gameImage({}, { covered: ['Y'], at: 20, start: seconds(900) }));
    assert.deepEqual(boardsChanged, ['X']);
    assert.deepEqual(log.board('X'), ['moneyline/full/home live']);
  });
});

describe('a board changes', () => {
  /** A log with X at t0 and a start far in the future. */
  const open = () => new LiveLog().applyAll([image('X', [home(), away()])]);
  const through = (log: LiveLog) => (boardRows(log.game, 'X')[0]!.operator_observed_through - t0) / 1_000_000;

  it('with its rows, and with the state of one', () => {
    const log = open();
    assert.deepEqual(log.apply(delta('X', [home(-120)], { at: 1 })).boardsChanged, ['X']);
    assert.deepEqual(log.apply(image('X', [home(-120)], { at: 2 })).boardsChanged, ['X'], 'away is missing');
    assert.deepEqual(log.apply(delta('X', [away()], { at: 3 })).boardsChanged, ['X'], 'away is back');
    assert.equal(through(log), 3);
  });

  it('not by a watermark alone', () => {
    const log = open();
    assert.deepEqual(log.apply(heartbeat('X', { at: 5 })).boardsChanged, []);
    assert.deepEqual(log.apply(image('X', [home(), away()], { at: 6 })).boardsChanged, []);
    assert.deepEqual(log.apply(tick(7)).boardsChanged, []);
    assert.equal(through(log), 0);
  });

  it('by a tick that makes it stale, once, with the watermark of then', () => {
    const log = open().applyAll([heartbeat('X', { at: 5 })]);
    assert.deepEqual(log.apply(tick(125)).boardsChanged, []);
    assert.deepEqual(log.apply(tick(126)).boardsChanged, ['X']);
    assert.equal(through(log), 5);
    assert.deepEqual(log.apply(tick(127)).boardsChanged, []);
    assert.deepEqual(log.apply(heartbeat('X', { at: 130 })).boardsChanged, ['X']);
    assert.equal(through(log), 130);
  });

  it('by any record that moves log time', () => {
    const log = open();
    const { boardsChanged } = log.apply(image('Y', [home()], { source: 's2', at: 121 }));
    assert.deepEqual(boardsChanged, ['X', 'Y']);
  });

  it('even when all is as before at the end of a flush', () => {
    const log = open();
    const before = log.board('X');
    log.applyAll([image('X', [home()], { at: 4 }), delta('X', [away()], { at: 8 })]);
    assert.deepEqual(log.board('X'), before);
    assert.equal(through(log), 8);
  });

  it('not where every row was already suspected', () => {
    const log = open().applyAll([image('X', [], { at: 1 })]);
    assert.deepEqual(log.board('X'), ['moneyline/full/away stale_suspect', 'moneyline/full/home stale_suspect']);
    assert.deepEqual(log.apply(tick(130)).boardsChanged, [], 'both are missing: stale changes nothing');
    const stale = open().applyAll([tick(130)]);
    const narrow = gameImage({}, { at: 130, covered: ['X'] });
    assert.deepEqual(stale.apply(narrow).boardsChanged, [], 'stale: missing changes nothing');
  });

  it('not for a board without rows', () => {
    const log = open().applyAll([delta('X', [withdrawn('home'), withdrawn('away')], { at: 1 })]);
    assert.deepEqual(log.board('X'), []);
    assert.deepEqual(log.apply(tick(500)).boardsChanged, []);
  });

  it('by ticks that advance the time, not by late ones', () => {
    const log = open().applyAll([tick(200)]);
    assert.deepEqual(log.apply(tick(10)).boardsChanged, []);
    assert.equal(log.game.logTime, seconds(200));
  });
});

it('starts with the game at kick-off', () => {
  const log = new LiveLog().applyAll([image('X', [home()], { at: 19_190 })]);
  assert.deepEqual(log.apply({ ...tick(0), tick: { at: kickOff } }).boardsChanged, []);
  assert.deepEqual(log.apply({ ...tick(0), tick: { at: kickOff + 5_000_001 } }).boardsChanged, ['X']);
});
