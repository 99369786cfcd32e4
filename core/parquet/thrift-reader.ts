// Reads Thrift's compact protocol, as far as a Parquet footer needs it. A struct is read as a list of fields whose values stay raw bytes,
// so that unknown fields can be copied unread. Hostile bytes end in a ParquetFormatError: every loop consumes at least one byte per turn,
// and nesting is bounded.

/** The bytes are no Parquet file, or none that this service can serve. */
export class ParquetFormatError extends Error {
  override readonly name = 'ParquetFormatError';
}

export const thriftType = {
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  map: 11,
  struct: 12,
  uuid: 13,
} as const;

/** One field of a struct: its value is `bytes[start, end)`; a bool's value is its type. */
export type ThriftField = { readonly id: number; readonly type: number; readonly start: number; readonly end: number };

const maxNesting = 16;

/** Reads `bytes[at, end)` from the front. */
export class ThriftReader {
  readonly bytes: Uint8Array;
  readonly end: number;
  at: number;

  constructor(bytes: Uint8Array, at: number, end: number) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  private byte(): number {
    if (this.at >= this.end) throw new ParquetFormatError('thrift ends in the middle of a value');
    return this.bytes[this.at++]!;
  }

  private skipBytes(count: number): void {
    if (count > this.end - this.at) throw new ParquetFormatError('thrift ends in the middle of a value');
    this.at += count;
  }

  private skipVarint(): void {
    for (let digits = 1; this.byte() > 127; digits++) {
      if (digits === 10) throw new ParquetFormatError('a thrift integer has more than ten bytes');
    }
  }

  /** An unsigned integer; throws if it is not a safe one. */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (let digits = 1; ; digits++) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) break;
      if (digits === 10) throw new ParquetFormatError('a thrift integer has more than ten bytes');
      scale *= 128;
    }
    if (value > Number.MAX_SAFE_INTEGER) throw new ParquetFormatError('a thrift integer is too large');
    return value;
  }

  /** A signed integer (i16, i32, i64). */
  integer(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** The bytes of a binary or string. */
  binary(): Uint8Array {
    const length = this.varint();
    const start = this.at;
    this.skipBytes(length);
    return this.bytes.subarray(start, this.at);
  }

  /** Size and element type of a list; the elements follow. */
  listHeader(): { size: number; type: number } {
    const header = this.byte();
    const size = header >> 4 === 15 ? this.varint() : header >> 4;
    if (size > this.end - this.at) throw new ParquetFormatError('a thrift list is longer than its bytes');
    return { size, type: header & 15 };
  }

  /** All fields of the struct that begins here; the reader then stands behind the struct. */
  struct(): ThriftField[] {
    const fields: ThriftField[] = [];
    let id = 0;
    for (;;) {
      const header = this.byte();
      if (header === 0) return fields;
      id = header >> 4 === 0 ? this.integer() : id + (header >> 4);
      const start = this.at;
      this.skip(header & 15, 1);
      fields.push({ id, type: header & 15, start, end: this.at });
    }
  }

  private skip(type: number, nesting: number): void {
    if (nesting > maxNesting) throw new ParquetFormatError('thrift is nested too deeply');
    switch (type) {
      case thriftType.true:
      case thriftType.false:
        break;
      case thriftType.byte:
        this.skipBytes(1);
        break;
      case thriftType.i16:
      case thriftType.i32:
      case thriftType.i64:
        this.skipVarint();
        break;
      case thriftType.double:
        this.skipBytes(8);
        break;
      case thriftType.uuid:
        this.skipBytes(16);
        break;
      case thriftType.binary:
        this.skipBytes(this.varint());
        break;
      case thriftType.list:
      case thriftType.set:
        this.skipList(nesting);
        break;
      case thriftType.map:
        this.skipMap(nesting);
        break;
      case thriftType.struct:
        this.skipStruct(nesting);
        break;
      default:
        throw new ParquetFormatError(`thrift has no type ${type}`);
    }
  }

  private skipList(nesting: number): void {
    const { size, type } = this.listHeader();
    for (let left = size; left > 0; left--) this.skipElement(type, nesting + 1);
  }

  private skipMap(nesting: number): void {
    const size = this.varint();
    const types = size > 0 ? this.byte() : 0;
    for (let left = size; left > 0; left--) {
      this.skipElement(types >> 4, nesting + 1);
      this.skipElement(types & 15, nesting + 1);
    }
  }

  /** Inside a list, a bool takes a byte of its own. */
  private skipElement(type: number, nesting: number): void {
    if (type === thriftType.true || type === thriftType.false) this.skipBytes(1);
    else this.skip(type, nesting);
  }

  private skipStruct(nesting: number): void {
    for (;;) {
      const header = this.byte();
      if (header === 0) return;
      if (header >> 4 === 0) this.skipVarint();
      this.skip(header & 15, nesting + 1);
    }
  }
}

/** The field `id` of a struct, if present. */
export function findField(fields: readonly ThriftField[], id: number): ThriftField | undefined {
  return fields.find((field) => field.id === id);
}

/** The field `id`, which must be present and of this type. */
export function fieldOf(fields: readonly ThriftField[], id: number, type: number): ThriftField {
  const found = findField(fields, id);
  if (found?.type !== type) throw new ParquetFormatError(`thrift lacks field ${id}, or has it with another type`);
  return found;
}

/** The field's value as an integer. */
export function integerOf(bytes: Uint8Array, field: ThriftField): number {
  return new ThriftReader(bytes, field.start, field.end).integer();
}
