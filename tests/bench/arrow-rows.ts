// Builds an Arrow table of typed columns from rows, for parquet-wasm to write: the fastest way from rows to that
// library.
import {
  Bool,
  type Data,
  type DataType,
  Decimal,
  Field,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  TimestampMicrosecond,
  tableToIPC,
  Utf8,
} from 'apache-arrow';
import {
  Compression,
  EnabledStatistics,
  Table as WasmTable,
  WriterPropertiesBuilder,
  writeParquet,
} from 'parquet-wasm';
import type { ParquetRow } from '../../core/ports/parquet.ts';
import type { Column, Dataset } from '../../schemas/datasets/column.ts';

const twoTo32 = 2 ** 32;

/**
 * Writes the rows with parquet-wasm, set as our final files are: zstd, dictionaries, statistics and the same size of
 * row groups.
 */
export function encodeByParquetWasm({ columns }: Dataset, rows: readonly ParquetRow[]): Uint8Array {
  const made = columns.map((column) => dataOf(column, rows));
  const schema = new Schema(columns.map(({ name, nullable }, at) => new Field(name, made[at]!.type, nullable)));
  const struct = makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children: made });
  const stream = tableToIPC(new Table(schema, new RecordBatch(schema, struct)), 'stream');
  // `writeParquet` consumes the properties. A second file with the same ones would silently be uncompressed.
  const properties = new WriterPropertiesBuilder()
    .setCompression(Compression.ZSTD)
    .setMaxRowGroupSize(32_768)
    .setDictionaryEnabled(true)
    .setStatisticsEnabled(EnabledStatistics.Chunk)
    .build();
  return writeParquet(WasmTable.fromIPCStream(stream), properties);
}

function dataOf(column: Column, rows: readonly ParquetRow[]): Data {
  const { name, type, nullable } = column;
  const { length } = rows;
  const present = new Uint8Array((length + 7) >> 3);
  let nullCount = 0;
  /** Calls `take` for each row with a value in this column, and `after` for every row. */
  const each = (take: (value: never, index: number) => void, after: (index: number) => void = () => {}) => {
    for (let index = 0; index < length; index++) {
      const value = rows[index]![name];
      if (value === null) nullCount += 1;
      else {
        present[index >> 3]! |= 1 << (index & 7);
        take(value as never, index);
      }
      after(index);
    }
  };
  const finish = (arrow: DataType, data: unknown, offsets?: Int32Array): Data =>
    makeData({
      type: arrow,
      length,
      nullCount,
      nullBitmap: nullable ? present : undefined,
      data,
      valueOffsets: offsets,
    } as never) as Data;
  switch (type.kind) {
    case 'utf8': {
      const offsets = new Int32Array(length + 1);
      const texts = new TextBytes();
      each(
        (text) => texts.add(text),
        (index) => {
          offsets[index + 1] = texts.length;
        },
      );
      return finish(new Utf8(), texts.bytes.subarray(0, texts.length), offsets);
    }
    case 'bool': {
      const flags = new Uint8Array((length + 7) >> 3);
      each((flag, index) => {
        if (flag) flags[index >> 3]! |= 1 << (index & 7);
      });
      return finish(new Bool(), flags);
    }
    case 'int32': {
      const numbers = new Int32Array(length);
      each((value, index) => {
        numbers[index] = value;
      });
      return finish(new Int32(), numbers);
    }
    case 'dec': {
      const words = new Int32Array(length * 4);
      each((value: number, index) => {
        words[index * 4] = value;
        words.fill(value < 0 ? -1 : 0, index * 4 + 1, index * 4 + 4);
      });
      return finish(new Decimal(type.scale, type.precision, 128), new Uint32Array(words.buffer));
    }
    default: {
      const halves = new Int32Array(length * 2);
      each((value: number, index) => {
        const high = Math.floor(value / twoTo32);
        halves[index * 2] = value - high * twoTo32;
        halves[index * 2 + 1] = high;
      });
      const arrow = type.kind === 'ts' ? new TimestampMicrosecond('UTC') : new Int64();
      return finish(arrow, new BigInt64Array(halves.buffer));
    }
  }
}

class TextBytes {
  bytes = new Uint8Array(1_048_576);
  length = 0;

  add(text: string): void {
    if (this.length + text.length * 3 > this.bytes.length) {
      const grown = new Uint8Array(this.bytes.length * 2 + text.length * 3);
      grown.set(this.bytes);
      this.bytes = grown;
    }
    this.length += utf8.encodeInto(text, this.bytes.subarray(this.length)).written;
  }
}

const utf8 = new TextEncoder();
