// Footers that are cut off, mutilated, nested without end, or of another writer: a clear error or a right answer, and always soon.

import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { readFooter } from '../../../core/parquet/footer.ts';
import { append, openTail, stitch } from '../../../core/parquet/tail.ts';
import { ParquetFormatError, ThriftReader } from '../../../core/parquet/thrift-reader.ts';
import { decodeParquet } from '../../../platform/parquet/decode.ts';
import { board } from '../../../schemas/datasets/board.ts';
import { injuries } from '../../../schemas/datasets/injuries.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { encodeParquet } from '../../support/builders/in-one-go.ts';
import { rowsFrom } from '../../support/parquet/rows.ts';
import { fileOf, footerBytes, footerOfGroups, statisticsOf } from '../../support/parquet/thrift.ts';

const file = encodeParquet(injuries, rowsFrom(injuries, 3, 30), new Map([['key', 'value']]));

describe('what is no whole file is refused', () => {
  it('cut off anywhere', () => {
    for (let length = 0; length < file.length; length++) {
      assert.throws(() => readFooter(file.subarray(0, length)), ParquetFormatError, `${length} bytes`);
    }
  });

  it('begun elsewhere than at its beginning', () => {
    for (let from = 1; from < file.length; from++)
      assert.throws(() => readFooter(file.subarray(from)), ParquetFormatError);
  });

  it('with an encrypted footer', () => {
    const encrypted = file.slice();
    encrypted.set(new TextEncoder().encode('PARE'), encrypted.length - 4);
    assert.throws(() => readFooter(encrypted), ParquetFormatError);
  });

  it('with a footer longer than itself', () => {
    const long = file.slice();
    new DataView(long.buffer).setUint32(long.length - 8, 0xffffffff, true);
    assert.throws(() => readFooter(long), ParquetFormatError);
  });
});

it('answers or refuses, whichever byte of the footer is another', () => {
  const { start } = readFooter(file);
  let refused = 0;
  for (let at = start; at < file.length; at++) {
    for (const value of [0, 1, 0x0c, 0x19, 0x7f, 0x80, 0xff, file[at]! ^ 0x10]) {
      const hurt = file.slice();
      hurt[at] = value;
      try {
        append(openTail(file), openTail(hurt).bytes);
      } catch (error) {
        assert.ok(error instanceof ParquetFormatError, String(error));
        refused++;
      }
    }
  }
  assert.ok(refused > 1_000);
});

describe('thrift that is a trap is refused', () => {
  const refuses = (footer: Uint8Array) => assert.throws(() => readFooter(fileOf(footer)), ParquetFormatError);

  it('lists in lists without end', () => refuses(new Uint8Array(100_000).fill(0x19)));
  it('structs in structs without end', () => refuses(new Uint8Array(100_000).fill(0x1c)));
  it('maps in maps without end', () =>
    refuses(Uint8Array.from({ length: 100_000 }, (_, at) => (at % 2 ? 0xbb : 0x1b))));
  it('a list of more elements than there are bytes', () =>
    refuses(Uint8Array.of(0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x0f, 0)));
  it('an integer without end', () => refuses(Uint8Array.of(0x16, ...Array(50).fill(0xff), 0)));
  it('an integer beyond the safe ones', () => {
    const bytes = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f);
    assert.throws(() => new ThriftReader(bytes, 0, 8).varint(), ParquetFormatError);
    bytes[7] = 0x0f;
    assert.equal(new ThriftReader(bytes, 0, 8).varint(), Number.MAX_SAFE_INTEGER);
  });
  it('no struct at all', () => refuses(new Uint8Array(0)));
  it('bytes behind the footer', () => refuses(Uint8Array.of(...footerBytes(file), 0)));
});

describe('row groups that cannot be are refused', () => {
  const data = new Uint8Array(100);
  const cases: Record<string, [number, { rows: number; dataPage: number; size: number }[]]> = {
    'behind the data': [1, [{ rows: 1, dataPage: 90, size: 15 }]],
    'before the data': [1, [{ rows: 1, dataPage: 3, size: 15 }]],
    'one inside the other': [
      2,
      [
        { rows: 1, dataPage: 4, size: 50 },
        { rows: 1, dataPage: 20, size: 50 },
      ],
    ],
    'of a negative size': [1, [{ rows: 1, dataPage: 50, size: -4 }]],
    'of fewer than no rows': [-1, [{ rows: -1, dataPage: 4, size: 4 }]],
    'that do not add up': [3, [{ rows: 1, dataPage: 4, size: 4 }]],
  };
  for (const [name, [rows, groups]] of Object.entries(cases)) {
    it(name, () => assert.throws(() => readFooter(fileOf(footerOfGroups(rows, groups), data)), ParquetFormatError));
  }

  it('and one that can be is not', () => {
    const footer = readFooter(fileOf(footerOfGroups(7, [{ rows: 7, dataPage: 4, size: 100 }]), data));
    assert.deepEqual([footer.rows, footer.groups[0]?.start, footer.groups[0]?.end], [7, 4, 104]);
  });
});

it('does not stitch files of different schemas', () => {
  const lines = encodeParquet(sportsbookLines, rowsFrom(sportsbookLines, 1, 5), new Map());
  const quotes = encodeParquet(board, rowsFrom(board, 1, 5), new Map());
  assert.throws(() => append(openTail(lines), quotes), ParquetFormatError);
  assert.throws(() => stitch([]), ParquetFormatError);
  assert.throws(() => decodeParquet(board, lines), ParquetFormatError);
});

it('carries the statistics of a group as the bytes they were', () => {
  const files = [1, 2, 3].map((seed) => encodeParquet(sportsbookLines, rowsFrom(sportsbookLines, seed, 25), new Map()));
  const tail = stitch(files);
  assert.deepEqual(
    tail.groups.map((group) => statisticsOf(group.thrift)),
    files.map((bytes) => statisticsOf(readFooter(bytes).groups[0]!.thrift)),
  );
  assert.ok(tail.groups.every((group) => statisticsOf(group.thrift).every((statistics) => statistics.length > 2)));
});

it('closes the gaps that another writer left between groups', () => {
  const data = Uint8Array.from({ length: 40 }, (_, at) => at + 4);
  const groups = [
    { rows: 1, dataPage: 4, size: 10 },
    { rows: 2, dataPage: 24, size: 10 },
  ];
  const gapped = fileOf(footerOfGroups(3, groups), data);
  const tail = append(openTail(gapped), gapped);
  assert.deepEqual(
    readFooter(tail.bytes).groups.map(({ rows, start, end }) => [rows, ...tail.bytes.slice(start, end)]),
    [1, 2, 1, 2].map((rows) => [rows, ...Array.from({ length: 10 }, (_, at) => at + (rows === 1 ? 4 : 24))]),
  );
  assert.equal(tail.start, 44);
});
