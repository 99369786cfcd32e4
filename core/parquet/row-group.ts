// A row group as movable bytes. Only the thrift fields that a move changes are decoded: offsets and the ordinal. Encodings, sizes and above
// all statistics stay raw: re-encoding a statistic can lose digits, and readers then skip rows that match.
import { ByteSink } from './byte-sink.ts';
import {
  fieldOf,
  findField,
  integerOf,
  ParquetFormatError,
  type ThriftField,
  ThriftReader,
  thriftType,
} from './thrift-reader.ts';
import { ThriftWriter } from './thrift-writer.ts';

/** A row group: its bytes are `[start, end)` of its file, and `thrift` describes it with offsets for that position. */
export type RowGroup = {
  readonly rows: number;
  readonly start: number;
  readonly end: number;
  readonly thrift: Uint8Array;
};

const groupField = { columns: 1, rows: 3, fileOffset: 5, ordinal: 7 } as const;
const chunkField = {
  filePath: 1,
  fileOffset: 2,
  metadata: 3,
  offsetIndex: 4,
  columnIndexLength: 7,
  cryptoMetadata: 8,
} as const;
const columnField = {
  compressedSize: 7,
  dataPage: 9,
  indexPage: 10,
  dictionaryPage: 11,
  bloomOffset: 14,
  bloomLength: 15,
} as const;

/** The same group moved to `start` of another file, as its `ordinal`-th group. */
export function moveGroup(group: RowGroup, start: number, ordinal: number): RowGroup {
  const by = start - group.start;
  const { thrift: bytes } = group;
  const fields = new ThriftReader(bytes, 0, bytes.length).struct();
  const sink = new ByteSink(bytes.length + 64);
  const writer = new ThriftWriter(sink);
  const outer = writer.begin();
  for (const field of fields) {
    if (field.id === groupField.columns) moveColumns(writer, bytes, field, by);
    else if (field.id === groupField.fileOffset) writer.i64(field.id, integerOf(bytes, field) + by);
    else if (field.id === groupField.ordinal) {
      writer.field(field.id, thriftType.i16);
      writer.integer(ordinal);
    } else writer.copy(field, bytes);
  }
  writer.end(outer);
  return { rows: group.rows, start, end: group.end + by, thrift: sink.toBytes() };
}

function moveColumns(writer: ThriftWriter, bytes: Uint8Array, columns: ThriftField, by: number): void {
  const reader = new ThriftReader(bytes, columns.start, columns.end);
  const { size } = reader.listHeader();
  writer.field(columns.id, thriftType.list);
  writer.listHeader(size, thriftType.struct);
  for (let left = size; left > 0; left--) {
    const outer = writer.begin();
    for (const field of reader.struct()) {
      if (field.id === chunkField.metadata) moveColumn(writer, bytes, field, by);
      else if (field.id === chunkField.fileOffset) writer.i64(field.id, movedUnlessZero(integerOf(bytes, field), by));
      // The page indexes lie outside the group's bytes and are dropped.
      else if (field.id < chunkField.offsetIndex || field.id > chunkField.columnIndexLength) writer.copy(field, bytes);
    }
    writer.end(outer);
  }
}

function moveColumn(writer: ThriftWriter, bytes: Uint8Array, metadata: ThriftField, by: number): void {
  const outer = writer.beginField(metadata.id);
  for (const field of new ThriftReader(bytes, metadata.start, metadata.end).struct()) {
    if (
      field.id === columnField.dataPage ||
      field.id === columnField.indexPage ||
      field.id === columnField.dictionaryPage
    ) {
      writer.i64(field.id, movedUnlessZero(integerOf(bytes, field), by));
    } else if (field.id !== columnField.bloomOffset && field.id !== columnField.bloomLength) writer.copy(field, bytes);
  }
  writer.end(outer);
}

/** Some writers use 0 for "not known" (file_offset) or "none" (dictionary). No page begins at 0. */
function movedUnlessZero(offset: number, by: number): number {
  return offset === 0 ? 0 : offset + by;
}

/** The groups of a footer's list; their data must lie in `[dataStart, dataEnd)`, in order and without overlap. */
export function readGroups(bytes: Uint8Array, list: ThriftField, dataStart: number, dataEnd: number): RowGroup[] {
  const reader = new ThriftReader(bytes, list.start, list.end);
  const { size, type } = reader.listHeader();
  if (size > 0 && type !== thriftType.struct) throw new ParquetFormatError('the row groups are no structs');
  const groups: RowGroup[] = [];
  let previousEnd = dataStart;
  for (let left = size; left > 0; left--) {
    const from = reader.at;
    const fields = reader.struct();
    const rows = integerOf(bytes, fieldOf(fields, groupField.rows, thriftType.i64));
    const range = byteRange(bytes, fieldOf(fields, groupField.columns, thriftType.list));
    if (rows < 0 || range.start < previousEnd || range.end > dataEnd) {
      throw new ParquetFormatError('a row group lies outside the data of the file, or inside another group');
    }
    previousEnd = range.end;
    groups.push({ rows, ...range, thrift: bytes.slice(from, reader.at) });
  }
  return groups;
}

/** From the first page of the group's columns to the end of the last. */
function byteRange(bytes: Uint8Array, columns: ThriftField): { start: number; end: number } {
  const reader = new ThriftReader(bytes, columns.start, columns.end);
  const { size, type } = reader.listHeader();
  if (size === 0 || type !== thriftType.struct) throw new ParquetFormatError('a row group has no columns');
  let start = Number.MAX_SAFE_INTEGER;
  let end = 0;
  for (let left = size; left > 0; left--) {
    const chunk = reader.struct();
    if (findField(chunk, chunkField.filePath) || findField(chunk, chunkField.cryptoMetadata)) {
      throw new ParquetFormatError('a column lies in another file or is encrypted');
    }
    const metadata = fieldOf(chunk, chunkField.metadata, thriftType.struct);
    const column = new ThriftReader(bytes, metadata.start, metadata.end).struct();
    const dictionary = findField(column, columnField.dictionaryPage);
    const dataPage = integerOf(bytes, fieldOf(column, columnField.dataPage, thriftType.i64));
    const first = Math.min(dataPage, (dictionary && integerOf(bytes, dictionary)) || dataPage);
    const size = integerOf(bytes, fieldOf(column, columnField.compressedSize, thriftType.i64));
    if (size < 0) throw new ParquetFormatError('a column has a negative size');
    start = Math.min(start, first);
    end = Math.max(end, first + size);
  }
  return { start, end };
}
