import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { formatCursor, listAfter, parseCursor } from '../../../core/live/cursor.ts';
import type { LogState } from '../../../core/live/log-state.ts';

/** A log with segments of these row counts; the last one is open. */
function log(firstSeq: number, ...rows: number[]): LogState {
  const segments = rows.map((count, index) => ({
    seq: firstSeq + index,
    rows: count,
    closed: index < rows.length - 1,
    min_timestamp: index,
    max_timestamp: index,
  }));
  return { generation: 1, firstSeq, segments };
}

describe('a cursor', () => {
  for (const [text, seq, rows] of [
    ['0:0', 0, 0],
    ['1:4', 1, 4],
    ['007:010', 7, 10],
    ['999999999999999:999999999999999', 999_999_999_999_999, 999_999_999_999_999],
  ] as const) {
    it(`${text} is read`, () => assert.deepEqual(parseCursor(text), { seq, rows }));
  }
  const wrong = [
    '',
    ':',
    '1',
    '1:',
    ':1',
    '1:2:3',
    '-1:2',
    '1:-2',
    '+1:2',
    '1.0:2',
    ' 1:2',
    '1:2 ',
    '1:2\n',
    '1e3:1',
    '１:2',
    '1000000000000000:1',
    '1:1000000000000000',
    'a:b',
  ];
  for (const text of wrong) {
    it(`${JSON.stringify(text)} is refused`, () => assert.equal(parseCursor(text), null));
  }
  it('is written as it is read', () => assert.equal(formatCursor({ seq: 3, rows: 512 }), '3:512'));
});

describe('a listing', () => {
  const held = log(1, 512, 600, 95);
  for (const [after, listed, cursor] of [
    [null, '1/512 2/600 3/95', '3:95'],
    ['0:0', '1/512 2/600 3/95', '3:95'],
    ['1:0', '1/512+0 2/600 3/95', '3:95'],
    ['1:500', '1/512+500 2/600 3/95', '3:95'],
    ['1:512', '2/600 3/95', '3:95'],
    ['2:600', '3/95', '3:95'],
    ['3:0', '3/95+0', '3:95'],
    ['3:94', '3/95+94', '3:95'],
    ['3:95', '', '3:95'],
    ['3:96', 'live-cursor-reset', ''],
    ['1:513', 'live-cursor-reset', ''],
    ['4:0', 'live-cursor-reset', ''],
    ['0:5', 'live-cursor-reset', ''],
  ] as const) {
    it(`after ${after ?? 'no cursor'} is ${listed || 'empty'}`, () =>
      assert.deepEqual(listing(held, after), { listed, cursor }));
  }

  it('of a log without a row is empty, at 0:0', () => {
    assert.deepEqual(listing(log(1), null), { listed: '', cursor: '0:0' });
    assert.deepEqual(listing(log(1), '0:0'), { listed: '', cursor: '0:0' });
    assert.deepEqual(listing(log(1), '1:0'), { listed: 'live-cursor-reset', cursor: '' });
  });

  it('of a rebuilt log refuses what the old one returned', () => {
    const rebuilt = log(4, 10);
    assert.deepEqual(listing(rebuilt, '0:0'), { listed: '4/10', cursor: '4:10' });
    for (const old of ['1:512', '2:0', '3:95']) assert.equal(listing(rebuilt, old).listed, 'live-cursor-reset');
    assert.equal(listing(log(4), '3:95').listed, 'live-cursor-reset');
  });

  it('echoes the very cursor when nothing is new', () => {
    const cursor = { seq: 3, rows: 95 };
    const answer = listAfter(held, cursor);
    assert.equal(answer.kind === 'list' && answer.cursor, cursor);
  });
});

function listing(held: LogState, after: string | null): { listed: string; cursor: string } {
  const answer = listAfter(held, after === null ? null : parseCursor(after));
  if (answer.kind === 'refused') return { listed: answer.code, cursor: '' };
  const listed = answer.segments.map(
    ({ seq, rows, from_row }) => `${seq}/${rows}${from_row === undefined ? '' : `+${from_row}`}`,
  );
  return { listed: listed.join(' '), cursor: formatCursor(answer.cursor) };
}
