// The footer of a Parquet file. Rows, row groups and key-value metadata are decoded; the rest — the schema, the writer's name, column
// orders, fields of a later version — is kept as raw bytes.
import type { ByteSink } from './byte-sink.ts';
import { type RowGroup, readGroups } from './row-group.ts';
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

/** Key-value metadata. `writeFooter` sets `sds.row_count` to the sum of the groups. */
export type FileMetadata = ReadonlyMap<string, string>;

export type Footer = {
  readonly rows: number;
  readonly groups: readonly RowGroup[];
  /** The schema elements: a thrift list, byte for byte. */
  readonly schema: Uint8Array;
  readonly metadata: FileMetadata;
  /** The footer's other fields, in the order of their ids. */
  readonly rest: readonly RawField[];
  /** Where the footer begins. */
  readonly start: number;
};

export type RawField = { readonly id: number; readonly type: number; readonly value: Uint8Array };

const rowCountKey = 'sds.row_count';

/** PAR1: the first and the last four bytes of every file. */
export const magicBytes = Uint8Array.of(0x50, 0x41, 0x52, 0x31);

/** Where the first row group of a file begins. */
export const dataStart = magicBytes.length;

const trailerLength = 4 + magicBytes.length;

const fileField = { version: 1, schema: 2, rows: 3, groups: 4, metadata: 5 } as const;

/**
 * How many bytes the file has from its footer on. `bytes` are the end of the file, after `missing` other bytes. Throws as `readFooter`
 * does.
 */
export function footerLength(bytes: Uint8Array, missing = 0): number {
  if (missing + bytes.length < dataStart + trailerLength || (missing === 0 && !isMagic(bytes, 0))) {
    throw new ParquetFormatError('not a Parquet file: it does not begin with PAR1');
  }
  if (!isMagic(bytes, bytes.length - magicBytes.length)) {
    throw new ParquetFormatError('not a whole Parquet file: it does not end with PAR1');
  }
  const end = bytes.length - trailerLength;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(end, true) + trailerLength;
  if (length > missing + bytes.length - dataStart) throw new ParquetFormatError('the footer is longer than the file');
  return length;
}

/**
 * Reads the footer of a whole file, or of its end: then `missing` bytes precede `bytes`, which must contain the whole footer. Throws
 * ParquetFormatError on anything else.
 */
export function readFooter(bytes: Uint8Array, missing = 0): Footer {
  const start = bytes.length - footerLength(bytes, missing);
  const end = bytes.length - trailerLength;
  const reader = new ThriftReader(bytes, start, end);
  const fields = reader.struct();
  if (reader.at !== end) throw new ParquetFormatError('bytes follow the footer');
  const groups = readGroups(bytes, fieldOf(fields, fileField.groups, thriftType.list), dataStart, missing + start);
  const rows = integerOf(bytes, fieldOf(fields, fileField.rows, thriftType.i64));
  if (rows !== groups.reduce((sum, group) => sum + group.rows, 0)) {
    throw new ParquetFormatError('the rows of the groups do not add up to those of the file');
  }
  const schema = fieldOf(fields, fileField.schema, thriftType.list);
  return {
    rows,
    groups,
    schema: bytes.slice(schema.start, schema.end),
    metadata: readMetadata(bytes, fields),
    rest: fields.filter(isRest).map(({ id, type, start, end }) => ({ id, type, value: bytes.slice(start, end) })),
    start: missing + start,
  };
}

/** Appends a footer, its length and the closing magic to `sink`; returns the footer as a reader will find it. */
export function writeFooter(sink: ByteSink, footer: Omit<Footer, 'rows' | 'start'>): Footer {
  const start = sink.length;
  const rows = footer.groups.reduce((sum, group) => sum + group.rows, 0);
  const metadata = new Map(footer.metadata).set(rowCountKey, String(rows));
  const writer = new ThriftWriter(sink);
  const outer = writer.begin();
  for (const field of footer.rest) if (field.id < fileField.schema) writer.raw(field.id, field.type, field.value);
  writer.raw(fileField.schema, thriftType.list, footer.schema);
  writer.i64(fileField.rows, rows);
  writer.field(fileField.groups, thriftType.list);
  writer.listHeader(footer.groups.length, thriftType.struct);
  for (const group of footer.groups) sink.raw(group.thrift);
  writeMetadata(writer, metadata);
  for (const field of footer.rest) if (field.id > fileField.metadata) writer.raw(field.id, field.type, field.value);
  writer.end(outer);
  sink.int32(sink.length - start);
  sink.raw(magicBytes);
  return { ...footer, rows, metadata, start };
}

function readMetadata(bytes: Uint8Array, fields: readonly ThriftField[]): FileMetadata {
  const metadata = new Map<string, string>();
  const list = findField(fields, fileField.metadata);
  if (!list) return metadata;
  const reader = new ThriftReader(bytes, list.start, list.end);
  const { size, type } = reader.listHeader();
  if (size > 0 && type !== thriftType.struct) throw new ParquetFormatError('the key-value metadata are no structs');
  for (let left = size; left > 0; left--) {
    const pair = reader.struct();
    const value = findField(pair, 2);
    metadata.set(text(bytes, fieldOf(pair, 1, thriftType.binary)), value ? text(bytes, value) : '');
  }
  return metadata;
}

function writeMetadata(writer: ThriftWriter, metadata: FileMetadata): void {
  writer.field(fileField.metadata, thriftType.list);
  writer.listHeader(metadata.size, thriftType.struct);
  for (const [key, value] of metadata) {
    const outer = writer.begin();
    writer.text(1, key);
    writer.text(2, value);
    writer.end(outer);
  }
}

function isMagic(bytes: Uint8Array, at: number): boolean {
  return magicBytes.every((byte, index) => bytes[at + index] === byte);
}

function isRest(field: ThriftField): boolean {
  return field.id < fileField.schema || field.id > fileField.metadata;
}

function text(bytes: Uint8Array, field: ThriftField): string {
  return utf8.decode(new ThriftReader(bytes, field.start, field.end).binary());
}

const utf8 = new TextDecoder();
