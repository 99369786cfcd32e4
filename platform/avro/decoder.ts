// Compiles a pair of schemas, the writer's and ours, into a function from bytes to plain objects of our form (Avro 1.11, "Schema
// Resolution"). The writer's schema may be anything the registry holds: what can never fit is refused when compiled, a record that
// happens not to fit fails alone.
import type { Type } from 'avsc';
import avsc from 'avsc';
import type { AvroBytes } from './avro-bytes.ts';
import { BadBytes } from './avro-bytes.ts';
import { compileSkip } from './skip.ts';

const { types } = avsc;
type RecordType = avsc.types.RecordType;

export type ReadValue = (bytes: AvroBytes) => unknown;

/** No value of the writer's schema can be one of ours. */
export class IncompatibleSchemas extends Error {
  override readonly name = 'IncompatibleSchemas';
}

/** The reader of `writer`'s bytes as values of `reader`. */
export function compileDecoder(writer: Type, reader: Type): ReadValue {
  return resolve(writer, reader, new Map());
}

type Known = Map<Type, Map<Type, { read: ReadValue | null }>>;

function resolve(writer: Type, reader: Type, known: Known): ReadValue {
  if (isUnion(writer)) return readUnion(writer, reader, known);
  if (isUnion(reader)) return resolve(writer, branchFor(writer, reader), known);
  if (writer instanceof types.RecordType && reader instanceof types.RecordType)
    return readRecord(writer, reader, known);
  if (writer instanceof types.ArrayType && reader instanceof types.ArrayType) {
    return readArray(resolve(writer.itemsType, reader.itemsType, known));
  }
  if (writer instanceof types.MapType && reader instanceof types.MapType) {
    return readMap(resolve(writer.valuesType, reader.valuesType, known));
  }
  if (writer instanceof types.EnumType && reader instanceof types.EnumType) return readEnum(writer, reader);
  if (writer instanceof types.FixedType && reader instanceof types.FixedType && writer.size === reader.size) {
    const { size } = writer;
    return (bytes) => bytes.readBytes(size);
  }
  const read = primitives[`${writer.typeName} ${reader.typeName}`];
  if (read === undefined) throw new IncompatibleSchemas(`${describe(writer)} where ${describe(reader)} is wanted`);
  return read;
}

const readLong: ReadValue = (bytes) => bytes.readLong();
const readInt: ReadValue = (bytes) => bytes.readInt();
const readFloat: ReadValue = (bytes) => bytes.readFloat();

/** By the writer's type and ours; what is missing does not fit. */
const primitives: Readonly<Record<string, ReadValue>> = {
  'null null': () => null,
  'boolean boolean': (bytes) => bytes.readBoolean(),
  'int int': readInt,
  'int long': readInt,
  'int float': readInt,
  'int double': readInt,
  'long long': readLong,
  'long float': readLong,
  'long double': readLong,
  'float float': readFloat,
  'float double': readFloat,
  'double double': (bytes) => bytes.readDouble(),
  'string string': (bytes) => bytes.readString(),
  'bytes string': (bytes) => bytes.readString(),
  'bytes bytes': (bytes) => bytes.readBytes(),
  'string bytes': (bytes) => bytes.readBytes(),
};

type UnionType = avsc.types.UnwrappedUnionType | avsc.types.WrappedUnionType;

function isUnion(type: Type): type is UnionType {
  return type instanceof types.UnwrappedUnionType || type instanceof types.WrappedUnionType;
}

function readUnion(writer: UnionType, reader: Type, known: Known): ReadValue {
  const branches = writer.types.map((branch) => resolveOrNull(branch, reader, known));
  if (branches.every((branch) => branch === null)) {
    throw new IncompatibleSchemas(`${describe(writer)} where ${describe(reader)} is wanted`);
  }
  return (bytes) => {
    const branch = branches[bytes.readLong()];
    if (branch === undefined) throw new BadBytes('no such branch of a union');
    if (branch === null) throw new BadBytes('a branch of a union that the reader does not have');
    return branch(bytes);
  };
}

function resolveOrNull(writer: Type, reader: Type, known: Known): ReadValue | null {
  try {
    return resolve(writer, reader, known);
  } catch (error) {
    if (error instanceof IncompatibleSchemas) return null;
    throw error;
  }
}

/** The first branch of the same kind, else the first that the value can be promoted to. */
function branchFor(writer: Type, reader: UnionType): Type {
  const branch =
    reader.types.find((each) => each.typeName === writer.typeName && sameName(writer, each)) ??
    reader.types.find((each) => primitives[`${writer.typeName} ${each.typeName}`] !== undefined);
  if (branch === undefined) throw new IncompatibleSchemas(`${describe(writer)} where ${describe(reader)} is wanted`);
  return branch;
}

function readRecord(writer: RecordType, reader: RecordType, known: Known): ReadValue {
  if (!sameName(writer, reader)) throw new IncompatibleSchemas(`record ${writer.name} where ${reader.name} is wanted`);
  const resolved = known.get(writer) ?? new Map<Type, { read: ReadValue | null }>();
  known.set(writer, resolved);
  const held = resolved.get(reader);
  // A record inside itself: its function exists by the time it is called.
  if (held !== undefined) return held.read ?? ((bytes) => held.read?.(bytes));
  const entry: { read: ReadValue | null } = { read: null };
  resolved.set(reader, entry);
  try {
    entry.read = recordReader(writer, reader, known);
    return entry.read;
  } catch (error) {
    resolved.delete(reader);
    throw error;
  }
}

type FieldStep = { name: string; read: ReadValue } | { name: null; read: (bytes: AvroBytes) => void };

function recordReader(writer: RecordType, reader: RecordType, known: Known): ReadValue {
  const missing = new Set(reader.fields);
  const steps = writer.fields.map((field): FieldStep => {
    const ours = reader.fields.find((each) => each.name === field.name || each.aliases.includes(field.name));
    if (ours === undefined || !missing.delete(ours)) return { name: null, read: compileSkip(field.type) };
    return { name: ours.name, read: resolve(field.type, ours.type, known) };
  });
  const defaults = [...missing].map((field) => {
    if (field.defaultValue() === undefined) {
      throw new IncompatibleSchemas(`the writer's ${writer.name} has no ${field.name}`);
    }
    return { name: field.name, make: () => plain(field.defaultValue()) };
  });
  return (bytes) => {
    bytes.enterRecord();
    const value: Record<string, unknown> = {};
    for (let index = 0; index < steps.length; index++) {
      const step = steps[index] as FieldStep;
      if (step.name === null) step.read(bytes);
      else value[step.name] = step.read(bytes);
    }
    for (const each of defaults) value[each.name] = each.make();
    bytes.leaveRecord();
    return value;
  };
}

function readArray(item: ReadValue): ReadValue {
  return (bytes) => {
    const items: unknown[] = [];
    for (let count = bytes.readBlock(); count > 0; count = bytes.readBlock()) {
      for (let index = 0; index < count; index++) items.push(item(bytes));
    }
    return items;
  };
}

function readMap(value: ReadValue): ReadValue {
  return (bytes) => {
    const entries: [string, unknown][] = [];
    for (let count = bytes.readBlock(); count > 0; count = bytes.readBlock()) {
      for (let index = 0; index < count; index++) entries.push([bytes.readString(), value(bytes)]);
    }
    return Object.fromEntries(entries);
  };
}

function readEnum(writer: avsc.types.EnumType, reader: avsc.types.EnumType): ReadValue {
  const symbols = writer.symbols.map((symbol) => (reader.symbols.includes(symbol) ? symbol : null));
  return (bytes) => {
    const symbol = symbols[bytes.readLong()];
    if (symbol === undefined || symbol === null) throw new BadBytes('a symbol that the reader does not have');
    return symbol;
  };
}

/** Avro 1.11 compares names without their namespaces. */
function sameName(writer: Type, reader: Type): boolean {
  const names = [reader.name, ...(reader.aliases ?? [])].map(unqualified);
  return writer.name === undefined || names.includes(unqualified(writer.name));
}

function unqualified(name: string | undefined): string {
  return name === undefined ? '' : name.slice(name.lastIndexOf('.') + 1);
}

function describe(type: Type): string {
  return type.name === undefined ? type.typeName : `${type.typeName} ${type.name}`;
}

/** avsc makes records of classes of its own; ours are plain. */
function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value) ? structuredClone(value) : value;
}
