import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { LogState } from '../../../core/live/log-state.ts';
import { lookUpSegment, parseRows, parseSeq } from '../../../core/live/segment-lookup.ts';

/** The second log of a game, whose first ended at seq 3. */
const rebuilt: LogState = {
  generation: 2,
  firstSeq: 4,
  segments: [
    { seq: 4, rows: 512, closed: true, min_timestamp: 0, max_timestamp: 1 },
    { seq: 5, rows: 40, closed: false, min_timestamp: 1, max_timestamp: 2 },
  ],
};

describe('a segment', () => {
  for (const [seq, rows, answer] of [
    [4, null, 'serve'],
    [4, 1, 'serve'],
    [4, 512, 'serve'],
    [4, 513, 'behind'],
    [5, null, 'serve'],
    [5, 40, 'serve'],
    [5, 41, 'behind'],
    [3, null, 'not-found'],
    [3, 1, 'behind'],
    [1, 512, 'behind'],
    [0, null, 'not-found'],
    [0, 1, 'not-found'],
    [6, null, 'not-found'],
    [6, 1, 'not-found'],
    [999_999_999_999_999, 1, 'not-found'],
  ] as const) {
    it(`${seq}${rows === null ? '' : `?rows=${rows}`} is ${answer}`, () => {
      assert.equal(lookUpSegment(rebuilt, seq, rows).kind, answer);
    });
  }

  it('of a rebuilt log without rows is behind the rows promised by the old one', () => {
    const empty: LogState = { generation: 2, firstSeq: 4, segments: [] };
    assert.equal(lookUpSegment(empty, 3, 95).kind, 'behind');
    assert.equal(lookUpSegment(empty, 3, null).kind, 'not-found');
    assert.equal(lookUpSegment(empty, 4, 1).kind, 'not-found');
  });
});

describe('what is no number', () => {
  for (const text of ['', '-1', '+1', '1.0', '1e2', ' 1', '0x1', '1000000000000000', 'nine']) {
    it(`${JSON.stringify(text)} is neither a seq nor rows`, () => {
      assert.equal(parseSeq(text), null);
      assert.equal(parseRows(text), null);
    });
  }
  it('0 is a seq, but no rows', () => {
    assert.equal(parseSeq('0'), 0);
    assert.equal(parseRows('0'), null);
    assert.equal(parseRows('000'), null);
    assert.equal(parseRows('001'), 1);
    assert.equal(parseRows('999999999999999'), 999_999_999_999_999);
  });
});
