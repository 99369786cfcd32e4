// Compiles two schemas, the writer's and ours, into a function from bytes to plain objects of our schema (Avro 1.11, "Schema Resolution").
// The writer's schema may be anything in the registry: compilation refuses what can never fit; a single record that does not fit fails
// alone.
import type { Type } from 'avsc';
import avsc from 'avsc';
import type { AvroBytes } from './avro-bytes.ts';
import { BadBytes } from './avro-bytes.ts';
import { compileSkip } from './skip.ts';

const { types } = avsc;
type RecordType = avsc.types.RecordType;

export type ReadValue = (bytes: AvroBytes) => unknown;

/** No value of the writer's schema fits ours. */
export class IncompatibleSchemas extends Error {
  override readonly name = 'IncompatibleSchemas';
}

/** A function that reads `writer`'s bytes as values of `reader`. */
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

const readNull: ReadValue = () => null;
const readLong: ReadValue = (bytes) => bytes.readLong();
const readInt: ReadValue = (bytes) => bytes.readInt();
const readFloat: ReadValue = (bytes) => bytes.readFloat();

/** By the writer's type and ours; absent pairs do not fit. */
const primitives: Readonly<Record<string, ReadValue>> = {
  'null null': readNull,
  'boolean boolean': (bytes) => bytes.readBoolean(),
  'int int': readInt,
  'int long': readInt,
  'int float': readInt,
  'int double': readInt,
  'long long': (bytes) => bytes.readAnyLong(),
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
  const [first, second] = branches;
  if (first === readNull && second && branches.length === 2) return readNullOr(second);
  return (bytes) => {
    const branch = branches[bytes.readLong()];
    if (branch === undefined) throw new BadBytes('no such branch of a union');
    if (branch === null) throw new BadBytes('a union branch that the reader lacks');
    return branch(bytes);
  };
}

/** The fast path for nearly every union. */
function readNullOr(value: ReadValue): ReadValue {
  return (bytes) => {
    const branch = bytes.readLong();
    if (branch === 0) return null;
    if (branch !== 1) throw new BadBytes('no such branch of a union');
    return value(bytes);
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

/** The first branch of the same kind, otherwise the first that the value can be promoted to. */
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
  // A recursive record: its function exists by the time it is called.
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
  const defaults = [...missing].map((field): FieldStep => {
    if (field.defaultValue() === undefined) {
      throw new IncompatibleSchemas(`the writer's ${writer.name} has no ${field.name}`);
    }
    return { name: field.name, read: () => plain(field.defaultValue()) };
  });
  return inOneShape([...steps, ...defaults], reader);
}

/**
 * Generates one function from the steps, as source: V8 then knows the record's shape and its field readers, which takes half the time of a
 * loop. Every record has its members in the order of `reader`. The generated names never come from a writer's schema.
 */
function inOneShape(steps: readonly FieldStep[], reader: RecordType): ReadValue {
  const parameters = steps.map((_, step) => `read${step}`);
  const values = steps.map((_, step) => `const value${step} = read${step}(bytes);`);
  const members = reader.fields.map(({ name }) => {
    return `${JSON.stringify(name)}: value${steps.findIndex((step) => step.name === name)}`;
  });
  const body = `bytes.enterRecord(); ${values.join(' ')} bytes.leaveRecord(); return { ${members.join(', ')} };`;
  const make = new Function(...parameters, `return (bytes) => { ${body} };`);
  return make(...steps.map(({ read }) => read));
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
    if (symbol === undefined || symbol === null) throw new BadBytes('an enum symbol that the reader lacks');
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

/** avsc creates records of its own classes; ours are plain objects. */
function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value) ? structuredClone(value) : value;
}
