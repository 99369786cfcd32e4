// What the names of the raw archive's files say, and where records are missing between them.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { gapsOf, type RawRange, rawFile, rawFileOf, runsOf, utcDay } from '../../../core/raw-archive/raw-file.ts';
import { checkKey } from '../../../platform/objects/keys.ts';
import { topics } from '../../../schemas/events/topics.ts';

const sha256 = 'ab'.repeat(32);
const range = (from: number, to: number): RawRange => ({
  topic: topics.quotes,
  partition: 3,
  day: '2026-01-09',
  from,
  to,
});
const file = (from: number, to: number) => rawFile(range(from, to), sha256);

describe('the name of a file of the raw archive', () => {
  it('is an object key that says what the file holds', () => {
    const { key } = file(5, 2 ** 53 - 1);
    checkKey(key);
    assert.equal(key, `raw-archive/sds.quotes.v1/3/2026-01-09/0000000000000005-9007199254740991-${sha256}.parquet`);
    assert.deepEqual(rawFileOf(key), file(5, 2 ** 53 - 1));
  });

  it('is no other', () => {
    const { key } = file(5, 9);
    for (const other of [
      key.replace('.parquet', '.parquet.bak'),
      key.replace('sds.quotes.v1', 'sds.publications.v1'),
      key.replace('/3/', '/03/'),
      key.replace('0000000000000005', '0000000000000009'),
      key.replace('ab', 'AB'),
      'flushes/1.parquet',
    ])
      assert.equal(rawFileOf(other), null, other);
  });

  it('has the day in UTC', () => {
    assert.equal(utcDay(Date.parse('2026-01-09T23:59:59.999Z') * 1_000), '2026-01-09');
    assert.equal(utcDay(Date.parse('2026-01-10T00:00:00Z') * 1_000), '2026-01-10');
  });
});

describe('files as runs', () => {
  const shape = (...files: [number, number][]) =>
    runsOf(files.map(([from, to]) => file(from, to))).map(({ from, to, files: of }) => [from, to, of.length]);

  it('are one where none is missing, in whatever order they are listed', () => {
    assert.deepEqual(shape([10, 20], [0, 10], [20, 21]), [[0, 21, 3]]);
    assert.deepEqual(shape(), []);
  });

  it('are one where two processes wrote the same records', () => {
    assert.deepEqual(shape([0, 10], [5, 8], [10, 12]), [[0, 12, 3]]);
  });

  it('are several where records are missing between them', () => {
    assert.deepEqual(shape([0, 10], [11, 12], [12, 15]), [
      [0, 10, 1],
      [11, 15, 2],
    ]);
  });
});

describe('the gaps of a range', () => {
  const gaps = (covered: [number, number][], [from, to]: [number, number]) =>
    gapsOf(
      covered.map(([first, end]) => ({ from: first, to: end })),
      { from, to },
    ).map((gap) => [gap.from, gap.to]);

  it('are what no file covers, before, between and behind them', () => {
    assert.deepEqual(gaps([], [3, 9]), [[3, 9]]);
    assert.deepEqual(gaps([[3, 9]], [3, 9]), []);
    assert.deepEqual(
      gaps(
        [
          [4, 5],
          [7, 8],
        ],
        [3, 9],
      ),
      [
        [3, 4],
        [5, 7],
        [8, 9],
      ],
    );
  });

  it('begin and end with the range, and not within a file inside another', () => {
    assert.deepEqual(
      gaps(
        [
          [0, 4],
          [1, 2],
          [12, 20],
        ],
        [3, 9],
      ),
      [[4, 9]],
    );
    assert.deepEqual(gaps([[0, 2]], [9, 9]), []);
  });
});
