// Compiles a schema into a function that skips one of its values: a field of the writer's record that our schema lacks.
import type { Type } from 'avsc';
import avsc from 'avsc';
import type { AvroBytes } from './avro-bytes.ts';
import { BadBytes } from './avro-bytes.ts';

const { types } = avsc;

type SkipValue = (bytes: AvroBytes) => void;

export function compileSkip(type: Type, known = new Map<Type, { skip: SkipValue | null }>()): SkipValue {
  if (type instanceof types.RecordType) return skipRecord(type, known);
  if (type instanceof types.UnwrappedUnionType || type instanceof types.WrappedUnionType) {
    const branches = type.types.map((branch) => compileSkip(branch, known));
    return (bytes) => {
      const branch = branches[bytes.readLong()];
      if (branch === undefined) throw new BadBytes('no such branch of a union');
      branch(bytes);
    };
  }
  if (type instanceof types.ArrayType) {
    const items = compileSkip(type.itemsType, known);
    return skipBlocks(items);
  }
  if (type instanceof types.MapType) {
    const values = compileSkip(type.valuesType, known);
    return skipBlocks((bytes) => {
      bytes.readString();
      values(bytes);
    });
  }
  if (type instanceof types.FixedType) {
    const { size } = type;
    return (bytes) => bytes.skip(size);
  }
  const skip = primitives[type.typeName];
  if (skip === undefined) throw new Error(`unknown Avro type ${type.typeName}`);
  return skip;
}

const primitives: Readonly<Record<string, SkipValue>> = {
  null: () => {},
  boolean: (bytes) => bytes.skip(1),
  int: (bytes) => bytes.skipLong(),
  long: (bytes) => bytes.skipLong(),
  enum: (bytes) => bytes.skipLong(),
  float: (bytes) => bytes.skip(4),
  double: (bytes) => bytes.skip(8),
  bytes: (bytes) => bytes.skip(bytes.readLong()),
  string: (bytes) => bytes.skip(bytes.readLong()),
};

function skipRecord(type: avsc.types.RecordType, known: Map<Type, { skip: SkipValue | null }>): SkipValue {
  const held = known.get(type);
  if (held !== undefined) return (bytes) => held.skip?.(bytes);
  const entry: { skip: SkipValue | null } = { skip: null };
  known.set(type, entry);
  const fields = type.fields.map((field) => compileSkip(field.type, known));
  entry.skip = (bytes) => {
    bytes.enterRecord();
    for (const field of fields) field(bytes);
    bytes.leaveRecord();
  };
  return entry.skip;
}

function skipBlocks(item: SkipValue): SkipValue {
  return (bytes) => {
    for (let count = bytes.readBlock(); count > 0; count = bytes.readBlock()) {
      for (let index = 0; index < count; index++) item(bytes);
    }
  };
}
