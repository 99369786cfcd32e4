// A file's own columns, whatever its dataset has now: parses the schema that layout.ts writes. Encoding the result again must give the same
// bytes, otherwise this service did not write the file.
import { sameBytes } from '../../core/parquet/same-bytes.ts';
import {
  fieldOf,
  findField,
  integerOf,
  ParquetFormatError,
  type ThriftField,
  ThriftReader,
  thriftType,
} from '../../core/parquet/thrift-reader.ts';
import type { Column, ColumnType } from '../../schemas/datasets/column.ts';
import { convertedType, physical, repetition, schemaThrift } from './layout.ts';

/**
 * The columns in a footer's schema, without the properties that files do not store. Throws ParquetFormatError if this service did not write
 * it.
 */
export function columnsOf(schema: Uint8Array): Column[] {
  const reader = new ThriftReader(schema, 0, schema.length);
  const { size, type } = reader.listHeader();
  if (type !== thriftType.struct) throw foreign();
  const [, ...elements] = Array.from({ length: size }, () => new SchemaElement(schema, reader.struct()));
  const columns: Column[] = [];
  for (let at = 0; at < elements.length; at += 1) {
    const element = elements[at]!;
    const isList = element.converted === convertedType.list;
    // A list takes three elements: the list, the repeated group, and the element.
    if (isList) at += 2;
    columns.push({
      name: element.name,
      type: isList ? listOf(elements[at]) : element.type,
      nullable: element.repeats === repetition.optional,
      description: '',
      unit: null,
    });
  }
  if (!sameBytes(schemaThrift(columns), schema)) throw foreign();
  return columns;
}

function listOf(element: SchemaElement | undefined): ColumnType {
  const kind = element?.type.kind;
  if (kind !== 'utf8' && kind !== 'int32') throw foreign();
  return { kind: 'list', of: kind };
}

class SchemaElement {
  readonly #bytes: Uint8Array;
  readonly #fields: readonly ThriftField[];

  constructor(bytes: Uint8Array, fields: readonly ThriftField[]) {
    this.#bytes = bytes;
    this.#fields = fields;
  }

  get name(): string {
    const { start, end } = fieldOf(this.#fields, 4, thriftType.binary);
    return utf8.decode(new ThriftReader(this.#bytes, start, end).binary());
  }

  get repeats(): number | null {
    return this.#integer(3);
  }

  get converted(): number | null {
    return this.#integer(6);
  }

  get type(): ColumnType {
    switch (this.converted) {
      case convertedType.utf8:
        return { kind: 'utf8' };
      case convertedType.date:
        return { kind: 'date' };
      case convertedType.timestampMicros:
        return { kind: 'ts' };
      case convertedType.decimal:
        return { kind: 'dec', precision: this.#integer(8) ?? 0, scale: this.#integer(7) ?? 0 };
    }
    switch (this.#integer(1)) {
      case physical.boolean:
        return { kind: 'bool' };
      case physical.int32:
        return { kind: 'int32' };
      case physical.int64:
        return { kind: 'int64' };
    }
    throw foreign();
  }

  #integer(id: number): number | null {
    const field = findField(this.#fields, id);
    return field?.type === thriftType.i32 ? integerOf(this.#bytes, field) : null;
  }
}

function foreign(): ParquetFormatError {
  return new ParquetFormatError('the columns of the file are not as this service writes them');
}

const utf8 = new TextDecoder();
