// The layout of a dataset's columns in a Parquet file: physical types, levels, and the constant parts of the footer. Built once per list of
// columns; every file with these columns contains these bytes, including files with groups from elsewhere.
import { ByteSink } from '../../core/parquet/byte-sink.ts';
import type { RawField } from '../../core/parquet/footer.ts';
import { thriftType } from '../../core/parquet/thrift-reader.ts';
import { ThriftWriter } from '../../core/parquet/thrift-writer.ts';
import type { Column, ColumnType, Dataset } from '../../schemas/datasets/column.ts';

export type ColumnLayout = {
  readonly column: Column;
  readonly name: string;
  readonly physical: Physical;
  /** The kind of a leaf; `number` covers integers, decimals and times. */
  readonly leaf: 'text' | 'number' | 'flag';
  readonly nullable: boolean;
  readonly list: boolean;
  /** Inclusive range of a number. */
  readonly lowest: number;
  readonly highest: number;
  /** The path of the leaf, each part as UTF-8. */
  readonly path: readonly Uint8Array[];
};

/** The columns and their schema bytes: equal bytes mean equal columns. */
export type ColumnsLayout = { readonly columns: readonly ColumnLayout[]; readonly schema: Uint8Array };

export type Layout = ColumnsLayout & { readonly rest: readonly RawField[] };

/** Parquet's physical types, by number. */
export const physical = { boolean: 0, int32: 1, int64: 2, byteArray: 6 } as const;
type Physical = (typeof physical)[keyof typeof physical];

export const repetition = { required: 0, optional: 1, repeated: 2 } as const;
export const convertedType = { utf8: 0, list: 3, decimal: 5, date: 6, timestampMicros: 10 } as const;
const logicalType = { string: 1, list: 3, decimal: 5, date: 6, timestamp: 8 } as const;
const createdBy = 'sports-data-service version 1.0.0';

const layouts = new WeakMap<Dataset, Layout>();

/** The layout of `dataset`, built on first use. */
export function layoutOf(dataset: Dataset): Layout {
  const known = layouts.get(dataset);
  if (known) return known;
  const layout = {
    ...layoutOfColumns(dataset.columns),
    rest: restOfFooter(dataset.columns.length),
  };
  layouts.set(dataset, layout);
  return layout;
}

/** The layout of any columns. */
export function layoutOfColumns(columns: readonly Column[]): ColumnsLayout {
  return { columns: columns.map(columnLayout), schema: schemaThrift(columns) };
}

function columnLayout(column: Column): ColumnLayout {
  const list = column.type.kind === 'list';
  if (list && column.nullable) throw new Error(`column ${column.name}: a list that may be null has no layout here`);
  const type = leafType(column.type);
  const highest = highestOf(type);
  return {
    column,
    name: column.name,
    physical: physicalOf(type),
    leaf: type.kind === 'utf8' ? 'text' : type.kind === 'bool' ? 'flag' : 'number',
    nullable: column.nullable,
    list,
    lowest: type.kind === 'int32' || type.kind === 'date' ? -highest - 1 : -highest,
    highest,
    path: (list ? [column.name, 'list', 'element'] : [column.name]).map((part) => utf8.encode(part)),
  };
}

function leafType(type: ColumnType): ColumnType {
  return type.kind === 'list' ? { kind: type.of } : type;
}

function physicalOf(type: ColumnType): Physical {
  switch (type.kind) {
    case 'utf8':
      return physical.byteArray;
    case 'bool':
      return physical.boolean;
    case 'int32':
    case 'date':
      return physical.int32;
    case 'dec':
      return type.precision > 9 ? physical.int64 : physical.int32;
    default:
      return physical.int64;
  }
}

function highestOf(type: ColumnType): number {
  if (type.kind === 'dec') return 10 ** type.precision - 1;
  return physicalOf(type) === physical.int32 ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
}

/** The schema elements of a file with these columns. */
export function schemaThrift(columns: readonly Column[]): Uint8Array {
  const lists = columns.filter((column) => column.type.kind === 'list').length;
  const sink = new ByteSink();
  const writer = new ThriftWriter(sink);
  writer.listHeader(1 + columns.length + 2 * lists, thriftType.struct);
  const root = writer.begin();
  writer.text(4, 'schema');
  writer.i32(5, columns.length);
  writer.end(root);
  for (const { name, type, nullable } of columns) {
    const repeats = nullable ? repetition.optional : repetition.required;
    if (type.kind === 'list') writeList(writer, name, type.of);
    else writeLeaf(writer, name, type, repeats);
  }
  return sink.toBytes();
}

function writeList(writer: ThriftWriter, name: string, of: 'utf8' | 'int32'): void {
  const outer = writer.begin();
  writer.i32(3, repetition.required);
  writer.text(4, name);
  writer.i32(5, 1);
  writer.i32(6, convertedType.list);
  writeLogicalType(writer, logicalType.list);
  writer.end(outer);
  const repeated = writer.begin();
  writer.i32(3, repetition.repeated);
  writer.text(4, 'list');
  writer.i32(5, 1);
  writer.end(repeated);
  writeLeaf(writer, 'element', { kind: of }, repetition.required);
}

function writeLeaf(writer: ThriftWriter, name: string, type: ColumnType, repeats: number): void {
  const outer = writer.begin();
  writer.i32(1, physicalOf(type));
  writer.i32(3, repeats);
  writer.text(4, name);
  switch (type.kind) {
    case 'utf8':
      writer.i32(6, convertedType.utf8);
      writeLogicalType(writer, logicalType.string);
      break;
    case 'date':
      writer.i32(6, convertedType.date);
      writeLogicalType(writer, logicalType.date);
      break;
    case 'dec':
      writer.i32(6, convertedType.decimal);
      writer.i32(7, type.scale);
      writer.i32(8, type.precision);
      writeLogicalType(writer, logicalType.decimal, () => {
        writer.i32(1, type.scale);
        writer.i32(2, type.precision);
      });
      break;
    case 'ts':
      writer.i32(6, convertedType.timestampMicros);
      writeLogicalType(writer, logicalType.timestamp, () => {
        writer.field(1, thriftType.true); // isAdjustedToUTC
        const unit = writer.beginField(2);
        writer.end(writer.beginField(2)); // MICROS
        writer.end(unit);
      });
      break;
  }
  writer.end(outer);
}

function writeLogicalType(writer: ThriftWriter, type: number, parameters: () => void = () => {}): void {
  const union = writer.beginField(10);
  const member = writer.beginField(type);
  parameters();
  writer.end(member);
  writer.end(union);
}

/** The version, the writer's name, and for each leaf that its statistics use the order of its type. */
function restOfFooter(leaves: number): RawField[] {
  const orders = (writer: ThriftWriter) => {
    writer.listHeader(leaves, thriftType.struct);
    for (let left = leaves; left > 0; left--) {
      const union = writer.begin();
      writer.end(writer.beginField(1));
      writer.end(union);
    }
  };
  const name = utf8.encode(createdBy);
  return [
    { id: 1, type: thriftType.i32, value: thrift((writer) => writer.integer(1)) },
    { id: 6, type: thriftType.binary, value: Uint8Array.of(name.length, ...name) },
    { id: 7, type: thriftType.list, value: thrift(orders) },
  ];
}

function thrift(write: (writer: ThriftWriter) => void): Uint8Array {
  const sink = new ByteSink();
  write(new ThriftWriter(sink));
  return sink.toBytes();
}

const utf8 = new TextEncoder();
