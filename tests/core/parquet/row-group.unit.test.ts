// What moving a row group changes in its description, and what it must leave as it is.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { moveGroup, type RowGroup } from '../../../core/parquet/row-group.ts';
import { thriftType } from '../../../core/parquet/thrift-reader.ts';
import type { ThriftWriter } from '../../../core/parquet/thrift-writer.ts';
import { thrift } from '../../support/parquet/thrift.ts';

type Places = { group: number; chunk: number; data: number; index: number; dictionary: number; ordinal: number };

/** A group of one column with every field that a footer may have, and some that later versions may add. */
function description(places: Places, outside: boolean): Uint8Array {
  return thrift((writer) => {
    const group = writer.begin();
    writer.field(1, thriftType.list);
    writer.listHeader(1, thriftType.struct);
    const chunk = writer.begin();
    writer.i64(2, places.chunk);
    writeColumn(writer, places, outside);
    if (outside) {
      writer.i64(4, 900);
      writer.i32(5, 10);
      writer.i64(6, 910);
      writer.i32(7, 10);
    }
    writer.text(40, 'of a later version');
    writer.end(chunk);
    writer.i64(2, 1_000);
    writer.i64(3, 12);
    writer.i64(5, places.group);
    writer.i64(6, 500);
    writer.field(7, thriftType.i16);
    writer.integer(places.ordinal);
    writer.field(30, thriftType.double);
    writer.sink.raw(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    writer.end(group);
  });
}

function writeColumn(writer: ThriftWriter, places: Places, outside: boolean): void {
  const column = writer.beginField(3);
  writer.i32(1, 2);
  writer.i64(7, 500);
  writer.i64(9, places.data);
  writer.i64(10, places.index);
  writer.i64(11, places.dictionary);
  const statistics = writer.beginField(12);
  writer.i64(3, 0);
  // A bound whose bytes are not an integer that this writer could have written.
  writer.binary(5, Uint8Array.of(0xff, 0x80, 0x00, 0x7f, 0x01));
  writer.end(statistics);
  if (outside) {
    writer.i64(14, 920);
    writer.i32(15, 10);
  }
  writer.field(50, thriftType.map);
  writer.sink.varint(1);
  writer.sink.byte((thriftType.i32 << 4) | thriftType.true);
  writer.integer(5);
  writer.sink.byte(1);
  writer.end(column);
}

const here = { group: 4, chunk: 4, data: 44, index: 30, dictionary: 4, ordinal: 0 };

it('shifts the offsets, renumbers the group, forgets what lies outside it, and copies all else', () => {
  const group: RowGroup = { rows: 12, start: 4, end: 504, thrift: description(here, true) };
  const moved = moveGroup(group, 1_004, 3);
  const there = { group: 1_004, chunk: 1_004, data: 1_044, index: 1_030, dictionary: 1_004, ordinal: 3 };
  assert.deepEqual(moved, { rows: 12, start: 1_004, end: 1_504, thrift: description(there, false) });
});

it('leaves an offset of 0, which means that there is none', () => {
  const group: RowGroup = {
    rows: 12,
    start: 4,
    end: 504,
    thrift: description({ ...here, chunk: 0, dictionary: 0 }, false),
  };
  const there = { group: 104, chunk: 0, data: 144, index: 130, dictionary: 0, ordinal: 1 };
  assert.deepEqual(moveGroup(group, 104, 1).thrift, description(there, false));
});

it('moves there and back to the bytes it was', () => {
  const group: RowGroup = { rows: 12, start: 4, end: 504, thrift: description(here, false) };
  assert.deepEqual(moveGroup(moveGroup(group, 70_000_000_000, 9), 4, 0), group);
});
