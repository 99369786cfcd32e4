// docs/quotes.md#duplicates of docs/quotes.md: duplicate, conflict, late — in this order; and the time of a record.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import {
  delta,
  gameImage,
  heartbeat,
  image,
  quote,
  type RecordFacts,
  seconds,
} from '../../support/builders/live-records.ts';
import { LiveLog } from '../../support/folds/live-log.ts';

const [a, b] = ['a', 'b'].map((digit) => digit.repeat(64)) as [string, string];

const x = (facts: RecordFacts) => image('X', [quote('home', -110)], { sha256: a, ...facts });

/** The result of the last record, after the others were applied. */
function verdict(...records: QuotesRecord[]): string {
  const log = new LiveLog();
  const outcomes = records.map((record) => log.apply(record).outcome!);
  const last = outcomes.pop()!;
  for (const { state } of outcomes) assert.equal(state, 'applied');
  return last.state === 'refused' ? last.refusals[0]!.code : last.state;
}

describe('a source-timed record', () => {
  const first = x({ observedAt: 120, push: 'p1', index: 0 });
  const newer = x({ observedAt: 180, push: 'p3', index: 0, sha256: b });
  for (const [record, expected, why] of [
    [x({ observedAt: 120, push: 'p2' }), 'duplicate', 'the same content of the same time, from another push'],
    [x({ observedAt: 120, push: 'p2', index: 9 }), 'duplicate', 'at another index of another push, too'],
    [x({ observedAt: 120, push: 'p1' }), 'duplicate', 'the same record again'],
    [x({ observedAt: 120, push: 'p1', index: 1 }), 'applied', 'its twin, at another index of the same push'],
    [x({ observedAt: 120, push: 'p1', index: 1, sha256: b }), 'applied', 'another of the same push'],
    [x({ observedAt: 120, push: 'p2', sha256: b }), 'conflict', 'other content of the same time, from another push'],
    [x({ observedAt: 119, push: 'p2' }), 'late-observation', 'the same content, earlier'],
    [x({ observedAt: 119, push: 'p1' }), 'late-observation', 'an earlier one of the same push'],
    [x({ observedAt: 121, push: 'p2' }), 'applied', 'the same content, later'],
    [x({ observedAt: 120, push: 'p2', sha256: b, source: 's2' }), 'applied', 'another source'],
    [gameImage({ X: [quote('home', -120)] }, { observedAt: 100, sha256: b }), 'applied', 'another scope'],
    [image('Y', [], { observedAt: 100, sha256: b }), 'applied', 'another operator'],
    [heartbeat('X', { observedAt: 100, sha256: b }), 'late-observation', 'a heartbeat is a record like any other'],
  ] as const) {
    it(`is ${expected}: ${why}`, () => assert.equal(verdict(first, record), expected));
  }

  it('has the same outcome however old the first sighting', () => {
    assert.equal(verdict(first, newer, x({ observedAt: 120, push: 'p2' })), 'duplicate');
    assert.equal(verdict(first, newer, x({ observedAt: 120, push: 'p2', sha256: b })), 'conflict');
    assert.equal(verdict(first, newer, x({ observedAt: 120, push: 'p1', index: 1 })), 'late-observation');
  });

  it("of a source's history is late without a dead letter, and in conflict with one", () => {
    const of = (record: QuotesRecord): QuotesRecord => ({
      ...record,
      observation: { ...record.observation!, history: true },
    });
    const lettersOf = (record: QuotesRecord) => {
      const log = new LiveLog();
      log.apply(newer);
      const { outcome } = log.apply(record);
      return outcome?.state === 'refused' ? outcome.refusals.map(({ code, deadLetter }) => [code, deadLetter]) : [];
    };
    const late = x({ observedAt: 100, push: 'p2' });
    assert.deepEqual(lettersOf(of(late)), [['late-observation', false]]);
    assert.deepEqual(lettersOf(late), [['late-observation', true]]);
    assert.deepEqual(lettersOf(of(x({ observedAt: 180, push: 'p2' }))), [['conflict', true]]);
  });

  it('is also compared with receive-timed records', () => {
    const received = x({ at: 120, push: 'p1' });
    assert.equal(verdict(received, x({ observedAt: 120, push: 'p2' })), 'duplicate');
    assert.equal(verdict(received, x({ observedAt: 120, push: 'p2', sha256: b })), 'conflict');
    assert.equal(verdict(received, x({ observedAt: 100, push: 'p2' })), 'late-observation');
  });

  it('counts as a push of its own when it was put on the topic directly', () => {
    assert.equal(verdict(x({ observedAt: 120, push: null }), x({ observedAt: 120, push: null })), 'duplicate');
    assert.equal(
      verdict(x({ observedAt: 120, push: null }), x({ observedAt: 120, push: null, sha256: b })),
      'conflict',
    );
  });

  it('without a SHA-256 is compared by its content', () => {
    const said = (american: number) => image('X', [quote('home', american)], { observedAt: 120 });
    assert.equal(verdict(said(-110), said(-110)), 'duplicate');
    assert.equal(verdict(said(-110), said(-120)), 'conflict');
    assert.equal(verdict(image('X', [quote('home', -110)], { at: 120 }), said(-110)), 'duplicate');
  });
});

describe('a record whose push carried an Idempotency-Key', () => {
  it('is a duplicate whenever it comes again, of this source only', () => {
    const keyed = (at: number, source = 'feed') => x({ at, recordId: 'k1', source });
    assert.equal(verdict(keyed(0), keyed(900_000)), 'duplicate');
    assert.equal(verdict(keyed(0), keyed(1, 's2')), 'applied');
    assert.equal(verdict(keyed(0), x({ at: 1, recordId: 'k2' })), 'applied');
    assert.equal(verdict(keyed(0), x({ at: 1 })), 'applied');
  });

  it('is not remembered when it was not applied', () => {
    const log = new LiveLog().applyAll([x({ observedAt: 100 })]);
    assert.equal(log.apply(x({ observedAt: 50, recordId: 'k1' })).outcome?.state, 'refused');
    assert.equal(log.apply(x({ observedAt: 200, recordId: 'k1' })).outcome?.state, 'applied');
  });
});

describe('what is not applied', () => {
  it('changes no time, no start and no offer', () => {
    const log = new LiveLog().applyAll([x({ observedAt: 120, push: 'p1' })]);
    const before = JSON.stringify(log.saveAndLoad().game);
    const other = delta('X', [quote('away', 300)], {
      observedAt: 120,
      push: 'p2',
      sha256: b,
      start: seconds(1),
      inPlay: true,
    });
    for (const record of [
      other,
      x({ observedAt: 120, push: 'p2', start: seconds(1) }),
      x({ observedAt: 1, start: seconds(1) }),
    ]) {
      const { rows, boardsChanged, outcome } = log.apply(record);
      assert.notEqual(outcome?.state, 'applied');
      assert.deepEqual([rows, boardsChanged], [[], []]);
    }
    assert.equal(JSON.stringify(log.game), before);
  });
});

describe('the time of a receive-timed record', () => {
  it('is never before the newest applied of its source in this game, and it is never late nor in conflict', () => {
    const log = new LiveLog();
    const received = [12, 3, 12, 13];
    const records = received.map((at, index) => delta('X', [quote('home', -110 - index)], { source: 's1', at }));
    const timestamps = records.map((record) => log.apply(record).rows[0]?.timestamp);
    assert.deepEqual(timestamps, [12, 12, 12, 13].map(seconds));
    const other = log.apply(delta('Z', [quote('home', -110)], { source: 's2', at: 4 }));
    assert.equal(other.rows[0]?.timestamp, seconds(4), 'another source has its own');
  });

  it("is the broker's where there is no receive time", () => {
    const log = new LiveLog();
    const direct = { ...x({}), received_at: null, push: null };
    assert.equal(log.apply(direct).rows[0]?.timestamp, 0);
  });
});
